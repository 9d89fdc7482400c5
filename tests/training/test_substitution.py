"""Trees made by substitution: phrases of the treebank in the places of others like them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parsers import GOLD
from tests.spans import span_recipe, write_treebank
from tests.strategies import trees
from whorl.errors import RecipeError
from whorl.span.setup import span_learner
from whorl.training import sources
from whorl.training.packed import Names, TrainingTrees, pack_trees
from whorl.training.recipe import Recipe
from whorl.training.run import train
from whorl.training.sources import read_mix
from whorl.training.substitution import substitute
from whorl.trees import Leaf, read_tree

TREEBANK = [
    read_tree("(TOP (S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a) (NN dog)))))"),
    read_tree(
        "(TOP (S (NP (PRP it)) (VP (VBZ eats) (NP (NNS mice) (CC and) (NNS rats)) (RB now))))"
    ),
]


def substituted(treebank, copies=3, seed=1):
    names = Names()
    packed = names.adopt(pack_trees(treebank))
    new = substitute(packed, copies, np.random.default_rng(seed))
    return list(TrainingTrees(names, [("", new)]))


def edges(tree):
    """Return each label with that above it, and each word with its tag."""
    pairs = set()
    pending = [("", tree)]
    while pending:
        above, node = pending.pop()
        if isinstance(node, Leaf):
            pairs.add((node.tag, node.word))
        else:
            pairs.add((above, node.label))
            pending += [(node.label, child) for child in node.children]
    return pairs


def longest_chain(tree):
    longest = 0
    pending = [(0, tree)]
    while pending:
        chain, node = pending.pop()
        longest = max(longest, chain)
        if not isinstance(node, Leaf):
            chain = chain + 1 if len(node.children) == 1 else 0
            pending += [(chain, child) for child in node.children]
    return longest


@given(st.lists(trees(), max_size=6), st.integers(1, 3), st.integers(0, 1000))
def test_new_trees_are_made_of_what_the_treebank_has(treebank, copies, seed):
    new = substituted(treebank, copies, seed)
    assert len(new) == copies * len(treebank)
    assert [tree.label for tree in new] == copies * [tree.label for tree in treebank]
    seen = set().union(*map(edges, treebank))
    chains = max(map(longest_chain, treebank), default=0)
    for tree in new:
        assert edges(tree) <= seen
        assert longest_chain(tree) <= chains


def test_phrases_change_places_with_others_of_their_label_parent_and_length():
    new = substituted(TREEBANK, copies=50)
    bare = {str(tree) for tree in new}
    cat, mice = map(str, TREEBANK)
    # Objects have two or three words, which is about as long; subjects have one and two.
    assert bare == {
        cat,
        mice,
        cat.replace("(DT a) (NN dog)", "(NNS mice) (CC and) (NNS rats)"),
        mice.replace("(NNS mice) (CC and) (NNS rats)", "(DT a) (NN dog)"),
    } - {cat, mice}


def test_the_seed_decides_and_copies_differ():
    treebank = [*TREEBANK, *GOLD] * 3
    new = substituted(treebank, copies=2)
    assert new == substituted(treebank, copies=2)
    assert new != substituted(treebank, copies=2, seed=2)
    assert new[: len(treebank)] != new[len(treebank) :]


def test_a_recipe_adds_trees_to_an_epoch_but_no_counts_of_words(tmp_path):
    gold = write_treebank(tmp_path)
    plain = span_recipe(gold)
    recipe = plain.override(["training.substitution=0.5", "training.epochs=4"])
    mix, without = read_mix(recipe), read_mix(plain)
    assert list(mix.train) == list(without.train)
    assert mix.train.word_counts() == without.train.word_counts()
    assert len(mix.substituted) == 2 * len(GOLD)
    assert not without.substituted
    numbers = mix.shares.numbers(np.random.default_rng(1))
    assert numbers[: len(GOLD)] == list(range(len(GOLD)))
    others = numbers[len(GOLD) :]
    assert len(others) == len(set(others)) == round(0.5 * len(GOLD))
    assert all(len(GOLD) <= number < 3 * len(GOLD) for number in others)
    learner, _ = span_learner(recipe)
    expected, _ = span_learner(plain)
    assert learner.vocabulary.words.singletons == expected.vocabulary.words.singletons
    assert len(learner.samples) == 3 * len(GOLD)


def test_memory_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "_MOST_SUBSTITUTED", 2 * len(GOLD))
    recipe = span_recipe(write_treebank(tmp_path), "training.substitution=1", "training.epochs=9")
    mix = read_mix(recipe)
    assert len(mix.substituted) == 2 * len(GOLD)
    assert len(mix.shares.numbers(np.random.default_rng(1))) == 2 * len(GOLD)


def test_silver_trees_are_left_as_they_are(tmp_path):
    gold = str(write_treebank(tmp_path))
    bank = {"train": gold, "dev": gold}
    tables = {
        "model": {"network": "span"},
        "training": {"substitution": 1.0, "epochs": 1},
        "treebank": [{"name": "gold", **bank}, {"name": "silver", **bank, "convention": "gold"}],
    }
    mix = read_mix(Recipe.from_dict(tables))
    assert mix.substituted.parts == [("gold", len(GOLD))]


@pytest.mark.parametrize("general", [0.0, 1.0])
def test_a_treebank_may_have_a_number_of_its_own(tmp_path, general):
    gold = str(write_treebank(tmp_path))
    bank = {"train": gold, "dev": gold}
    tables = {
        "model": {"network": "span"},
        "training": {"substitution": general, "epochs": 1},
        "treebank": [{"name": "a", **bank}, {"name": "b", **bank, "substitution": 2.0}],
    }
    mix = read_mix(Recipe.from_dict(tables))
    expected = {"a": general * len(GOLD), "b": 2 * len(GOLD)}
    assert dict(mix.substituted.parts) == {name: n for name, n in expected.items() if n}


def test_a_network_learns_from_such_trees(tmp_path):
    gold = write_treebank(tmp_path)
    recipe = span_recipe(gold, "training.substitution=1")
    assert train(recipe, tmp_path / "model").best > 90


def test_only_the_span_network_knows_substitution(tmp_path):
    gold = write_treebank(tmp_path)
    recipe = Recipe().override(
        [f"data.train={gold}", f"data.dev={gold}", "training.substitution=1"]
    )
    with pytest.raises(RecipeError, match=r"training\.substitution is for the span network"):
        train(recipe, tmp_path / "model")
