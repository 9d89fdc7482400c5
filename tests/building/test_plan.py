"""The settings that are chosen from the trees."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from whorl.building.plan import CorpusFacts, choose_settings, make_recipe, overridden
from whorl.building.request import BuildRequest
from whorl.building.treebanks import TreebankParts
from whorl.trees import read_tree

FACTS = CorpusFacts(trees=8000, tokens=150_000, words=17_000, cased=True)
REQUEST = BuildRequest.of(["trees.txt"])


def values(facts=FACTS, request=REQUEST, gpu=False):
    return {choice.key: choice.value for choice in choose_settings(facts, request, gpu=gpu)}


@given(
    st.builds(
        CorpusFacts,
        trees=st.integers(20, 100_000),
        tokens=st.integers(20, 10**7),
        words=st.integers(1, 10**6),
        cased=st.booleans(),
    ),
    st.booleans(),
)
def test_every_choice_is_a_setting_of_a_recipe_and_says_why(facts, gpu):
    treebank = TreebankParts("", {})
    paths = {("", "train"): "train.txt", ("", "dev"): "dev.txt"}
    choices = choose_settings(facts, REQUEST, gpu=gpu)
    recipe = make_recipe(choices, REQUEST, [treebank], paths)
    assert overridden(choices, recipe) == choices
    assert all(choice.reason for choice in choices)


def test_fewer_trees_are_read_more_often_by_a_smaller_network_with_more_dropout():
    few, many = values(replace(FACTS, trees=1000)), values(replace(FACTS, trees=50_000))
    assert few["training.epochs"] > values()["training.epochs"] > many["training.epochs"]
    assert few["span.lstm_dim"] < many["span.lstm_dim"]
    assert few["span.dropout"] > many["span.dropout"]


def test_a_gpu_is_used_if_there_is_one_unless_the_user_says_otherwise():
    assert values(gpu=True)["training.device"] == "cuda"
    assert values()["training.device"] == "cpu"
    assert values(request=replace(REQUEST, device="cpu"), gpu=True)["training.device"] == "cpu"


def test_the_vocabulary_is_limited():
    assert values(replace(FACTS, words=90_000))["span.word_limit"] == 30_000
    assert values()["span.word_limit"] == 17_000


@pytest.mark.parametrize(
    ("word", "cased"),
    [("Hús", True), ("дом", True), ("房子", False), ("いえ", False), ("بيت", False)],
)
def test_capitals_matter_only_to_scripts_that_have_them(word, cased):
    treebank = TreebankParts("", {}, train=[read_tree(f"(S (N {word}) (P 1.))")])
    assert CorpusFacts.of([treebank]).cased == cased


def test_an_override_is_kept_and_marked():
    request = replace(REQUEST, settings=("span.lstm_dim=32", "training.seed=7"))
    choices = choose_settings(FACTS, request, gpu=False)
    paths = {("", "train"): "train.txt", ("", "dev"): "dev.txt"}
    recipe = make_recipe(choices, request, [TreebankParts("", {})], paths)
    marked = {c.key: (c.value, c.reason) for c in overridden(choices, recipe)}
    assert marked["span.lstm_dim"] == (32, "set by you")
    assert recipe.training.seed == 7


def test_each_of_several_treebanks_is_a_convention_and_the_first_is_the_default():
    request = BuildRequest.of(["modern=a", "old=b"])
    paths = {(n, p): f"{n}.{p}" for n in ("modern", "old") for p in ("train", "dev")}
    treebanks = [TreebankParts("modern", {}), TreebankParts("old", {})]
    choices = choose_settings(FACTS, request, gpu=False)
    recipe = make_recipe(choices, request, treebanks, paths)
    assert [(s.name, s.train, s.dev) for s in recipe.treebank] == [
        ("modern", "modern.train", "modern.dev"),
        ("old", "old.train", "old.dev"),
    ]
    assert recipe.data.convention == "modern"
