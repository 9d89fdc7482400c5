"""From any state, following a dynamic oracle loses exactly the loss that it predicts."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.oracles.exhaustion import difference
from tests.transitions.walks import random_step
from tests.trees.treebanks import sample
from whorl.oracles import DynamicOracle, dynamic_oracle, static_oracle
from whorl.transitions import SYSTEMS, State
from whorl.trees import Tree, strip_root

NAMES = ["nonbinary", "topdown", "inorder"]
names = st.sampled_from(NAMES)
randoms = st.integers(0, 1 << 32).map(Random)


def start(gold: Tree, name: str) -> State:
    return SYSTEMS[name]().initial(gold.leaves())


def random_state(gold: Tree, name: str, steps: int, random: Random) -> State:
    """Return a state some random steps from the start, over gold labels and a wrong one."""
    system = SYSTEMS[name]([*sorted({label for label, _, _ in gold.spans()}), "no such label"])
    state = system.initial(gold.leaves())
    for _ in range(steps):
        if system.is_final(state):
            break
        state = system.apply(state, random_step(system, state, random))
    return state


def follow(oracle: DynamicOracle, state: State, random: Random) -> State:
    while not oracle.system.is_final(state):
        state = oracle.system.apply(state, random.choice(oracle.zero_cost(state)))
    assert oracle.zero_cost(state) == []
    return state


@given(strategies.trees(max_words=6), names, randoms)
def test_from_the_start_optimal_transitions_end_in_the_gold_constituents(
    gold: Tree, name: str, random: Random
) -> None:
    oracle = dynamic_oracle(gold, name)
    assert oracle.loss(start(gold, name)) == 0
    final = follow(oracle, start(gold, name), random)
    assert Counter(oracle.system.tree(final).spans()) == Counter(gold.spans())


@given(strategies.trees(max_words=6), names)
def test_the_static_oracles_transitions_are_optimal(gold: Tree, name: str) -> None:
    oracle, state = dynamic_oracle(gold, name), start(gold, name)
    for transition in static_oracle(gold, name):
        assert oracle.cost(state, transition) == 0
        assert transition in oracle.zero_cost(state)
        state = oracle.system.apply(state, transition)
    assert oracle.loss(state) == 0


@given(strategies.trees(max_words=6), names, st.integers(0, 25), randoms)
def test_after_a_random_prefix_optimal_transitions_lose_exactly_the_loss(
    gold: Tree, name: str, steps: int, random: Random
) -> None:
    oracle = dynamic_oracle(gold, name)
    state = random_state(gold, name, steps, random)
    assert difference(follow(oracle, state, random), gold) == oracle.loss(state)


@given(strategies.trees(max_words=6), names, st.integers(0, 15), randoms)
def test_costs_are_differences_of_losses(gold: Tree, name: str, steps: int, random: Random) -> None:
    oracle = dynamic_oracle(gold, name)
    state = random_state(gold, name, steps, random)
    system = SYSTEMS[name](sorted({label for label, _, _ in gold.spans()}))
    for transition in system.legal(state):
        cost = oracle.cost(state, transition)
        assert cost == oracle.loss(system.apply(state, transition)) - oracle.loss(state) >= 0
        assert (cost == 0) is (transition in oracle.zero_cost(state))


@pytest.mark.treebank
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "file", ["en/masc/dev.txt", "is/icepahc/dev.txt", "ja/keyaki-open/dev.txt"]
)
def test_optimal_transitions_lose_exactly_the_loss_on_real_trees(file: str, name: str) -> None:
    random = Random(file)
    golds = [tree for tree in map(strip_root, sample(file)) if 4 <= tree.right <= 20][:35]
    assert golds
    for gold in golds:
        oracle = dynamic_oracle(gold, name)
        final = follow(oracle, start(gold, name), random)
        assert Counter(oracle.system.tree(final).spans()) == Counter(gold.spans())
        state = random_state(gold, name, random.randrange(2 * gold.right), random)
        assert difference(follow(oracle, state, random), gold) == oracle.loss(state)
