"""Whole pretraining runs on a toy language: they learn, resume, and report errors."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from safetensors.torch import load_file

from tests.toytext import toy_sentences
from whorl.errors import ModelError, RecipeError
from whorl.lexicon.word_pieces import Pieces
from whorl.pretraining import loop
from whorl.pretraining.card import encoder_checks
from whorl.pretraining.recipe import PretrainingRecipe
from whorl.pretraining.run import PretrainingListener, pretrain
from whorl.transformer.network import Transformer

STEP = 8 * 16  # pieces of a step
SMALL = (
    *(
        "data.vocabulary=60",
        "model.layers=2",
        "model.width=32",
        "training.rows=8",
        "training.pieces=16",
    ),
    *("training.device=cpu", "training.log=4", "training.rate=3e-3"),
)


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(toy_sentences(1000)), encoding="utf-8")
    return path


@pytest.fixture
def recipe(tmp_path, text):
    """Make a recipe of `steps` steps; all runs of a test share pieces and ids."""

    def make(steps, *settings):
        shared = [
            f"data.text={text}",
            f"data.cache={tmp_path / 'cache'}",
            f"training.tokens={steps * STEP}",
        ]
        return PretrainingRecipe().override([*SMALL, *shared, *settings])

    return make


def weights(folder):
    return load_file(folder / "encoder.safetensors")


def same(one, other):
    return all(torch.equal(one[name], other[name]) for name in one | other)


def metrics(folder):
    return [
        json.loads(line)
        for line in (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    ]


class KillAfter(PretrainingListener):
    """Interrupts a run after `steps` steps."""

    def __init__(self, steps):
        self.steps = steps

    def step(self, trainer):
        if trainer.step == self.steps:
            raise KeyboardInterrupt


def test_a_small_encoder_learns_a_language_and_is_saved(tmp_path, recipe, text):
    sizes = ("model.width=64", "training.rows=16", "training.pieces=32", "training.log=100")
    outcome = pretrain(recipe(250 * 4, *sizes), tmp_path / "e")
    assert outcome.finished
    assert outcome.last.step == 250
    counts = Counter(text.read_text(encoding="utf-8").split())
    unigrams = -sum(n / counts.total() * math.log(n / counts.total()) for n in counts.values())
    assert outcome.last.generator < 0.8 * unigrams
    assert outcome.last.detection < 0.8 * metrics(tmp_path / "e")[0]["detection"]
    assert outcome.last.hits > 0.2
    names = [
        "README.md",
        "check.json",
        "curve.svg",
        "encoder.json",
        "encoder.safetensors",
        "generator.safetensors",
        "metrics.jsonl",
    ]
    assert sorted(path.name for path in (tmp_path / "e").iterdir()) == [*names, "tokenizer.json"]
    assert [row["step"] for row in metrics(tmp_path / "e")] == [100, 200, 250]
    checks = json.loads((tmp_path / "e/check.json").read_text(encoding="utf-8"))
    assert checks == encoder_checks(tmp_path / "e", [check["text"] for check in checks])
    assert len(checks) == 3
    model, pieces = Transformer.load(tmp_path / "e"), Pieces.load(tmp_path / "e")
    assert model.config.vocabulary == len(pieces)
    assert (model.config.layers, model.config.width) == (2, 64)
    described = json.loads((tmp_path / "e/encoder.json").read_text(encoding="utf-8"))
    assert described["data"]["sentences"] == 1000
    assert "2 layers, width 64, 1 heads" in (tmp_path / "e/README.md").read_text(encoding="utf-8")


def test_a_resumed_run_ends_with_the_weights_of_an_uninterrupted_one(tmp_path, recipe):
    pretrain(recipe(10), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        pretrain(recipe(10, "training.save=0"), tmp_path / "parts", listener=KillAfter(7))
    assert (
        json.loads((tmp_path / "parts/work/checkpoint.json").read_text(encoding="utf-8"))["step"]
        == 6
    )
    pretrain(recipe(10), tmp_path / "parts", resume=True)
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))
    without_time = [
        [row | {"seconds": 0} for row in metrics(tmp_path / name)] for name in ("whole", "parts")
    ]
    assert without_time[0] == without_time[1]
    assert not (tmp_path / "parts/work").exists()


def test_a_run_that_stops_early_keeps_its_schedule_and_can_be_resumed(tmp_path, recipe):
    pretrain(recipe(10), tmp_path / "whole")
    outcome = pretrain(recipe(10, f"training.stop={6 * STEP}"), tmp_path / "parts")
    assert (outcome.last.step, outcome.finished) == (6, False)
    Transformer.load(tmp_path / "parts")
    assert pretrain(recipe(10), tmp_path / "parts", resume=True).finished
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))


def test_a_killed_command_can_be_resumed_without_a_trace(tmp_path, recipe):
    settings = [
        f"{section}.{key}={str(value).lower() if isinstance(value, bool) else value}"
        for section, values in recipe(120, "training.save=0").to_dict().items()
        for key, value in values.items()
    ]
    flags = [flag for setting in settings for flag in ("--set", setting)]
    command = [
        sys.executable,
        "-c",
        "from whorl.cli.main import main; main()",
        "pretrain",
        *flags,
        "--out",
    ]
    pretrain(recipe(120), tmp_path / "whole")
    process = subprocess.Popen([*command, str(tmp_path / "killed")], stdout=subprocess.DEVNULL)
    while not (tmp_path / "killed/work/checkpoint.json").exists() and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "killed/encoder.json").exists()
    subprocess.run(
        [*command, str(tmp_path / "killed"), "--resume"], check=True, stdout=subprocess.DEVNULL
    )
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "killed"))


def test_a_budget_of_minutes_is_kept_and_the_rate_ends_at_zero(tmp_path, recipe):
    outcome = pretrain(recipe(0, "training.minutes=0.02"), tmp_path / "e")
    assert outcome.finished
    assert 1.2 <= outcome.last.seconds < 5
    assert outcome.last.rate < 0.5 * max(row["rate"] for row in metrics(tmp_path / "e"))


def test_the_clock_of_a_resumed_run_continues(tmp_path, recipe):
    with pytest.raises(KeyboardInterrupt):
        pretrain(
            recipe(0, "training.minutes=10", "training.save=0"),
            tmp_path / "e",
            listener=KillAfter(20),
        )
    saved = json.loads((tmp_path / "e/work/checkpoint.json").read_text(encoding="utf-8"))
    outcome = pretrain(
        recipe(0, "training.minutes=10", f"training.stop={21 * STEP}"), tmp_path / "e", resume=True
    )
    assert outcome.last.seconds >= saved["seconds"] > 0


def test_the_same_seed_gives_the_same_encoder_and_another_gives_another(tmp_path, recipe):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        pretrain(recipe(2, f"training.seed={seed}"), tmp_path / name)
    a, b, c = (weights(tmp_path / name) for name in "abc")
    assert same(a, b)
    assert not same(a, c)


def test_weights_can_be_saved_in_8_bits(tmp_path, recipe):
    pretrain(recipe(2, "training.precision=int8"), tmp_path / "e")
    assert (tmp_path / "e/encoder.int8.safetensors").exists()
    checks = json.loads((tmp_path / "e/check.json").read_text(encoding="utf-8"))
    assert checks == encoder_checks(tmp_path / "e", [check["text"] for check in checks])


def test_a_run_neither_overwrites_another_nor_resumes_with_another_recipe(tmp_path, recipe):
    pretrain(recipe(4, f"training.stop={STEP}"), tmp_path / "e")
    with pytest.raises(ModelError, match="--resume"):
        pretrain(recipe(4), tmp_path / "e")
    with pytest.raises(ModelError, match=r"differs in model\.layers, training\.rate"):
        pretrain(recipe(4, "model.layers=1", "training.rate=0.1"), tmp_path / "e", resume=True)
    pretrain(recipe(4), tmp_path / "e", resume=True)
    with pytest.raises(ModelError, match="there is nothing to resume"):
        pretrain(recipe(4), tmp_path / "e", resume=True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("work/checkpoint.json", "{"),
        ("work/checkpoint.json", "[" * 200_000),
        ("work/checkpoint.json", '{"step": 1, "seconds": 1.5, "weights": "../x", "recipe": {}}'),
        ("metrics.jsonl", '{"step": 1}\n'),
        ("metrics.jsonl", "nonsense\n"),
    ],
)
def test_a_damaged_run_cannot_be_resumed_and_the_error_names_the_file(
    tmp_path, recipe, name, content
):
    pretrain(recipe(4, f"training.stop={STEP}"), tmp_path / "e")
    (tmp_path / "e" / name).write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=f"cannot resume the run: .*{name} is damaged"):
        pretrain(recipe(4), tmp_path / "e", resume=True)


def test_a_loss_that_is_not_finite_is_an_error(tmp_path, recipe):
    with pytest.raises(ModelError, match=r"not finite at step \d+: lower training.rate"):
        pretrain(recipe(8, "training.rate=1e30", "training.warmup=0"), tmp_path / "e")


def test_a_network_that_fails_to_compile_is_run_uncompiled(tmp_path, recipe, monkeypatch):
    def failing(*_, **__):
        def broken(*_):
            raise RuntimeError("no compiler\nhere")

        return broken

    class Compiling(loop.Pretrainer):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self._compiled = True
            self.model.compile_parts(on=True)

    class Noting(PretrainingListener):
        notes: list[str] = []

        def note(self, text):
            self.notes.append(text)

    monkeypatch.setattr(torch, "compile", failing)
    monkeypatch.setattr("whorl.pretraining.run.Pretrainer", Compiling)
    assert pretrain(recipe(2), tmp_path / "e", listener=Noting()).finished
    assert Noting.notes == ["continuing uncompiled: RuntimeError: no compiler"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data.text=", "data.text is empty"),
        ("model.layers=0", "model.layers must be at least 1"),
        ("training.masked=0.9", "training.masked must be above 0 and at most 0.5, not 0.9"),
        ("training.pieces=2", "training.pieces must be at least 8"),
        ("training.device=tpu9", "must be auto, cpu or cuda, not 'tpu9'"),
    ],
)
def test_a_recipe_that_cannot_be_trained_is_refused(tmp_path, recipe, setting, message):
    with pytest.raises(RecipeError, match=message):
        pretrain(recipe(2, setting), tmp_path / "e")
    assert not (tmp_path / "e").exists()


def test_sizes_follow_from_layers_and_width():
    chosen = PretrainingRecipe()
    encoder, generator = chosen.encoder(20_000), chosen.generator(20_000)
    assert (encoder.layers, encoder.width, encoder.heads, encoder.feed_forward) == (
        12,
        512,
        8,
        2048,
    )
    assert (generator.layers, generator.width, generator.heads, generator.feed_forward) == (
        6,
        256,
        4,
        1024,
    )


def test_the_recipe_in_the_package_lists_the_defaults():
    assert PretrainingRecipe.read("pretrain") == PretrainingRecipe()
