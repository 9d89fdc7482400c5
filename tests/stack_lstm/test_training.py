"""Training runs on a handful of trees: they learn, they resume, and they report what is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

torch = pytest.importorskip("torch")

from tests.parsers import SYSTEM_NAMES, TEXT
from whorl.errors import ModelError, RecipeError
from whorl.model_folder.description import FORMAT
from whorl.parser import Parser
from whorl.stack_lstm.folder import StackLSTMModel
from whorl.training.recipe import Recipe
from whorl.training.run import train
from whorl.trees import read_trees

SMALL = [
    "model.input_dim=32",
    "model.hidden_dim=32",
    "training.batch=2",
    "data.folds=2",
    "model.dropout=0.0",
]


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "trees.txt"
    path.write_text("".join(f"(TOP {tree})\n" for tree in read_trees(TEXT)), encoding="utf-8")
    return path


def recipe(trees, *settings):
    return Recipe().override([f"data.train={trees}", f"data.dev={trees}", *SMALL, *settings])


def weights(folder):
    return StackLSTMModel.load(folder).network.state_dict()


FAST = ("training.optimiser=adam", "training.rate=0.01", "training.unknown=0", "data.tags=gold")
LONG = ("training.epochs=50", "training.patience=0")


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_every_system_learns_a_small_treebank_by_heart(tmp_path, trees, system):
    assert (
        train(recipe(trees, *FAST, *LONG, f"model.system={system}"), tmp_path / "model").best > 99
    )
    gold = list(read_trees(trees.read_text(encoding="utf-8")))
    parser = Parser.load(tmp_path / "model")
    assert list(parser.pipe([tree.leaves() for tree in gold])) == gold  # root and all
    (best,) = parser.parse(gold[0].leaves(), n_best=1)
    assert (best.tree, best.log_probability <= 0, best.probabilities(), best.confidence) == (
        gold[0],
        True,
        None,
        None,
    )
    first, second, third = parser.parse(gold[0].leaves(), n_best=3)
    assert first.tree == gold[0]
    assert len({first.tree, second.tree, third.tree}) == 3
    assert first.log_probability > second.log_probability > third.log_probability
    metrics = [
        json.loads(line) for line in (tmp_path / "model/metrics.jsonl").open(encoding="utf-8")
    ]
    assert [row["number"] for row in metrics] == list(range(1, 51))
    assert (tmp_path / "model/curve.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("system", ["nonbinary", "topdown", "inorder"])
def test_the_dynamic_oracle_learns_the_constituents_too(tmp_path, trees, system):
    settings = (
        f"model.system={system}",
        "training.oracle=dynamic",
        "training.regular=0.2",
        "training.epochs=90",
    )
    assert train(recipe(trees, *FAST, *LONG, *settings), tmp_path / "model").best > 99


@pytest.mark.parametrize(
    "settings", [("training.aggressive=1.0",), ("training.loss=taken",)], ids=str
)
def test_exploration_settings_change_what_is_learned(tmp_path, trees, settings):
    common = ("data.tags=gold", "training.epochs=2", "training.oracle=dynamic")
    train(recipe(trees, *common), tmp_path / "a")
    train(recipe(trees, *common, *settings), tmp_path / "b")
    assert not torch.equal(
        weights(tmp_path / "a")["out.weight"], weights(tmp_path / "b")["out.weight"]
    )


def test_plain_gradient_descent_lowers_the_loss(tmp_path, trees):
    train(
        recipe(trees, "data.tags=gold", "training.epochs=8", "training.patience=0"), tmp_path / "m"
    )
    losses = [
        json.loads(line)["loss"] for line in (tmp_path / "m/metrics.jsonl").open(encoding="utf-8")
    ]
    assert losses[-1] < 0.8 * losses[0]


@pytest.mark.parametrize(
    "settings", [(), ("training.oracle=dynamic",), ("training.optimiser=adam",)], ids=str
)
def test_a_resumed_run_ends_with_the_weights_of_one_that_never_stopped(tmp_path, trees, settings):
    common = ("model.dropout=0.3", "training.patience=0", *settings)
    train(recipe(trees, *common, "training.epochs=4"), tmp_path / "whole")
    train(recipe(trees, *common, "training.epochs=2"), tmp_path / "parts")
    train(recipe(trees, *common, "training.epochs=4"), tmp_path / "parts", resume=True)
    whole, parts = (
        json.loads((tmp_path / n / "checkpoint.json").read_text(encoding="utf-8"))
        for n in ("whole", "parts")
    )
    assert whole["weights"] == parts["weights"]  # a file is named after its content


def test_a_killed_run_resumes_as_if_it_had_never_stopped(tmp_path, trees):
    settings = [
        f"data.train={trees}",
        f"data.dev={trees}",
        *SMALL,
        "training.epochs=5",
        "training.patience=0",
    ]
    flags = [flag for setting in settings for flag in ("--set", setting)]
    program = [sys.executable, "-c", "from whorl.cli.main import main; main()"]
    command = [*program, "train", "stack-lstm", "--out"]
    process = subprocess.Popen([*command, str(tmp_path / "killed"), *flags])
    while not (tmp_path / "killed/checkpoint.json").exists() and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    subprocess.run([*command, str(tmp_path / "killed"), *flags, "--resume"], check=True)
    subprocess.run([*command, str(tmp_path / "whole"), *flags], check=True)
    killed, whole = weights(tmp_path / "killed"), weights(tmp_path / "whole")
    assert all(torch.equal(killed[name], whole[name]) for name in whole)
    assert not list((tmp_path / "killed").glob(".*partial"))


def test_the_same_seed_gives_the_same_weights_and_another_gives_others(tmp_path, trees):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        train(
            recipe(trees, "data.tags=gold", "training.epochs=1", f"training.seed={seed}"),
            tmp_path / name,
        )
    a, b, c = (weights(tmp_path / name)["out.weight"] for name in "abc")
    assert torch.equal(a, b)
    assert not torch.equal(a, c)


def test_vectors_of_words_that_do_not_occur_change_nothing(tmp_path, trees):
    rows = "the 0.1 0.2\npublic 0.3 0.4\n"
    models = []
    for name, text in (("few", rows), ("many", rows + "xyzzy 0.5 0.6\nplugh 0.7 0.8\n")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
        vectors = f"data.vectors={tmp_path / name}.txt"
        train(recipe(trees, vectors, "training.epochs=1"), tmp_path / name)
        models.append(StackLSTMModel.load(tmp_path / name))
    few, many = (
        {**model.network.state_dict(), **{f"tagger.{k}": w for k, w in model.tagger[1].items()}}
        for model in models
    )
    assert many.pop("vector.weight").shape[0] == few.pop("vector.weight").shape[0] + 2
    assert few.keys() == many.keys()
    assert [name for name in few if not torch.equal(few[name], many[name])] == []


def test_a_run_neither_replaces_another_nor_resumes_with_another_recipe(tmp_path, trees):
    first = recipe(trees, "data.tags=gold", "training.epochs=1")
    train(first, tmp_path / "m")
    with pytest.raises(ModelError, match="--resume"):
        train(first, tmp_path / "m")
    with pytest.raises(ModelError, match=r"differs in model\.hidden_dim"):
        train(
            first.override(["model.hidden_dim=16", "training.epochs=9"]),
            tmp_path / "m",
            resume=True,
        )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model.hiden_dim=3", "unknown key 'hiden_dim'"),
        ("mdl.hidden_dim=3", "unknown section 'mdl'"),
        ("model.hidden_dim=x", "must be a whole number, not 'x'"),
        ("model.system=arc-eager", "must be one of nonbinary, binary, topdown, inorder"),
        ("training.rate=-1", "training.rate must be at least 0, not -1"),
        ("hidden_dim", "expected section.key=value"),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it(setting, message):
    with pytest.raises(RecipeError, match=message):
        Recipe().override([setting])


def test_paths_in_a_recipe_are_relative_to_its_folder(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text('[data]\ntrain = "t.txt"\n[training]\nrate = 1\n', encoding="utf-8")
    read = Recipe.read(path)
    assert read.data.train == str(tmp_path / "t.txt")
    assert read.training.rate == 1.0
    path.write_text("[data\n", encoding="utf-8")
    with pytest.raises(RecipeError, match="not a TOML file"):
        Recipe.read(path)


class TestModelFolder:
    @pytest.fixture
    def folder(self, tmp_path, trees):
        train(recipe(trees, "training.epochs=1"), tmp_path / "m")
        return tmp_path / "m"

    def test_words_are_tagged_and_parsed_and_beams_work(self, folder):
        parser = Parser.load(folder)
        sentences = [["The", "public", "works", "."], [], ["(", "unseen", ")"]]
        trees = list(parser.pipe(sentences, beam=2))
        assert [tree and tree.words() for tree in trees] == [sentences[0], None, sentences[2]]
        assert trees[0] == parser.parse(sentences[0], beam=2)

    def test_a_newer_format_is_refused(self, folder):
        description = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        (folder / "model.json").write_text(
            json.dumps({**description, "format": FORMAT + 1}), encoding="utf-8"
        )
        with pytest.raises(ModelError, match="newer Whorl"):
            Parser.load(folder)

    @pytest.mark.parametrize("keep", [0, 8, 1000])
    def test_truncated_weights_are_refused(self, folder, keep):
        (path,) = folder.glob("weights-*.safetensors")
        path.write_bytes(path.read_bytes()[:keep])
        with pytest.raises(ModelError, match="damaged"):
            Parser.load(folder)

    def test_a_truncated_description_and_no_model_at_all_are_refused(self, folder, tmp_path):
        text = (folder / "model.json").read_text(encoding="utf-8")
        (folder / "model.json").write_text(text[: len(text) // 2], encoding="utf-8")
        with pytest.raises(ModelError, match="cannot be read"):
            Parser.load(folder)
        with pytest.raises(ModelError, match="not a model folder"):
            Parser.load(tmp_path)
