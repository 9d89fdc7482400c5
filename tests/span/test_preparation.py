"""Samples of many trees at once are those that one derivation at a time gives."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.spans import gold_sample, make_learner, span_recipe, tiny_encoder, write_treebank
from tests.strategies import trees
from whorl.errors import OracleError
from whorl.lexicon.characters import Characters
from whorl.lexicon.tags import Tags
from whorl.lexicon.words import Words
from whorl.span import preparation
from whorl.span.preparation import make_samples
from whorl.span.setup import span_learner
from whorl.span.vocabulary import SpanVocabulary
from whorl.training import reading
from whorl.training.packed import Names, TrainingTrees, pack_trees
from whorl.trees import strip_root

CAPITALS = "(S (NP (NNP RAIN) (NNP “STOPS”)) (VP (VBZ ENDS) (NP (CD 2) (NNS GAMES))) (. .))\n"


def assert_equal(sample, other):
    for one, two in ((sample.sentence, other.sentence), (sample, other)):
        for name in one.__slots__:
            value, expected = getattr(one, name), getattr(two, name)
            if isinstance(value, np.ndarray):
                assert value.dtype == expected.dtype, name
                np.testing.assert_array_equal(value, expected, err_msg=name)
            elif name == "treebank":
                assert value == expected


def check(learner, mix):
    vocabulary = learner.vocabulary
    sources = mix.train.sources or [None] * len(mix.train)
    assert len(learner.samples) == len(mix.train) > 0
    for place, tree in enumerate(mix.train):
        expected = gold_sample(vocabulary, strip_root(tree), sources[place])
        assert_equal(learner.samples[place], expected)
    sentences = [tree.words() for tree in mix.train]
    if vocabulary.words is not None:
        words = Words.of(sentences, limit=0)
        assert vocabulary.words.words == words.words
        assert vocabulary.words.singletons == words.singletons
    if vocabulary.characters is not None:
        characters = Characters.of(word for words in sentences for word in words)
        assert vocabulary.characters.characters == characters.characters


@pytest.mark.parametrize("block", [1, 2, 4096])
@pytest.mark.parametrize("parts", [[], ["span.word_dim=0"], ["span.character_dim=0"]])
def test_a_treebank(tmp_path, monkeypatch, block, parts):
    monkeypatch.setattr(preparation, "_BLOCK", block)
    check(*make_learner(tmp_path, *parts))


@pytest.mark.parametrize("longest", [500, 6, 1])
def test_pieces_in_one_chunk_or_several(tmp_path, monkeypatch, longest):
    monkeypatch.setattr("whorl.span.setup.LONGEST", longest)
    learner, mix = make_learner(tmp_path, f"span.encoder={tiny_encoder(tmp_path)}")
    assert learner.vocabulary.longest == longest
    check(learner, mix)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_mix_with_capitals(tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(reading, "PER_WORKER", 1)
    trees = write_treebank(tmp_path)
    with trees.open("a", encoding="utf-8") as file:
        file.write(CAPITALS)
    bank = {"train": str(trees), "dev": str(trees)}
    recipe = span_recipe(trees, "data.train=", "data.dev=", "data.lower_capitals=true")
    tables = recipe.to_dict()
    tables["treebank"] = [
        {"name": "one", **bank, "recased": 0.5},
        {"name": "two", **bank, "typos": 1.0},
        {"name": "three", **bank, "convention": "one"},
    ]
    learner, mix = span_learner(type(recipe).from_dict(tables), jobs=jobs)
    check(learner, mix)
    assert Counter(sample.sentence.treebank for sample in learner.samples) == {1: 14, 2: 7}


@settings(deadline=None)
@given(st.lists(trees(), min_size=1, max_size=5))
def test_any_trees(treebank):
    names = Names()
    packed = TrainingTrees(names, [("", names.adopt(pack_trees(treebank)))])
    vocabulary = SpanVocabulary(sorted(packed.label_counts()), Tags(packed.tag_counts()), [])
    for sample, tree in zip(make_samples(vocabulary, packed), treebank, strict=True):
        assert_equal(sample, gold_sample(vocabulary, strip_root(tree)))


def test_a_chain_that_the_system_cannot_build_is_named(tmp_path):
    chain = "(S " * 9 + "(NN x)" + ")" * 9
    trees = write_treebank(tmp_path, text=f"(S (NN a))\n{chain}\n{chain.replace('x', 'y')}\n")
    message = f"a unary chain is longer than 8, which the system cannot build: {chain}"
    with pytest.raises(OracleError) as raised:
        span_learner(span_recipe(trees))
    assert str(raised.value) == message
