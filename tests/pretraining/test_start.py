"""Encoders that continue from another, or learn from one."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from safetensors.torch import load_file
from typer.testing import CliRunner

from tests.toytext import toy_sentences
from whorl.cli.main import app
from whorl.errors import ModelError, RecipeError
from whorl.lexicon.word_pieces import SEP, Pieces
from whorl.pretraining.distillation import Distillation, relation_loss
from whorl.pretraining.electra import Electra
from whorl.pretraining.recipe import DistillationSettings, PretrainingRecipe
from whorl.pretraining.run import PretrainingListener, pretrain
from whorl.pretraining.start import GENERATOR, load_start
from whorl.transformer.network import Transformer, TransformerConfig

SHARED = Path(__file__).parents[3] / "shared/encoders/en-12x512"
STEP = 8 * 16  # pieces of a step
SIZES = ("data.vocabulary=60", "training.rows=8", "training.pieces=16", "training.device=cpu")


class Interrupt(PretrainingListener):
    """Interrupts a run after some steps."""

    def __init__(self, steps):
        self.steps = steps

    def step(self, trainer):
        if trainer.step == self.steps:
            raise KeyboardInterrupt


class Notes(PretrainingListener):
    def __init__(self):
        self.notes = []

    def note(self, text):
        self.notes.append(text)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(toy_sentences(600)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def recipe(text):
    def make(steps, *settings, layers=2, width=32):
        sizes = [f"model.layers={layers}", f"model.width={width}"]
        run = [f"data.text={text}", f"training.tokens={steps * STEP}", "training.log=5"]
        return PretrainingRecipe().override([*SIZES, *sizes, *run, "training.rate=3e-3", *settings])

    return make


@pytest.fixture(scope="module")
def encoder(recipe, tmp_path_factory):
    """An encoder that has learned something: 2 layers of width 32."""
    folder = tmp_path_factory.mktemp("encoder") / "wide"
    pretrain(recipe(150), folder)
    return folder


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def metrics(folder):
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def same(one, other):
    return all(torch.equal(one[name], other[name]) for name in one | other)


def test_a_run_continues_from_the_weights_pieces_and_generator_of_another(
    encoder, recipe, tmp_path
):
    model = Electra(recipe(1).encoder(60), recipe(1).generator(60))
    notes = []
    load_start(str(encoder), model, notes.append)
    assert same(model.encoder.state_dict(), load_file(encoder / "encoder.safetensors"))
    state = model.state_dict()
    generator = load_file(encoder / GENERATOR)
    assert all(torch.equal(state[name].half(), tensor) for name, tensor in generator.items())
    assert {name for name in state if not name.startswith("encoder.")} == set(generator)
    assert notes == []
    pretrain(recipe(5, f"model.start={encoder}"), tmp_path / "more")
    pretrain(recipe(5), tmp_path / "anew")
    more, anew = (metrics(tmp_path / name)[0] for name in ("more", "anew"))
    assert more["generator"] < 0.8 * anew["generator"]
    assert more["detection"] < 0.8 * anew["detection"]
    pieces = [Pieces.load(folder).tokenizer.to_str() for folder in (encoder, tmp_path / "more")]
    assert pieces[0] == pieces[1]
    saved = read(tmp_path / "more/encoder.json")
    assert saved["recipe"]["model"]["start"] == str(encoder)
    assert saved["encoders"]["start"]["name"] == "wide"
    weights = saved["encoders"]["start"]["weights"]
    card = (tmp_path / "more/README.md").read_text(encoding="utf-8")
    assert f"| continued from | wide, weights {weights} |" in card


def test_without_a_generator_a_new_one_is_made_which_is_said(encoder, recipe, tmp_path):
    for name in ("encoder.json", "encoder.safetensors", "tokenizer.json"):
        (tmp_path / name).write_bytes((encoder / name).read_bytes())
    listener = Notes()
    pretrain(recipe(1, f"model.start={tmp_path}"), tmp_path / "e", listener=listener)
    (note,) = listener.notes
    assert note == f"{tmp_path} has no {GENERATOR}: the generator starts from random weights"


def test_an_interrupted_run_that_continues_resumes_exactly(encoder, recipe, tmp_path):
    settings = (f"model.start={encoder}", "training.save=0")
    pretrain(recipe(6, *settings), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        pretrain(recipe(6, *settings), tmp_path / "parts", listener=Interrupt(4))
    pretrain(recipe(6, *settings), tmp_path / "parts", resume=True)
    weights = (load_file(tmp_path / name / "encoder.safetensors") for name in ("whole", "parts"))
    assert same(*weights)


def test_an_encoder_of_another_shape_is_refused(encoder, recipe, tmp_path):
    message = r"wide has layers 2, width 32, .*; the recipe has layers 1, width 16, .*the same"
    with pytest.raises(RecipeError, match=message):
        pretrain(recipe(1, f"model.start={encoder}", layers=1, width=16), tmp_path / "e")
    with pytest.raises(RecipeError, match=r"generator\.safetensors: .* set model\.generator_"):
        settings = (f"model.start={encoder}", "model.generator_width=8")
        pretrain(recipe(1, *settings), tmp_path / "f")


@pytest.mark.parametrize("key", ["data.tokenizer", "distillation.teacher"])
def test_an_encoder_with_other_pieces_is_refused(encoder, recipe, tmp_path, key):
    pretrain(recipe(1, "data.vocabulary=40"), tmp_path / "other")
    settings = (f"model.start={encoder}", f"{key}={tmp_path / 'other'}")
    with pytest.raises(RecipeError, match=r"other has other word pieces than .*wide"):
        pretrain(recipe(1, *settings), tmp_path / "e")


def test_weights_that_do_not_fit_the_pieces_are_refused(encoder, recipe, tmp_path):
    for path in encoder.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    pretrain(recipe(1, "data.vocabulary=40"), tmp_path / "other")
    (tmp_path / "tokenizer.json").write_bytes((tmp_path / "other/tokenizer.json").read_bytes())
    for key in ("model.start", "distillation.teacher"):
        with pytest.raises(ModelError, match=r"has \d+ word pieces in its weights and 40 in its"):
            pretrain(recipe(1, f"{key}={tmp_path}"), tmp_path / "e")


def test_a_damaged_generator_is_named(encoder, recipe, tmp_path):
    for path in encoder.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / GENERATOR).write_bytes(b"nonsense")
    with pytest.raises(ModelError, match=r"generator\.safetensors is damaged"):
        pretrain(recipe(1, f"model.start={tmp_path}"), tmp_path / "e")


def divergence_by_definition(student, teacher, heads):
    """Return the mean Kullback-Leibler divergence of relations, position by position."""
    total, count = 0.0, 0
    for ours, theirs in zip(student.chunk(3, dim=-1), teacher.chunk(3, dim=-1), strict=True):
        for row in range(len(ours)):
            for head in range(heads):
                sides = [each[row].chunk(heads, dim=-1)[head] for each in (ours, theirs)]
                for position in range(sides[0].shape[0]):
                    q, p = (
                        (side @ side[position] / math.sqrt(side.shape[1])).softmax(0)
                        for side in sides
                    )
                    total += float((p * (p / q).log()).sum())
                    count += 1
    return total / count


def test_the_relation_loss_is_the_divergence_of_relations_whatever_the_widths():
    random = torch.Generator().manual_seed(1)
    student = torch.randn(2, 5, 3 * 8, generator=random)
    teacher = torch.randn(2, 5, 3 * 12, generator=random)
    loss = relation_loss(student, teacher, 4)
    assert float(loss) == pytest.approx(divergence_by_definition(student, teacher, 4), abs=1e-5)
    assert float(relation_loss(student, student, 2)) == pytest.approx(0, abs=1e-6)


def test_attention_inputs_are_those_of_the_layer():
    torch.manual_seed(1)
    model = Transformer(TransformerConfig(vocabulary=30, layers=3, width=16, heads=2))
    seen = []
    model.blocks[1].qkv.register_forward_hook(lambda *call: seen.append(call[2]))
    ids = torch.randint(4, 30, (2, 7))
    expected = model(ids)
    vectors, qkv = model.encode_with_attention(ids, 1)
    assert torch.allclose(vectors, expected, atol=1e-6)
    assert torch.allclose(qkv, seen[0], atol=1e-6)


def test_a_narrower_encoder_learns_from_a_teacher_that_stays_as_it_is(encoder, recipe, tmp_path):
    before = (encoder / "encoder.safetensors").read_bytes()
    settings = (f"distillation.teacher={encoder}", "training.log=20")
    pretrain(recipe(100, *settings, layers=1, width=16), tmp_path / "narrow")
    losses = [row["distillation"] for row in metrics(tmp_path / "narrow")]
    assert losses[-1] < 0.5 * losses[0]
    assert (encoder / "encoder.safetensors").read_bytes() == before
    student = Transformer.load(tmp_path / "narrow")
    assert (student.config.layers, student.config.width) == (1, 16)
    saved = read(tmp_path / "narrow/encoder.json")
    assert saved["encoders"]["teacher"]["name"] == "wide"
    assert saved["outcome"]["distillation"] == losses[-1]
    card = (tmp_path / "narrow/README.md").read_text(encoding="utf-8")
    assert "| distilled from | wide" in card
    names = set(load_file(tmp_path / "narrow" / GENERATOR))
    assert not any("teacher" in name or "projection" in name for name in names)


@pytest.mark.parametrize("vectors", [0, 1])
def test_an_interrupted_distillation_resumes_exactly(encoder, recipe, tmp_path, vectors):
    settings = (
        f"distillation.teacher={encoder}",
        f"distillation.vectors={vectors}",
        "training.save=0",
    )
    narrow = recipe(6, *settings, layers=1, width=16)
    pretrain(narrow, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        pretrain(narrow, tmp_path / "parts", listener=Interrupt(4))
    pretrain(narrow, tmp_path / "parts", resume=True)
    assert same(*(load_file(tmp_path / p / "encoder.safetensors") for p in ("whole", "parts")))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["heads=5"], "heads is 5, but must divide the widths of the teacher, 32, and of the"),
        (["layer=3"], "layer is 3, but the teacher has 2 layers"),
        (["relations=0"], "relations and distillation.vectors are both 0"),
    ],
)
def test_a_distillation_that_cannot_be_is_refused(encoder, recipe, tmp_path, settings, message):
    keys = [f"distillation.{setting}" for setting in [f"teacher={encoder}", *settings]]
    with pytest.raises(RecipeError, match=message):
        pretrain(recipe(1, *keys, layers=1, width=16), tmp_path / "e")


def test_a_teacher_is_no_part_of_the_network():
    teacher = Transformer(TransformerConfig(vocabulary=30, layers=1, width=16, heads=2))
    student = TransformerConfig(vocabulary=30, layers=1, width=8, heads=1, feed_forward=16)
    distillation = Distillation(DistillationSettings(teacher="x"), teacher, student)
    assert list(distillation.parameters()) == []
    assert distillation.state_dict() == {}
    assert not any(parameter.requires_grad for parameter in teacher.parameters())


def test_the_command_takes_sizes_from_the_encoder_it_continues(encoder, text, tmp_path):
    flags = ["--tokens", "256", "--rows", "8", "--device", "cpu", "--set", "training.pieces=16"]
    done = CliRunner().invoke(
        app,
        ["pretrain", str(text), "--out", str(tmp_path / "e"), "--from", str(encoder), *flags],
    )
    assert done.exit_code == 0, done.output
    assert Transformer.load(tmp_path / "e").config == Transformer.load(encoder).config
    arguments = ["--layers", "1", "--width", "16", "--teacher", str(encoder), *flags]
    done = CliRunner().invoke(
        app, ["pretrain", str(text), "--out", str(tmp_path / "f"), *arguments]
    )
    assert done.exit_code == 0, done.output
    assert "distillation" in done.stdout
    assert Transformer.load(tmp_path / "f").config.width == 16


@pytest.mark.skipif(not SHARED.exists(), reason="the English encoder is not there")
def test_the_english_encoder_and_its_generator_are_loaded():
    recipe = PretrainingRecipe()
    model = Electra(recipe.encoder(20_000), recipe.generator(20_000))
    notes = []
    load_start(str(SHARED), model, notes.append)
    assert notes == []
    sentence = "The committee will meet again next week to discuss the report of the chairman ."
    batch = Pieces.load(SHARED).batch([sentence.split()])
    rows = torch.from_numpy(batch.ids).repeat(8, 1)
    assert (rows[:, 0] == SEP).all()
    with torch.no_grad():
        losses = model.eval()(rows, 0.15, torch.Generator().manual_seed(1))
    assert float(losses.generator) < 5  # a new generator has 9.9
    assert float(losses.detection) < 0.5
