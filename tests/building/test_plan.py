"""The settings that are chosen from the trees."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from whorl.building.plan import Choice, CorpusFacts, choose_settings, make_recipe, overridden
from whorl.building.request import BuildRequest, NamedPath
from whorl.building.silver import SilverTrees
from whorl.building.treebanks import TreebankParts
from whorl.trees import read_tree

FACTS = CorpusFacts(trees=8000, tokens=150_000, words=17_000, cased=True)
REQUEST = BuildRequest.of(["trees.txt"])


def with_silver(trees):
    silver = SilverTrees("", "silver", 0.9, trees, trees)
    return replace(FACTS, treebanks=(("", FACTS.trees),), silver=(silver,))


def values(facts=FACTS, request=REQUEST, gpu=False):
    return {choice.key: choice.value for choice in choose_settings(facts, request, gpu=gpu)}


@given(
    st.builds(
        CorpusFacts,
        trees=st.integers(20, 100_000),
        tokens=st.integers(20, 10**7),
        words=st.integers(1, 10**6),
        cased=st.booleans(),
        frequent=st.integers(0, 10**5),
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


@pytest.mark.parametrize(
    ("frequent", "options", "source"),
    [
        (200, {}, "the training trees"),
        (199, {}, None),
        (199, {"text": ["raw.txt"]}, "the text and the training trees"),
        (200, {"encoder": "encoder"}, "the training trees"),
        (199, {"encoder": "encoder"}, None),
        (200, {"encoder": "encoder", "text": ["raw.txt"]}, "the text and the training trees"),
        (200, {"vectors": "own.txt"}, None),
    ],
)
def test_vectors_are_learnt_where_there_are_words_enough(frequent, options, source):
    request = BuildRequest.of(["trees.txt"], **options)
    choices = choose_settings(replace(FACTS, frequent=frequent), request, gpu=False)
    reasons = {choice.key: choice.reason for choice in choices}
    if source is None:
        assert "data.vectors" not in reasons
    else:
        assert reasons["data.vectors"].startswith(f"learnt from {source}")


def test_a_gpu_is_used_if_there_is_one_unless_the_user_says_otherwise():
    assert values(gpu=True)["training.device"] == "cuda"
    assert values()["training.device"] == "cpu"
    assert values(request=replace(REQUEST, device="cpu"), gpu=True)["training.device"] == "cpu"


def test_the_vocabulary_is_limited():
    assert values(replace(FACTS, words=90_000))["span.word_limit"] == 30_000
    assert values()["span.word_limit"] == 17_000


def test_an_encoder_that_is_trained_further_brings_no_vectors_of_the_trees_own():
    facts = replace(FACTS, trees=20_000, frequent=200)
    assert "data.vectors" in values(facts)
    assert "data.vectors" not in values(facts, replace(REQUEST, encoder="e"))


def test_an_encoder_needs_fewer_sentences_fewer_words_and_fewer_vectors():
    encoder = replace(REQUEST, encoder="e")
    chosen = values(request=encoder)
    assert chosen["span.lstm_layers"] == 2
    assert chosen["span.word_dim"] == 64
    assert chosen["span.word_limit"] == 10_000
    without = values()
    assert chosen["training.substitution"] == without["training.substitution"] == 2
    assert chosen["training.epochs"] == 6 < without["training.epochs"]
    epochs = [
        values(replace(FACTS, trees=trees), encoder)["training.epochs"]
        for trees in (4000, 20_000, 58_000)
    ]
    assert epochs == [12, 5, 3]
    text = values(request=replace(encoder, text=(NamedPath("", "raw.txt"),)))
    assert text["span.vector_limit"] == 30_000
    assert values(replace(FACTS, words=9000), encoder)["span.word_limit"] == 9000
    assert values(with_silver(2000), encoder)["span.word_limit"] == 10_000
    assert values(replace(with_silver(2000), words=9000), encoder)["span.word_limit"] == 10_000
    assert values(with_silver(2000))["span.word_limit"] == 20_000


def test_few_trees_are_read_with_copies_in_which_phrases_have_changed_places():
    few, enough = values(), values(replace(FACTS, trees=20_000))
    assert few["training.substitution"] == 2
    assert enough["training.substitution"] == 0
    assert few["training.epochs"] * 3 * 8000 == pytest.approx(200_000, rel=0.1)
    assert enough["training.epochs"] * 20_000 == 200_000
    encoder = replace(REQUEST, encoder="e")
    assert "training.substitution" not in values(replace(FACTS, trees=20_000), encoder)


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


def test_small_treebanks_are_read_more_often_beside_large_ones():
    facts = replace(FACTS, trees=19_000, treebanks=(("a", 15_000), ("b", 3750), ("c", 250)))
    assert facts.weights() == {"a": 1.0, "b": 2.0, "c": 4.0}
    assert values(facts)["treebank.b.weight"] == 2.0
    assert not any(key.startswith("treebank") for key in values(replace(facts, treebanks=())))


def test_a_small_treebank_beside_a_large_one_is_read_with_copies_of_its_trees():
    facts = replace(FACTS, trees=64_000, treebanks=(("large", 60_000), ("small", 4000)))
    chosen = values(facts)
    assert chosen["training.substitution"] == 0
    assert chosen["treebank.small.substitution"] == 2
    assert chosen["treebank.small.weight"] == pytest.approx(facts.weights()["small"] / 3, abs=0.1)
    assert "treebank.large.substitution" not in chosen
    for others in ({"encoder": "e"}, {}):
        silver = with_silver(2000).silver if not others else ()
        without = values(replace(facts, silver=silver), replace(REQUEST, **others))
        assert "treebank.small.substitution" not in without
        assert without["treebank.small.weight"] == facts.weights()["small"]


@pytest.mark.parametrize(
    ("silver", "weight"), [(100, 1.0), (16_000, 1.0), (64_000, 4.0), (10**6, 10.0)]
)
def test_gold_trees_are_a_third_of_what_is_read_beside_silver_ones(silver, weight):
    facts = with_silver(silver)
    assert facts.weights() == {"": weight}
    assert facts.epoch == 8000 * weight + silver
    assert values(facts)["treebank.gold.weight"] == weight


def test_many_silver_trees_have_settings_of_their_own_and_few_do_not():
    few, many = values(with_silver(2000)), values(with_silver(500_000))
    assert few["training.batch"] == values()["training.batch"] < many["training.batch"]
    assert few["training.epochs"] > many["training.epochs"] == 2
    assert few["span.dropout"] == values()["span.dropout"] > many["span.dropout"]
    assert "training.encoder_rate" not in many
    encoder = replace(REQUEST, encoder="e")
    assert values(with_silver(500_000), encoder)["training.encoder_rate"] == 0.0002


def test_few_trees_leave_an_encoder_as_it_is_unless_it_comes_from_the_library(tmp_path):
    (tmp_path / "config.json").touch()
    few, many = FACTS, replace(FACTS, trees=60_000)
    for facts, encoder, frozen in ((few, "e", True), (many, "e", False), (few, tmp_path, False)):
        chosen = values(facts, replace(REQUEST, encoder=str(encoder)))
        assert (chosen["training.encoder_rate"] == 0) == frozen
        assert chosen.get("span.encoder_mix", False) == frozen


@pytest.mark.parametrize(
    ("names", "silver", "expected"),
    [
        ([""], [""], [("gold", ""), ("silver", "gold")]),
        (["a"], ["a"], [("a", ""), ("silver-a", "a")]),
        (["a", "b.c"], ["b.c"], [("a", ""), ("b.c", ""), ("silver-b.c", "b.c")]),
    ],
)
def test_silver_trees_follow_the_convention_of_their_treebank(names, silver, expected):
    named = [NamedPath(name, "trees") for name in names]
    request = BuildRequest(
        train=tuple(named), silver=tuple(NamedPath(name, "silver") for name in silver)
    )
    facts = replace(
        FACTS,
        treebanks=tuple((name, 4000) for name in names),
        silver=tuple(SilverTrees(name, "silver", 0.9, 200, 300) for name in silver),
    )
    choices = choose_settings(facts, request, gpu=False)
    paths = {(n, p): f"{n}.{p}" for n in names for p in ("train", "dev")}
    recipe = make_recipe(choices, request, [TreebankParts(name, {}) for name in names], paths)
    assert [(source.name, source.convention) for source in recipe.treebank] == expected
    assert recipe.data.convention == expected[0][0]
    assert recipe.treebank[-1].least == 0.9
    assert overridden(choices, recipe) == choices
    key = f"treebank.{expected[-1][0]}.least"
    mine = replace(request, settings=(f"{key}=0.5",))
    recipe = make_recipe(choices, mine, [TreebankParts(name, {}) for name in names], paths)
    assert Choice(key, 0.5, "set by you") in overridden(choices, recipe)
