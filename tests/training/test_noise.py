"""Noise in training trees: words change, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parsers import GOLD
from tests.spans import write_treebank
from tests.strategies import trees
from whorl.errors import RecipeError
from whorl.training.noise import CHAT, NOISES, add_noise, chat, typos
from whorl.training.recipe import Recipe
from whorl.training.sources import read_mix
from whorl.trees import map_words, read_tree, read_treebank

TREE = read_tree(
    "(S (NP (PRP You)) (VP (VBP know) (SBAR (IN because) (S (NP (PRP$ your) (NNS neighbours)) "
    "(VP (VBD remembered) (NP (PRP them)))))))"
)


def shape(tree):
    return map_words(tree, lambda _: "x")


@pytest.mark.parametrize("kind", NOISES)
@given(tree=trees(), seed=st.integers(0, 1000))
def test_only_words_change(kind, tree, seed):
    noisy = NOISES[kind](tree, np.random.default_rng(seed))
    assert shape(noisy) == shape(tree)
    assert all(noisy.words())


def test_chat_spelling_is_that_of_the_table_in_lower_case():
    seen = set()
    for seed in range(50):
        words = chat(TREE, np.random.default_rng(seed)).words()
        for word, written in zip(TREE.words(), words, strict=True):
            assert written == word.lower() or written in CHAT[word.lower()]
        seen.update(words)
    assert {"u", "ur", "'cause", "you", "neighbours"} <= seen


def test_typing_errors_are_small_and_never_in_the_first_letter():
    changed = 0
    for seed in range(100):
        words = typos(TREE, np.random.default_rng(seed)).words()
        for word, written in zip(TREE.words(), words, strict=True):
            assert written[0] == word[0]
            assert abs(len(written) - len(word)) <= 1
            if len(word) < 4:
                assert written == word
            changed += written != word
    assert 20 < changed < 120  # of 500 longer words


def test_shares_are_of_the_trees_and_the_seed_decides():
    gold = [map_words(TREE, str.upper)] * 40
    noisy = add_noise(gold, {"lowered": 0.25}, name="a", seed=1)
    assert sum(tree != TREE and tree == map_words(TREE, str.lower) for tree in noisy) == 10
    assert noisy == add_noise(gold, {"lowered": 0.25}, name="a", seed=1)
    assert noisy != add_noise(gold, {"lowered": 0.25}, name="a", seed=2)
    assert noisy != add_noise(gold, {"lowered": 0.25}, name="b", seed=1)
    assert add_noise(gold, {}, name="a", seed=1) == gold


def test_a_recipe_adds_noise_to_one_treebank_and_never_to_dev_trees(tmp_path):
    gold = write_treebank(tmp_path)
    bank = {"train": str(gold), "dev": str(gold)}
    tables = {"treebank": [{"name": "plain", **bank}, {"name": "noisy", **bank, "lowered": 1.0}]}
    trees = list(read_treebank(gold))
    assert len(trees) == len(GOLD)
    mix = read_mix(Recipe.from_dict(tables))
    assert list(mix.train) == trees + [map_words(tree, str.lower) for tree in trees]
    assert mix.dev.trees == 2 * trees
    tables["treebank"][1]["typos"] = 1.5
    with pytest.raises(RecipeError, match=r"treebank\.typos must be at least 0 and at most 1"):
        read_mix(Recipe.from_dict(tables))
