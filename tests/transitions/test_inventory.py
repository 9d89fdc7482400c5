"""Inventories: numbered transitions, correct masks, and no dead ends even from one tree."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from whorl.errors import TransitionError
from whorl.oracles import static_oracle
from whorl.transitions import SYSTEMS, Inventory, make_system
from whorl.trees import Leaf, Tree, read_tree

NAMES = list(SYSTEMS)


@given(
    strategies.trees_without_stars(),
    st.sampled_from(NAMES),
    st.integers(1, 9),
    st.randoms(use_true_random=False),
)
def test_an_inventory_of_one_tree_parses_any_number_of_words(
    tree: Tree, name: str, words: int, random: Random
) -> None:
    inventory = Inventory.of(make_system(name), [static_oracle(tree, name)])
    system = inventory.system
    state = system.initial([Leaf("T", "w")] * words)
    while not system.is_final(state):
        mask = inventory.masks[inventory.mask_number(state)]
        legal = [t for t, allowed in zip(inventory.transitions, mask, strict=True) if allowed]
        assert legal == [t for t in inventory.transitions if system.is_legal(state, t)]
        state = system.apply(state, random.choice(legal))
    assert system.tree(state).right == words


@given(strategies.trees_without_stars(), st.sampled_from(NAMES))
def test_inventories_are_written_and_read_back(tree: Tree, name: str) -> None:
    inventory = Inventory.of(make_system(name), [static_oracle(tree, name)])
    again = Inventory.from_list(make_system(name), inventory.to_list())
    assert again.transitions == inventory.transitions
    assert again.index == inventory.index


def test_an_inventory_needs_transitions() -> None:
    with pytest.raises(TransitionError, match="treebank is empty"):
        Inventory.of(make_system("nonbinary"), [])


@pytest.mark.parametrize("name", NAMES)
def test_threads_that_meet_new_states_at_once_agree_on_mask_numbers(name):
    tree = read_tree("(S (A (a b) (B (a b))) (C (D (a b) (a b)) (a b)))")
    inventory = Inventory.of(make_system(name), [static_oracle(tree, name)])
    start = threading.Barrier(8)

    def walk(seed: int) -> bool:
        random = Random(seed)
        start.wait()
        for words in range(1, 12):
            state = inventory.system.initial([Leaf("T", "w")] * words)
            while not inventory.system.is_final(state):
                mask = inventory.masks[inventory.mask_number(state)]
                if mask != tuple(
                    inventory.system.is_legal(state, t) for t in inventory.transitions
                ):
                    return False
                legal = [
                    t for t, allowed in zip(inventory.transitions, mask, strict=True) if allowed
                ]
                state = inventory.system.apply(state, random.choice(legal))
        return True

    inventory._known = _Hesitant()
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(walk, range(8)))


class _Hesitant(dict):
    """Lets other threads run first, like a thread switch at the worst moment."""

    def setdefault(self, key, default=None):
        time.sleep(0.001)
        return super().setdefault(key, default)
