"""Trees as arrays, read by one process or several."""

from __future__ import annotations

import multiprocessing
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parsers import TEXT
from tests.strategies import chains, trees
from whorl.errors import BracketError, CorpusError, RecipeError, TreebankError
from whorl.training import reading
from whorl.training.packed import Names, TrainingTrees, TreeArrays, pack_trees
from whorl.training.reading import PER_WORKER, read_packed, workers_for
from whorl.training.recipe import Recipe
from whorl.training.sources import common_root, read_mix
from whorl.trees import map_words, strip_root

JOBS = (1, 2)


@pytest.fixture
def eager(monkeypatch):
    """Start workers for any number of trees, with a tree or two in each task."""
    monkeypatch.setattr(reading, "PER_WORKER", 1)
    monkeypatch.setattr(reading, "_CHUNK", 1)
    monkeypatch.setattr("whorl.trees.brackets._BLOCK", 1)


def unpacked(treebank, names=None):
    names = names or Names()
    return TrainingTrees(names, [("", names.adopt(pack_trees(treebank)))])


@given(st.lists(trees(), max_size=5))
def test_packed_trees_are_the_same_trees(treebank):
    packed = unpacked(treebank)
    assert list(packed) == treebank
    stripped = [strip_root(tree) for tree in treebank]
    assert [packed.stripped(n) for n in range(len(packed))] == stripped
    assert [packed.sentence(n) for n in range(len(packed))] == [t.words() for t in treebank]
    assert packed.word_counts() == Counter(word for tree in treebank for word in tree.words())
    assert packed.word_counts(first=True) == Counter(tree.words()[0] for tree in treebank)
    assert packed.tag_counts() == Counter(tag for tree in treebank for tag in tree.tags())
    labels = Counter(label for tree in stripped for label, _, _ in tree.spans())
    assert packed.label_counts() == labels
    if treebank:
        assert common_root(packed) == common_root(treebank)


@given(chains())
def test_depth_is_no_limit(tree):
    assert list(unpacked([tree])) == [tree]


@given(st.lists(st.tuples(trees(), st.booleans()), max_size=6))
def test_trees_are_selected_joined_and_change_their_words(pairs):
    names = Names()
    whole = names.adopt(pack_trees([tree for tree, _ in pairs]))
    kept = whole.select(np.array([kept for _, kept in pairs], dtype=np.bool_))
    joined = TreeArrays.join([kept, whole])
    expected = [tree for tree, kept in pairs if kept] + [tree for tree, _ in pairs]
    assert list(TrainingTrees(names, [("", joined)])) == expected
    changed = names.with_words(joined, {n: ["new"] * t.right for n, t in enumerate(expected[:2])})
    same = [map_words(tree, lambda _: "new") for tree in expected[:2]] + expected[2:]
    assert list(TrainingTrees(names, [("", changed)])) == same


def test_few_trees_are_read_without_other_processes(tmp_path, monkeypatch):
    small = tmp_path / "small.txt"
    small.write_text(TEXT, encoding="utf-8")
    assert workers_for([str(small)] * 9, 8) == 1
    assert workers_for([str(tmp_path / "missing")], 8) == 1
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(3 * PER_WORKER)
    assert [workers_for([str(file.name)], jobs) for jobs in (1, 2, 8)] == [1, 2, 3]
    monkeypatch.setattr(reading, "map_in_workers", None)
    recipe = Recipe().override([f"data.train={small}", f"data.dev={small}"])
    assert list(read_mix(recipe, jobs=8).train) == read_mix(recipe).dev.trees


@pytest.fixture
def tables(tmp_path):
    """A mix with everything that chooses or changes trees."""
    lines = [line for line in TEXT.splitlines() if line]
    for name in ("gold", "silver/a", "silver/b"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.with_suffix(".trees").write_text(
            "".join(f"(TOP {line})\n" for line in lines * 3), encoding="utf-8"
        )
        scores = "".join(f"{0.5 + number % 5 / 10}\n" for number in range(3 * len(lines)))
        path.with_suffix(".scores").write_text(scores)
        path.with_suffix(".docs").write_text("one\n" * len(lines) + "two\n" * 2 * len(lines))
    (tmp_path / "silver/c.trees").touch()
    (tmp_path / "silver/c.scores").touch()
    gold, silver = str(tmp_path / "gold.trees"), str(tmp_path / "silver")
    return {
        "data": {"splice": ["ADVP", "ADJP"]},
        "treebank": [
            {"name": "gold", "train": gold, "dev": gold, "exclude": ["o*"], "recased": 0.2},
            {"name": "silver", "train": silver, "convention": "gold", "least": 0.7, "typos": 0.9},
            {"name": "other", "train": gold, "lowered": 0.5, "chat": 0.5},
        ],
    }


def test_several_processes_read_what_one_reads(tables, eager):
    recipe = Recipe.from_dict(tables)
    one, several = (read_mix(recipe, jobs=jobs) for jobs in JOBS)
    assert len(one.train) > 30
    assert {label for tree in one.train for label, _, _ in tree.spans()}.isdisjoint(
        recipe.data.splice
    )
    assert list(one.train) == list(several.train)
    assert one.train.sources == several.train.sources
    assert (one.shares, one.dev) == (several.shares, several.dev)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("jobs", JOBS)
def test_the_first_error_in_the_order_of_the_trees_is_raised(tables, tmp_path, jobs, eager):
    def error(kind, match):
        with pytest.raises(kind, match=match):
            read_mix(Recipe.from_dict(tables), jobs=jobs)
        assert not multiprocessing.active_children()

    banks = tables["treebank"]
    banks[2]["train"] = str(tmp_path / "missing")
    error(TreebankError, "missing: no such file or folder")
    (tmp_path / "silver/b.scores").write_text("0.9\n")
    error(RecipeError, r"b\.scores has 1 lines where .*b\.trees has 18 trees")
    (tmp_path / "silver/b.scores").write_text("high\n")
    error(CorpusError, r"confidence scores .*b\.scores")
    with (tmp_path / "silver/a.trees").open("ab") as file:
        file.write(b"(S (NP (NN caf\xe9)))\n")
    error(BracketError, r"a\.trees:19:15: not UTF-8")
    (tmp_path / "silver/a.trees").write_text("(S (NP (NN a)))\n\n(S (NP (NN b))\n(S (NP (NN c)))\n")
    error(BracketError, r"a\.trees:3:1: unclosed bracket")
    banks[0]["exclude"] = ["nothing"]
    error(RecipeError, "matches 'nothing'")
    banks[0]["train"] = str(tmp_path / "empty.txt")
    (tmp_path / "empty.txt").touch()
    error(RecipeError, r"no trees in .*empty\.txt")


def test_workers_end_when_reading_is_given_up(tables, eager):
    paths = [bank["train"] for bank in tables["treebank"]]
    pieces = read_packed(paths, frozenset(), lambda _, __: None, workers=2)
    assert next(pieces).source == 0
    assert multiprocessing.active_children()
    pieces.close()
    assert not multiprocessing.active_children()
