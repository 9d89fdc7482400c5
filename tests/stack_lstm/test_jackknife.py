"""The store of tags holds what jackknifing gives, makes every part once, and never mixes runs."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.parsers import GOLD
from whorl.errors import ModelError
from whorl.lexicon.vectors import Vectors
from whorl.stack_lstm import jackknife as jackknifing
from whorl.stack_lstm import tagger_training as tagging
from whorl.stack_lstm.jackknife import TagStore, jackknife
from whorl.stack_lstm.tagger_training import train_tagger
from whorl.training.recipe import Recipe
from whorl.training.run import train

SENTENCES = [tree.leaves() for tree in GOLD]
WORDS = [["The", "public", "works"], ["cats", "of", "two", "words"]]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(tagging, "EPOCHS", 2)


def store(folder, sentences=SENTENCES, vectors=None, **options):
    return TagStore(folder, sentences, vectors or Vectors.none(), **{"folds": 3, **options})


def test_the_store_gives_what_jackknifing_and_training_give(tmp_path):
    reports = []
    tagger, tags = store(tmp_path, seed=5).load(lambda *report: reports.append(report))
    assert tags == jackknife(SENTENCES, vectors=Vectors.none(), folds=3, seed=5)
    assert tagger.tag(WORDS) == train_tagger(SENTENCES, vectors=Vectors.none(), seed=5).tag(WORDS)
    assert reports == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_parts_are_made_once_in_any_order_and_found_by_all(tmp_path, monkeypatch):
    first = store(tmp_path)
    assert first.missing() == [0, 1, 2, 3]
    for part in (3, 1):
        first.make(part)
    assert store(tmp_path).missing() == [0, 2]
    tagger, tags = store(tmp_path).load()
    monkeypatch.setattr(jackknifing, "train_tagger", lambda *_, **__: pytest.fail("trained again"))
    same_tagger, same_tags = store(tmp_path).load()
    assert same_tags == tags
    assert same_tagger.tag(WORDS) == tagger.tag(WORDS)


def test_tags_of_other_sentences_vectors_folds_or_seeds_are_kept_apart(tmp_path):
    table = np.zeros((2, 3), dtype=np.float32)
    other = np.ones((2, 3), dtype=np.float32)
    stores = [
        store(tmp_path),
        store(tmp_path, SENTENCES[:-1]),
        store(tmp_path, seed=2),
        store(tmp_path, folds=2),
        store(tmp_path, vectors=Vectors(["dog"], table)),
        store(tmp_path, vectors=Vectors(["dog"], other)),
    ]
    assert len({each.folder for each in stores}) == len(stores)
    assert store(tmp_path, device="cuda").folder == stores[0].folder


def test_a_damaged_tagger_is_an_error(tmp_path):
    damaged = store(tmp_path)
    damaged.load()
    (weights,) = damaged.folder.glob("*.safetensors")
    weights.write_bytes(weights.read_bytes()[:-8])
    with pytest.raises(ModelError, match="damaged"):
        store(tmp_path).load()


@pytest.mark.parametrize("name", ["fold-2.json", "tagger.json"])
@pytest.mark.parametrize("text", ["", "[", "3", "{}", '[["NN"]]'])
def test_a_damaged_part_is_an_error_that_says_what_to_do(tmp_path, name, text):
    damaged = store(tmp_path)
    damaged.load()
    (damaged.folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=f"{name} is damaged: .*; delete it"):
        store(tmp_path).load()


def test_a_run_with_shared_tags_is_one_with_its_own(tmp_path):
    (tmp_path / "trees.txt").write_text(
        "".join(f"(TOP {tree})\n" for tree in GOLD), encoding="utf-8"
    )
    small = ["model.input_dim=16", "model.hidden_dim=16", "data.folds=2", "training.epochs=1"]
    recipe = Recipe().override(
        [*(f"data.{part}={tmp_path / 'trees.txt'}" for part in ("train", "dev")), *small]
    )
    train(recipe, tmp_path / "own")
    shared = recipe.override([f"data.tagging={tmp_path / 'tags'}"])
    train(shared, tmp_path / "first")
    (folder,) = (tmp_path / "tags").iterdir()
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    train(shared, tmp_path / "second")
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    names = {
        json.loads((tmp_path / name / "model.json").read_text(encoding="utf-8"))["weights"]
        for name in ("own", "first", "second")
    }
    assert len(names) == 1  # a file of weights, the tagger's among them, is named after its content
    assert [path.name for path in (tmp_path / "own" / "tags").iterdir()] == [folder.name]
    train(shared.override(["training.seed=9"]), tmp_path / "third")
    assert len(list((tmp_path / "tags").iterdir())) == 1  # another parser, the same tags
