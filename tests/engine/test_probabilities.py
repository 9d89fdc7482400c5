"""What steps say about phrases, and the probabilities that come of it."""

from __future__ import annotations

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import trees
from whorl.engine import Calibration, Parse
from whorl.engine.calibration import features
from whorl.engine.evidence import Evidence, gather
from whorl.oracles import static_oracle
from whorl.transitions import make_system
from whorl.trees import add_root, read_tree

EVEN = Calibration(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def slowly(tree, steps):
    """The evidence by the transitions themselves."""
    system = make_system("nonbinary")
    found = {}
    stack = []
    for number, transition in enumerate(static_oracle(tree, "nonbinary")):
        if transition.label is not None:
            children = stack[-transition.arity :]
            del stack[-transition.arity :]
            first = children[0][0]
            inside = steps[first + 1 : number + 1]
            words = sum(part[2] for part in children)
            outside = steps[: first + 1] + steps[number + 1 :]
            left = children[0][1]
            found.setdefault((transition.label, left, left + words), []).append(
                Evidence(steps[number], min(inside), sum(outside), words, transition.arity)
            )
            stack.append((first, left, words))
        elif transition.name == "SHIFT":
            stack.append((number, sum(part[2] for part in stack), 1))
    assert system is not None
    return found


@given(trees(), st.data())
def test_evidence_is_that_of_the_transitions(tree, data):
    count = len(static_oracle(tree, "nonbinary"))
    steps = data.draw(st.lists(st.floats(-20, 0), min_size=count, max_size=count))
    found = gather(tree, steps)
    expected = slowly(tree, steps)
    for node, evidence in zip(tree.phrases(), found, strict=True):
        assert any(evidence == pytest.approx(other, abs=1e-6) for other in expected[node.span])
    rooted = gather(add_root(tree, "a root"), steps)
    assert rooted[0] is None
    assert rooted[1:] == found


def test_phrases_are_as_probable_as_their_reduces_unless_calibrated():
    tree = read_tree("(TOP (S (NP (PRP It)) (VP (VBZ works))))")
    logs = array("f", map(math.log, [1, 0.9, 0.8, 0.7, 0.6, 1]))
    parse = Parse(tree, sum(logs), logs)
    assert parse.probabilities() == pytest.approx([1, 0.6, 0.9, 0.7])
    assert parse.confidence == pytest.approx((0.6 + 0.9 + 0.7) / 3)
    bare = Parse(tree.children[0], sum(logs), logs)
    assert bare.probabilities() == parse.probabilities()[1:]
    assert bare.confidence == parse.confidence
    assert Parse(tree, sum(logs), logs, EVEN).probabilities() == [1, 0.5, 0.5, 0.5]
    unknown = Parse(tree, -1.0)
    assert (unknown.probabilities(), unknown.confidence) == (None, None)


@given(st.builds(Evidence, *[st.floats(-1e6, 0)] * 3, st.integers(1, 10**5), st.integers(1, 10**5)))
def test_probabilities_are_between_0_and_1_whatever_the_evidence(evidence):
    assert all(map(math.isfinite, features(evidence)))
    for sign in (-1, 1):
        assert 0 <= Calibration(*[sign * 5.0] * 6).probability(evidence) <= 1


def test_a_calibration_can_be_saved():
    calibration = Calibration(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
    assert Calibration.from_dict(calibration.to_dict()) == calibration
