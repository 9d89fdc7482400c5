"""Constraints as data: made, written as JSON and read back; and the conflicts that are named."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.constraints.satisfaction import random_constraints
from tests.strategies import labels, trees
from whorl.constraints import Constraint, Grammar, make_plan
from whorl.errors import ConstraintError
from whorl.trees import Leaf, read_tree

WORDS = ["The", "public", "is", "still", "cautious", "."]
GRAMMAR = Grammar(("ADJP", "NP", "S", "VP"), "TOP", 2)
C = Constraint


@given(st.randoms(use_true_random=False), st.lists(labels, min_size=1, max_size=4, unique=True))
def test_constraints_survive_json_and_pickle(random, names):
    for constraint in [*random_constraints(random, 5, names), C.tag(3, names[0])]:
        assert C.from_dict(json.loads(json.dumps(constraint.to_dict()))) == constraint
        assert pickle.loads(pickle.dumps(constraint)) == constraint


def test_the_order_of_alternatives_does_not_matter_and_that_of_a_chain_does():
    assert C.span(0, 2, ["NP", "VP"]) == C.span(0, 2, {"VP", "NP"}) == C.span(0, 2, ("VP", "NP"))
    assert C.chain(0, 2, ["NP", "VP"]) != C.chain(0, 2, ["VP", "NP"])


def test_offsets_may_be_any_integers():
    assert C.span(np.int64(0), np.int32(2)) == C.span(0, 2)
    assert json.dumps(C.tag(np.int64(1), "NN").to_dict())


@given(trees())
def test_a_tree_becomes_constraints_on_its_chains_and_tags(tree):
    constraints = C.of_tree(tree)
    spans = [each for each in constraints if each.kind == "chain"]
    expected = [(label, left, right) for label, left, right in tree.spans() if label]
    assert [(n, c.left, c.right) for c in spans for n in c.names] == expected
    tags = [each.names[0] for each in constraints if each.kind == "tag"]
    assert tags == tree.tags()
    assert C.of_tree(tree, tags=False) == constraints[: len(constraints) - len(tags)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: C.span(2, 2), "begins before it ends, unlike 2:2"),
        (lambda: C.span(-1, 2), "0 or more, not -1"),
        (lambda: C.span(0, 1.5), "an integer, not 1.5"),
        (lambda: C.span(0, True), "an integer, not True"),
        (lambda: C.span(0, 1, []), "no labels"),
        (lambda: C.span(0, 1, ["NP", 3]), "not 3"),
        (lambda: C.chain(0, 1, []), "no labels"),
        (lambda: C.root(None), "a root needs a label"),
        (lambda: C.tag(0, "a b"), "'a b'"),
        (lambda: C.from_dict([1]), r"expected an object such as .*, not \[1\]"),
        (lambda: C.from_dict({"kind": "spam"}), "must be one of span, .*, not 'spam'"),
        (lambda: C.from_dict({"kind": "span", "left": 0}), "span needs 'right'"),
        (lambda: C.from_dict({"kind": "root", "labels": "S"}), "the keys label, not 'labels'"),
        (lambda: C.from_dict({"kind": "span", "left": 3, "right": 1}), "'left': 3.*unlike 3:1"),
        (lambda: C.from_dict({"kind": "chain", "left": 0, "right": 1, "labels": 5}), "not 5"),
    ],
)
def test_what_is_no_constraint_is_an_error_that_says_why(make, message):
    with pytest.raises(ConstraintError, match=message):
        make()


@pytest.mark.parametrize(
    ("constraints", "message", "count"),
    [
        ([C.span(1, 7)], "a phrase over words 1:7 .*: the sentence has 6 words", 1),
        ([C.tag(6, "NN")], "the tag NN at word 6: the sentence has 6 words", 1),
        ([C.span(0, 2, "XP")], "no label 'XP', only ADJP, NP, S, VP$", 1),
        ([C.not_span(0, 6, ["NP", "XP"])], "no label 'XP', only ADJP, NP, S, TOP, VP$", 1),
        ([C.root("XP")], "no label 'XP'", 1),
        ([C.span(1, 2, "TOP")], "no label 'TOP'", 1),
        (
            [C.span(1, 4), C.span(3, 4), C.span(0, 2, "NP")],
            "NP over words 0:2 'The public'.*cross",
            2,
        ),
        ([C.no_crossing(0, 2), C.chain(1, 3, ["VP"])], "the second crosses the first", 2),
        ([C.not_span(0, 2), C.root("S"), C.span(0, 2, "NP")], "satisfies both", 2),
        (
            [C.span(0, 2, ["NP", "VP"]), C.not_span(0, 2, ["NP", "S"]), C.not_span(0, 2, "VP")],
            "all",
            3,
        ),
        (
            [C.span(1, 2, label) for label in ("NP", "VP", "S")],
            "takes 3 .* at most 2 over one word",
            3,
        ),
        ([C.chain(0, 2, ["S"] * 4)], "takes 4 .* at most 3 over the same words", 1),
        ([C.chain(0, 2, ["S", "VP"]), C.chain(0, 2, ["VP", "S"])], "satisfies both", 2),
        ([C.only(0, 3), C.chain(0, 2, ["S"]), C.span(0, 2, "VP")], "satisfies both", 2),
        ([C.root("S"), C.root(["NP", "VP"])], "the root S and the root NP or VP", 2),
        ([C.root("S"), C.not_span(0, 6, "S"), C.span(0, 6, "NP")], "satisfies both", 2),
        ([C.not_span(0, 6)], "every tree has a phrase over all words", 1),
        ([C.not_span(0, 6, ["TOP", "S"])], "every tree of this model has the root TOP", 1),
        ([C.not_span(0, 6, GRAMMAR.labels)], "no label is left", 1),
        ([C.tag(2, "VBZ"), C.tag(2, "VBZ"), C.tag(2, "NN")], "at word 2 'is'.*one tag", 2),
    ],
)
def test_a_conflict_is_named(constraints, message, count):
    with pytest.raises(ConstraintError, match=message) as raised:
        make_plan(WORDS, constraints, GRAMMAR, source="c.jsonl:3")
    assert str(raised.value).startswith("c.jsonl:3: ")
    assert len(raised.value.constraints) == count
    assert set(raised.value.constraints) <= set(constraints)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.constraints) == (str(raised.value), raised.value.constraints)


def test_a_tag_must_agree_with_that_of_the_leaf():
    leaves = [Leaf("NN", "Rain")]
    assert make_plan(leaves, [C.tag(0, "NN")], GRAMMAR).tags == {0: "NN"}
    with pytest.raises(ConstraintError, match=r"the tag VB at word 0 'Rain': .* the tag NN"):
        make_plan(leaves, [C.tag(0, "VB")], GRAMMAR)


def test_the_root_of_the_model_counts_as_a_phrase_over_all_words():
    tree = read_tree("(TOP (S (NP (NNS Dogs)) (VP (VBP bark))))")
    plain = [C.span(left, right, label) for label, left, right in tree.spans()]
    for constraints in (plain, C.of_tree(tree), [C.root("TOP")], [C.root("S"), C.root("TOP")]):
        make_plan(tree.words(), constraints, GRAMMAR)
