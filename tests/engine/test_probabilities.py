"""The evidence that steps give for phrases, and the probabilities computed from it."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import trees
from whorl.engine import Calibration, Parse
from whorl.engine.calibration import features
from whorl.engine.evidence import Evidence, gather_evidence
from whorl.oracles import static_oracle
from whorl.trees import add_root, read_tree

EVEN = Calibration(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
TREE = read_tree("(TOP (S (NP (PRP It)) (VP (VBZ works))))")
LOGS = array("f", map(math.log, [1, 0.9, 0.8, 0.7, 0.6, 1]))


def evidence_by_transitions(tree, steps):
    """Return the evidence for the phrases of each span, innermost first, from the transitions."""
    by_span = defaultdict(list)
    stack = []  # of each node: its first step, its left edge, its number of words
    for number, transition in enumerate(static_oracle(tree, "nonbinary")):
        if transition.label is not None:
            children = stack[-transition.arity :]
            del stack[-transition.arity :]
            first, left, _ = children[0]
            words = sum(child[2] for child in children)
            inside = steps[first + 1 : number + 1]
            outside = steps[: first + 1] + steps[number + 1 :]
            size = words, transition.arity
            by_span[left, left + words].append(
                Evidence(steps[number], min(inside), sum(outside), *size, steps[number])
            )
            stack.append((first, left, words))
        elif transition.name == "SHIFT":
            stack.append((number, sum(node[2] for node in stack), 1))
    return by_span


@given(trees(), st.data())
def test_evidence_is_that_of_the_transitions(tree, data):
    count = len(static_oracle(tree, "nonbinary"))
    steps = data.draw(st.lists(st.floats(-20, 0), min_size=count, max_size=count))
    gathered = gather_evidence(tree, steps)
    expected = evidence_by_transitions(tree, steps)
    for node, evidence in zip(tree.phrases(), gathered, strict=True):
        outermost = expected[node.left, node.right].pop()  # parents come first
        assert evidence == pytest.approx(outermost, abs=1e-6)
    assert not any(expected.values())
    rooted = gather_evidence(add_root(tree, "a root"), steps)
    assert rooted[0] is None
    assert rooted[1:] == gathered


def test_evidence_of_the_example_in_the_docstring():
    steps = [-1.0, -2.0, -4.0, -8.0, -16.0, -32.0]
    assert gather_evidence(TREE.children[0], steps) == [
        Evidence(step=-16.0, weakest=-16.0, rest=-33.0, words=2, children=2, survival=-16.0),
        Evidence(step=-2.0, weakest=-2.0, rest=-61.0, words=1, children=1, survival=-2.0),
        Evidence(step=-8.0, weakest=-8.0, rest=-55.0, words=1, children=1, survival=-8.0),
    ]
    weak_shift = [-1.0, -2.0, -40.0, -8.0, -16.0, -32.0]
    assert [one.weakest for one in gather_evidence(TREE.children[0], weak_shift)] == [-40, -2, -8]


def test_phrases_are_as_probable_as_their_reduces_unless_calibrated():
    parse = Parse(TREE, sum(LOGS), LOGS)
    assert parse.probabilities() == pytest.approx([1, 0.6, 0.9, 0.7])
    assert parse.confidence == pytest.approx((0.6 + 0.9 + 0.7) / 3)
    bare = Parse(TREE.children[0], sum(LOGS), LOGS)
    assert bare.probabilities() == parse.probabilities()[1:]
    assert bare.confidence == parse.confidence
    assert Parse(TREE, sum(LOGS), LOGS, EVEN).probabilities() == [1, 0.5, 0.5, 0.5]
    unknown = Parse(TREE, -1.0)
    assert (unknown.probabilities(), unknown.confidence) == (None, None)


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        # log-odds of exp(-0.1) and exp(-2), log(0.001 + 0.5), log 4, log 3, log-odds of exp(-1)
        (
            Evidence(-0.1, -2.0, -0.5, 4, 3, -1.0),
            (2.252168, -1.854587, -0.691149, 1.386294, 1.098612, -0.541325),
        ),
        # a certain sentence: log-odds stop at exp(-0.000001), and log(0.001 + 0) is finite
        (Evidence(0.0, 0.0, 0.0, 1, 1, 0.0), (13.815510, 13.815510, -6.907755, 0, 0, 13.815510)),
        (
            Evidence(-1e-9, -1e-7, -1e-3, 2, 2, -1e-8),
            (13.815510, 13.815510, -6.214608, 0.693147, 0.693147, 13.815510),
        ),
    ],
)
def test_features_are_these_numbers(evidence, expected):
    assert features(evidence) == pytest.approx(expected, abs=1e-6)


def test_a_calibrated_probability_is_this_number():
    evidence = Evidence(-0.1, -2.0, -0.5, 4, 3, -1.0)
    calibration = Calibration(0.4, 0.3, -0.5, -0.2, 0.1, 0.05)
    assert calibration.probability(evidence) == pytest.approx(0.639379, abs=1e-6)
    with_survival = Calibration(0.4, 0.3, -0.5, -0.2, 0.1, 0.05, 0.8)
    # log-odds of 0.639379, and 0.8 of -0.541325
    assert with_survival.probability(evidence) == pytest.approx(0.534846, abs=1e-6)


def test_a_calibration_without_survival_needs_no_arities_and_gives_the_same_numbers():
    saved = {"step": 0.4, "weakest": 0.3, "rest": -0.5, "words": -0.2, "children": 0.1}
    calibration = Calibration.from_dict({**saved, "bias": 0.05})
    assert not calibration.needs_arities
    assert Calibration.from_dict({**saved, "bias": 0.05, "survival": 0.1}).needs_arities
    one, other = (Evidence(-0.1, -2.0, -0.5, 4, 3, survival) for survival in (-1e-9, -30.0))
    assert calibration.probability(one) == calibration.probability(other)


def ruled_out(lefts, buffer, phrase, arity):
    """Tell whether a transition makes it impossible to build a phrase later on."""
    left, right = phrase
    if arity == 0:
        return buffer == right
    return lefts[-arity] < left  # the phrase would cross the new item, or lie within it


def survival_by_definition(tree, steps, arities):
    """Return the survival of each phrase by span, innermost first, state by state."""
    transitions = static_oracle(tree, "nonbinary")
    states, lefts, buffer = [], [], 0  # before each step: left edges of the stack, buffer position
    begun = {}
    for number, transition in enumerate(transitions):
        states.append((list(lefts), buffer))
        if transition.label is not None:
            lefts[len(lefts) - transition.arity + 1 :] = []
        elif transition.name == "SHIFT":
            begun[buffer] = number
            lefts.append(buffer)
            buffer += 1
    survivals = defaultdict(list)
    for number, transition in enumerate(transitions):
        if transition.label is None:
            continue
        lefts, buffer = states[number]
        phrase = lefts[-transition.arity], buffer
        probability = 1.0
        for earlier in range(begun[phrase[0]] + 1, number):
            state = states[earlier]
            probability *= 1 - sum(
                mass
                for arity, mass in enumerate(arities[earlier])
                if ruled_out(*state, phrase, arity)
            )
        within = sum(arities[number][1 : transition.arity])
        probability *= math.exp(steps[number]) / (1 - within)
        survivals[phrase].append(probability)
    return survivals


@given(trees(), st.data())
def test_survival_is_the_probability_of_no_step_that_rules_a_phrase_out(tree, data):
    transitions = static_oracle(tree, "nonbinary")
    depth, arities, steps = 0, [], []
    for transition in transitions:
        taken = 0 if transition.label is None else transition.arity
        masses = [data.draw(st.integers(0, 5)) for _ in range(depth + 1)]
        masses[taken] += 1
        arities.append([mass / sum(masses) for mass in masses])
        steps.append(math.log(arities[-1][taken] * data.draw(st.floats(0.1, 1.0))))
        depth += 1 - taken if transition.label is not None or transition.name == "SHIFT" else 0
    scale = data.draw(st.sampled_from([1, 7.5]))  # only proportions count
    flat = [scale * mass for masses in arities for mass in masses]
    expected = survival_by_definition(tree, steps, arities)
    gathered = gather_evidence(add_root(tree, "a root"), steps, flat)
    for node, evidence in zip(tree.phrases(), gathered[1:], strict=True):
        outermost = expected[node.left, node.right].pop()
        assert math.exp(evidence.survival) == pytest.approx(outermost, abs=1e-9)


@given(
    st.builds(
        Evidence,
        *[st.floats(-1e6, 0)] * 3,
        st.integers(1, 10**5),
        st.integers(1, 10**5),
        st.floats(-1e6, 0),
    )
)
def test_probabilities_are_between_0_and_1_whatever_the_evidence(evidence):
    assert all(map(math.isfinite, features(evidence)))
    for sign in (-1, 1):
        assert 0 <= Calibration(*[sign * 5.0] * 7).probability(evidence) <= 1


def test_a_calibration_can_be_saved():
    calibration = Calibration(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    assert Calibration.from_dict(calibration.to_dict()) == calibration
