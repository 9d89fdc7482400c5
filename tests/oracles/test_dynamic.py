"""The dynamic oracles are exact: proved by exhaustion over all small trees."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.oracles.exhaustion import (
    LABELS,
    Universe,
    all_trees,
    change,
    class_representatives,
    constituent_class,
    difference,
)
from whorl.errors import OracleError
from whorl.oracles import (
    DynamicOracle,
    InOrderOracle,
    NonBinaryOracle,
    TopDownOracle,
    dynamic_oracle,
)
from whorl.transitions import InOrder, NonBinary, System, TopDown
from whorl.trees import Tree, read_tree


def prove(
    system: System, words: int, golds: list[Tree], make: type[DynamicOracle], **bound: int
) -> int:
    """Check the loss of every state against brute force, for every gold tree."""
    universe = Universe(system, words)
    for gold in golds:
        oracle = make(gold, **bound)
        future = universe.least_losses(gold)
        for state, more in zip(universe.states, future, strict=True):
            assert oracle.loss(state) == difference(state, gold) + more, (str(gold), state.items())
    return len(golds) * len(universe.states)


def prove_optimal_sets(
    system: System, words: int, golds: list[Tree], make: type[DynamicOracle], **bound: int
) -> None:
    """Check the cost of every transition, and the sets of optimal ones."""
    universe = Universe(system, words)
    for gold in golds:
        oracle = make(gold, **bound)
        wanted = Counter(gold.spans())
        future = universe.least_losses(gold)
        for state, steps, here in zip(universe.states, universe.steps, future, strict=True):
            costs = {
                step.transition: future[step.target] + change(step, wanted) - here for step in steps
            }
            assert {t: oracle.cost(state, t) for t in costs} == costs, (str(gold), state.items())
            assert set(oracle.zero_cost(state)) == {t for t, cost in costs.items() if cost == 0}


def prove_costs(words: int, golds: list[Tree], max_unary: int) -> int:
    """Prove the non-binary oracle by `costs` only: every loss follows from the initial one."""
    universe = Universe(NonBinary(LABELS, max_unary=max_unary), words)
    checked = 0
    for gold in golds:
        future = universe.least_losses(gold)
        wanted = Counter(gold.spans())
        oracle = NonBinaryOracle(gold, max_unary=max_unary)
        assert (
            oracle.loss(universe.states[universe.start])
            == 0
            == wanted.total() + future[universe.start]
        )
        for state, steps, here in zip(universe.states, universe.steps, future, strict=True):
            costs = oracle.costs(state)
            free = 0
            for step in steps:
                cost = future[step.target] + change(step, wanted) - here
                assert costs.of(step.transition) == cost, (
                    str(gold),
                    state.items(),
                    step.transition,
                )
                free += cost == 0
            assert len(costs.free()) == free
            checked += 1
    return checked


@pytest.mark.parametrize(("words", "max_unary"), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_nonbinary_oracle_is_exact_for_every_tree(words, max_unary, record_property):
    golds = all_trees(words, max_unary)
    system = NonBinary(LABELS, max_unary=max_unary)
    states = prove(system, words, golds, NonBinaryOracle, max_unary=max_unary)
    prove_optimal_sets(system, words, golds[::29], NonBinaryOracle, max_unary=max_unary)
    record_property(
        "checked",
        f"nonbinary, {words} words, chains up to {max_unary}: "
        f"{len(golds)} trees, {states} states checked",
    )


@pytest.mark.parametrize(
    ("words", "max_unary", "shard"), [(3, 2, 0), (4, 1, 0), *((5, 1, i) for i in range(8))]
)
def test_nonbinary_costs_are_exact_for_every_class_of_trees(
    words, max_unary, shard, record_property
):
    golds = class_representatives(words, max_unary)[shard :: 8 if words == 5 else 1]
    states = prove_costs(words, golds, max_unary)
    record_property(
        "checked",
        f"nonbinary, {words} words, chains up to {max_unary}: "
        f"{len(golds)} classes, {states} states checked",
    )


@pytest.mark.parametrize(("words", "max_unary"), [(1, 2), (2, 1), (2, 2), (3, 1)])
def test_there_is_one_representative_per_class(words, max_unary):
    classes = {constituent_class(tree) for tree in all_trees(words, max_unary)}
    representatives = [constituent_class(tree) for tree in class_representatives(words, max_unary)]
    assert len(representatives) == len(set(representatives))
    assert set(representatives) == classes


@pytest.mark.parametrize(("words", "max_open"), [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2)])
def test_topdown_oracle_is_exact_for_every_tree(words, max_open, record_property):
    # Exchanging A and B everywhere changes nothing, so a root A is enough.
    golds = [
        tree
        for tree in all_trees(words, max_open)
        if tree.label == "A"
        and max(Counter(span.left for span in tree.spans()).values()) <= max_open
    ]
    system = TopDown(LABELS, max_open=max_open)
    states = prove(system, words, golds, TopDownOracle, max_open=max_open)
    prove_optimal_sets(system, words, golds[::29], TopDownOracle, max_open=max_open)
    record_property(
        "checked",
        f"topdown, {words} words, up to {max_open} opened: "
        f"{len(golds)} trees, {states} states checked",
    )


@pytest.mark.parametrize(("words", "max_unary"), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_inorder_oracle_is_exact_for_every_tree(words, max_unary, record_property):
    golds = [tree for tree in all_trees(words, max_unary) if tree.label == "A"]
    system = InOrder(LABELS, max_unary=max_unary)
    states = prove(system, words, golds, InOrderOracle, max_unary=max_unary)
    prove_optimal_sets(system, words, golds[::29], InOrderOracle, max_unary=max_unary)
    record_property(
        "checked",
        f"inorder, {words} words, chains up to {max_unary}: "
        f"{len(golds)} trees, {states} states checked",
    )


def test_gold_trees_beyond_the_bounds_are_rejected():
    tree = read_tree("(A (B (A (T w))))")
    with pytest.raises(OracleError, match="unary chain of 3"):
        NonBinaryOracle(tree, max_unary=2)
    with pytest.raises(OracleError, match="unary chain of 3"):
        InOrderOracle(tree, max_unary=2)
    with pytest.raises(OracleError, match="3 phrases begin at word 0"):
        TopDownOracle(tree, max_open=2)


def test_the_binary_system_has_no_dynamic_oracle():
    with pytest.raises(OracleError, match="no dynamic oracle for the 'binary' system"):
        dynamic_oracle(read_tree("(A (T w))"), "binary")
