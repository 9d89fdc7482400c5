"""Whole training runs of the span network, on a handful of trees."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.spans import span_recipe, write_treebank
from whorl.errors import ModelError, RecipeError
from whorl.model_folder.description import FORMAT, read_description
from whorl.parser import Parser
from whorl.span.folder import SpanModel
from whorl.stack_lstm.folder import StackLSTMModel
from whorl.training.recipe import Recipe
from whorl.training.run import Listener, train
from whorl.training.sources import read_mix
from whorl.trees import Leaf, read_trees


@pytest.fixture
def trees(tmp_path):
    return write_treebank(tmp_path)


def weights(folder):
    return SpanModel.load(folder).model.state_dict()


@pytest.mark.parametrize(
    "settings", [(), ("training.oracle=dynamic", "training.regular=0.3", "training.epochs=80")]
)
def test_a_small_treebank_is_learned_by_heart(tmp_path, trees, settings):
    recipe = span_recipe(trees, "training.epochs=60", "training.unknown=0", *settings)
    assert train(recipe, tmp_path / "m").best == 100
    gold = list(read_trees(trees.read_text(encoding="utf-8")))
    parser = Parser.load(tmp_path / "m")
    assert list(parser.pipe([tree.words() for tree in gold])) == gold  # tags, root and all
    assert parser.parse([Leaf("ABC", "It"), Leaf("XYZ", "works")]).tags() == ["ABC", "XYZ"]
    metrics = [json.loads(line) for line in (tmp_path / "m/metrics.jsonl").open(encoding="utf-8")]
    assert metrics[-1]["dev_tags"] == 1
    assert metrics[-1]["rate"] < metrics[0]["rate"]


@pytest.mark.parametrize("oracle", ["static", "dynamic"])
def test_a_small_treebank_is_learned_by_heart_in_bfloat16(tmp_path, trees, oracle, monkeypatch):
    monkeypatch.setattr("whorl.span.learner.has_fast_bfloat16", lambda _device: True)
    settings = ("training.precision=bfloat16", "training.epochs=60", f"training.oracle={oracle}")
    recipe = span_recipe(trees, "training.unknown=0", *settings)
    assert train(recipe, tmp_path / "m").best == 100
    assert {weight.dtype for weight in weights(tmp_path / "m").values()} == {torch.float32}


class StopAfter(Listener):
    """Interrupts a run after some epochs."""

    def __init__(self, epochs):
        self.epochs = epochs

    def epoch(self, epoch, progress):
        if epoch.number == self.epochs:
            raise KeyboardInterrupt


@pytest.mark.parametrize("settings", [(), ("training.oracle=dynamic",)], ids=str)
def test_a_resumed_run_ends_with_the_weights_of_an_uninterrupted_one(tmp_path, trees, settings):
    recipe = span_recipe(
        trees, "span.dropout=0.3", "training.epochs=4", "training.warmup=3", *settings
    )
    train(recipe, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path / "parts", listener=StopAfter(2))
    train(recipe, tmp_path / "parts", resume=True)
    whole, parts = (
        json.loads((tmp_path / n / "checkpoint.json").read_text(encoding="utf-8"))
        for n in ("whole", "parts")
    )
    assert whole["weights"] == parts["weights"]  # a file is named after its content


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model.system=topdown", "nonbinary system"),
        ("span.lstm_dim=x", "must be a whole number"),
        ("training.precision=int3", "must be one of float32, bfloat16"),
    ],
)
def test_an_invalid_setting_is_an_error_that_names_it(tmp_path, trees, setting, message):
    with pytest.raises(RecipeError, match=message):
        train(span_recipe(trees, setting), tmp_path / "m")


def test_a_newer_format_is_refused(tmp_path, trees):
    train(span_recipe(trees, "training.epochs=1"), tmp_path / "m")
    description = json.loads((tmp_path / "m/model.json").read_text(encoding="utf-8"))
    (tmp_path / "m/model.json").write_text(
        json.dumps({**description, "format": FORMAT + 1}), encoding="utf-8"
    )
    with pytest.raises(ModelError, match="newer Whorl"):
        Parser.load(tmp_path / "m")


class TestMix:
    """Two treebanks that annotate the same words differently."""

    OTHER = "(S (NX (NP (PRP It)) (VP (VBZ works))))\n(FRAG (NN Rain))\n"

    @pytest.fixture
    def recipe(self, tmp_path):
        write_treebank(tmp_path, "one.txt")
        other = write_treebank(tmp_path, "other.txt", self.OTHER)
        other.with_suffix(".docs").write_text("letters_1\nessays_1\n", encoding="utf-8")
        (tmp_path / "listed.txt").write_text(
            "# document reason\nessays_1 not redistributable\n", encoding="utf-8"
        )
        toml = tmp_path / "mix.toml"
        toml.write_text(
            """
            [data]
            convention = "one"
            [[treebank]]
            name = "one"
            train = "one.txt"
            dev = "one.txt"
            weight = 1.5
            [[treebank]]
            name = "other"
            train = "other.txt"
            dev = "other.txt"
            """,
            encoding="utf-8",
        )
        small = span_recipe(tmp_path / "one.txt", "training.epochs=60", "training.unknown=0")
        sections = {name: small.to_dict()[name] for name in ("model", "span", "training")}
        read = Recipe.read(toml)
        return Recipe.from_dict({**read.to_dict(), **sections})

    def test_words_are_parsed_as_the_named_treebank_annotates_them(self, tmp_path, recipe):
        assert train(recipe, tmp_path / "m").best == 100
        one, other = (
            str(Parser.load(tmp_path / "m", convention=n).parse(["It", "works"]))
            for n in ("one", "other")
        )
        assert one == str(Parser.load(tmp_path / "m").parse(["It", "works"]))
        assert other == "(TOP (S (NX (NP (PRP It)) (VP (VBZ works)))))"
        assert one == "(TOP (S (NP (PRP It)) (VP (VBZ works))))"
        metrics = [
            json.loads(line) for line in (tmp_path / "m/metrics.jsonl").open(encoding="utf-8")
        ]
        assert metrics[-1]["dev_by_treebank"] == {"one": 100, "other": 100}
        assert metrics[-1]["dev_f1_all_tokens"] == 100
        card = read_description(tmp_path / "m")["card"]
        assert card["dev_f1_without_punctuation"] == 100
        assert card["punctuation"] == {"one": [",", "."], "other": []}
        with pytest.raises(ModelError, match="trained on one, other"):
            Parser.load(tmp_path / "m", convention="third")

    def test_treebanks_have_their_own_tags_of_punctuation(self, recipe):
        assert read_mix(recipe).dev.punctuation_of("one") == (",", ".")
        one, other = recipe.treebank
        changed = recipe.with_section("treebank", (one, replace(other, punctuation=("NN", ","))))
        dev = read_mix(changed.with_section("data", replace(recipe.data, punctuation=("X",)))).dev
        assert [dev.punctuation_of(name) for name in dev.parts()] == [("X",), ("NN", ",")]

    def test_weights_splicing_and_exclusion_shape_the_mix(self, tmp_path, recipe):
        mix = read_mix(recipe)
        assert len(mix.shares.numbers(np.random.default_rng(1))) == 6 + 3 + 2
        tables = recipe.to_dict()
        tables["data"]["splice"] = ["NX"]
        for key, value in (("exclude", ["ess*"]), ("exclude_file", str(tmp_path / "listed.txt"))):
            tables["treebank"][1] = {
                **tables["treebank"][1],
                "exclude": [],
                "exclude_file": "",
                key: value,
            }
            mix = read_mix(Recipe.from_dict(tables))
            kept = [
                str(tree)
                for tree, name in zip(mix.train, mix.train.sources, strict=True)
                if name == "other"
            ]
            assert kept == ["(TOP (S (NP (PRP It)) (VP (VBZ works))))"]
        with pytest.raises(RecipeError, match="matches 'nothing'"):
            tables["treebank"][1]["exclude"] = ["nothing"]
            read_mix(Recipe.from_dict(tables))

    def test_an_invalid_mix_is_refused(self, tmp_path, recipe):
        tables = recipe.to_dict()
        tables["treebank"][1]["name"] = "one"
        with pytest.raises(RecipeError, match="need different names"):
            train(Recipe.from_dict(tables), tmp_path / "m")
        with pytest.raises(RecipeError, match="trains on one treebank, not a mix"):
            train(recipe.override(["model.network=stack-lstm"]), tmp_path / "m")
        with pytest.raises(RecipeError, match="convention must be one of one, other"):
            train(recipe.override(["data.convention=third"]), tmp_path / "m")


def test_the_folder_decides_which_network_is_loaded(tmp_path, trees):
    train(span_recipe(trees, "training.epochs=1"), tmp_path / "span")
    plain = Recipe().override(
        [f"data.train={trees}", f"data.dev={trees}", "data.tags=gold", "training.epochs=1"]
    )
    train(plain, tmp_path / "stack")
    assert isinstance(SpanModel.load(tmp_path / "span"), SpanModel)
    assert isinstance(StackLSTMModel.load(tmp_path / "stack"), StackLSTMModel)
    path = tmp_path / "stack/model.json"
    description = json.loads(path.read_text(encoding="utf-8"))
    # Format 1 had only one network.
    path.write_text(json.dumps({**description, "format": 1}), encoding="utf-8")
    assert Parser.load(tmp_path / "stack").parse([Leaf("NN", "Rain")]).words() == ["Rain"]
    with pytest.raises(ModelError, match="where a span model is expected"):
        SpanModel.load(tmp_path / "stack")
    with pytest.raises(ModelError, match="no convention"):
        Parser.load(tmp_path / "stack", convention="one")
