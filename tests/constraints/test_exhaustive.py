"""Constraints on every tree of short sentences: two labels, up to four words."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from tests.constraints.satisfaction import allows, chains_of, random_constraints, satisfies
from tests.oracles.exhaustion import all_trees
from whorl.constraints import Constraint, Grammar, make_plan
from whorl.errors import ConstraintError
from whorl.transitions.constrained import ConstrainedNonBinary
from whorl.trees import Leaf, Tree

LABELS = ("A", "B")
ROOTS = (None, "R", "A")  # none, one that is no label, and one that is


class Space:
    """All trees over so many words, as numbers of the chains over their spans."""

    def __init__(self, words: int, max_unary: int) -> None:
        self.words = words
        self.max_unary = max_unary
        self.leaves = [Leaf("T", "w", position) for position in range(words)]
        self.spans = [(left, right) for right in range(1, words + 1) for left in range(right)]
        self.trees = all_trees(words, max_unary)
        numbers: dict[tuple[str, ...], int] = {(): 0}
        rows = []
        for tree in self.trees:
            chains = chains_of(tree)
            rows.append(
                [numbers.setdefault(chains.get(span, ()), len(numbers)) for span in self.spans]
            )
        self.numbers = np.array(rows, dtype=np.uint8)
        self.chains = list(numbers)

    def satisfying(self, constraints, root):
        """Return which trees satisfy the constraints."""
        right = np.ones(len(self.trees), dtype=bool)
        for column, span in enumerate(self.spans):
            table = [allows(span, chain, constraints, self.words, root) for chain in self.chains]
            right &= np.array(table)[self.numbers[:, column]]
        return right


SPACES = {}


def space(words, max_unary):
    if (words, max_unary) not in SPACES:
        SPACES[words, max_unary] = Space(words, max_unary)
    return SPACES[words, max_unary]


def plan_or_error(leaves, constraints, grammar):
    try:
        return make_plan(leaves, constraints, grammar)
    except ConstraintError as error:
        return error


def reachable_trees(system, leaves):
    """Return every tree that the system builds, and check that no state is a dead end."""
    trees, pending = [], [system.initial(leaves)]
    while pending:
        state = pending.pop()
        if system.is_final(state):
            trees.append(system.tree(state))
            continue
        legal = system.legal(state)
        assert legal, system.describe(state)
        pending += [system.apply(state, transition) for transition in legal]
    return trees


def count_trees(system, leaves):
    """Return how many trees the system builds; states of one signature are visited once."""
    counts = {}

    def count(state):
        key = system.signature(state)
        if key not in counts:
            legal = system.legal(state)
            assert legal, system.describe(state)
            steps = [system.next(state, transition) for transition in legal]
            counts[key] = sum(1 if system.is_final(step) else count(step) for step in steps)
        return counts[key]

    return count(system.initial(leaves))


def cases(seed, number, sizes):
    random = Random(seed)
    for _ in range(number):
        words, max_unary = random.choice(sizes)
        root = random.choice(ROOTS)
        names = (*LABELS, root) if root == "R" and random.random() < 0.3 else LABELS
        constraints = random_constraints(random, words, LABELS)
        if root in names[2:]:  # the model's own root, on all words
            constraints += [
                each
                for each in random_constraints(random, words, names)
                if "R" not in (each.names or ()) or (each.left, each.right) == (0, words)
            ]
        yield space(words, max_unary), constraints, Grammar(LABELS, root, max_unary)


def test_exactly_the_trees_that_satisfy_the_constraints_are_reachable(record_property):
    rejected = accepted = trees = 0
    for some, constraints, grammar in cases(1, 1500, [(1, 3), (2, 1), (2, 2), *[(3, 1)] * 5]):
        right = some.satisfying(constraints, grammar.root)
        plan = plan_or_error(some.leaves, constraints, grammar)
        if isinstance(plan, ConstraintError):
            assert not right.any(), (constraints, grammar, plan)
            rejected += 1
            continue
        assert right.any(), (constraints, grammar)
        system = ConstrainedNonBinary(LABELS, plan, max_unary=grammar.max_unary)
        count = int(right.sum())
        if count > 300:  # too many to compare one by one
            assert count_trees(system, some.leaves) == count
            continue
        found = reachable_trees(system, some.leaves)
        expected = [tree for tree, is_right in zip(some.trees, right, strict=True) if is_right]
        assert len(found) == len(set(found)) == len(expected), (constraints, grammar)
        assert set(found) == set(expected)
        assert all(satisfies(tree, constraints, grammar.root) for tree in found[:10])
        accepted, trees = accepted + 1, trees + len(found)
    assert rejected > 50
    assert accepted > 50
    record_property("checked", f"constraints: {accepted} sets reach exactly their {trees:,} trees")


def test_sets_on_four_words_are_rejected_exactly_when_no_tree_satisfies_them():
    outcomes = set()
    for some, constraints, grammar in cases(2, 400, [(4, 1)]):
        count = int(some.satisfying(constraints, grammar.root).sum())
        plan = plan_or_error(some.leaves, constraints, grammar)
        if isinstance(plan, ConstraintError):
            assert count == 0, (constraints, grammar, plan)
        else:
            system = ConstrainedNonBinary(LABELS, plan, max_unary=grammar.max_unary)
            assert count_trees(system, some.leaves) == count > 0, (constraints, grammar)
        outcomes.add(count > 0)
    assert outcomes == {True, False}


def test_an_error_names_constraints_that_conflict_and_none_that_does_not():
    conflicts = []
    for some, constraints, grammar in cases(3, 400, [(2, 1), (3, 1)]):
        error = plan_or_error(some.leaves, constraints, grammar)
        if not isinstance(error, ConstraintError):
            continue
        conflict = list(error.constraints)
        assert not some.satisfying(conflict, grammar.root).any()
        for number in range(len(conflict)):
            fewer = conflict[:number] + conflict[number + 1 :]
            assert some.satisfying(fewer, grammar.root).any(), (conflict, grammar)
        conflicts.append(len(conflict))
    assert {1, 2} <= set(conflicts)


@pytest.mark.parametrize("words", [1, 2, 3])
def test_the_constraints_of_a_tree_leave_that_tree(words):
    random = Random(words)
    some = space(words, 1)
    for tree in random.sample(some.trees, min(60, len(some.trees))):
        assert isinstance(tree, Tree)
        plan = make_plan(some.leaves, Constraint.of_tree(tree), Grammar(LABELS, None, 1))
        system = ConstrainedNonBinary(LABELS, plan, max_unary=1)
        assert reachable_trees(system, some.leaves) == [tree]
