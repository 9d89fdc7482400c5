"""Labels on one span may be exchanged, so the proofs need one gold tree per class."""

from __future__ import annotations

import pytest

from tests.oracles.exhaustion import LABELS, Universe, all_trees
from whorl.oracles import NonBinaryOracle, static_oracle
from whorl.transitions import FINISH, SHIFT, NonBinary, State, Transition
from whorl.trees import Node, Tree

OTHER = {"A": "B", "B": "A"}


def exchanged(node: Node, left: int, right: int) -> Node:
    """Return the node with A and B exchanged on that span."""
    if not isinstance(node, Tree):
        return node
    children = [exchanged(child, left, right) for child in node.children]
    return Tree(
        OTHER[node.label] if (node.left, node.right) == (left, right) else node.label, children
    )


@pytest.mark.parametrize(("words", "max_unary"), [(1, 2), (2, 1), (2, 2), (3, 1)])
def test_labels_on_one_span_may_be_exchanged(words, max_unary):
    system = NonBinary(LABELS, max_unary=max_unary)
    universe = Universe(system, words)
    spans = [(left, right) for left in range(words) for right in range(left + 1, words + 1)]
    checked = 0
    for number, gold in enumerate(
        all_trees(words, max_unary)[:: 7 if words == 3 or max_unary * words == 4 else 1]
    ):
        left, right = spans[number % len(spans)]
        oracle = NonBinaryOracle(gold, max_unary=max_unary)
        other = exchanged(gold, left, right)
        assert isinstance(other, Tree)
        twin = NonBinaryOracle(other, max_unary=max_unary)
        for state, steps in zip(universe.states, universe.steps, strict=True):
            mirrored = exchanged_state(system, state, left, right)
            assert twin.loss(mirrored) == oracle.loss(state)
            costs, mirrored_costs = oracle.costs(state), twin.costs(mirrored)
            for step in steps:
                transition = step.transition
                if step.built is not None and step.built[1:] == (left, right):
                    transition = Transition(
                        transition.name, OTHER[step.built.label], transition.arity
                    )
                assert mirrored_costs.of(transition) == costs.of(step.transition)
            checked += 1
    assert checked


def exchanged_state(system: NonBinary, state: State, left: int, right: int) -> State:
    """Rebuild the state with A and B exchanged on that span."""
    mirrored = system.initial(state.leaves)
    for item in reversed(state.items()):
        assert isinstance(item, Node)
        twin = exchanged(item, left, right)
        for transition in [SHIFT] if not isinstance(twin, Tree) else static_oracle(twin)[:-1]:
            mirrored = system.apply(mirrored, transition)
    return system.apply(mirrored, FINISH) if state.finished else mirrored
