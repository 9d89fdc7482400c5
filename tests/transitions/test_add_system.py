"""A new transition system needs three things: a class, an entry in SYSTEMS, a static oracle."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from random import Random
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.transitions.walks import random_walk
from whorl.cli.transitions import SystemName
from whorl.errors import OracleError, RecipeError, TransitionError
from whorl.oracles import UNFOLDINGS, static_oracle
from whorl.training.recipe import Recipe
from whorl.transitions import (
    SHIFT,
    SYSTEMS,
    Effect,
    Inventory,
    Kind,
    Marker,
    OpenPhrase,
    State,
    System,
    Transition,
    make_system,
)
from whorl.transitions.base import innermost_open, make_phrase
from whorl.trees import HeadRules, Leaf, Node, Tree

OPEN = Transition("OPEN")


def close(label: str) -> Transition:
    return Transition("CLOSE", label)


class LabelLast(System):
    """Open a phrase without a label, and choose the label when closing it."""

    name: ClassVar[str] = "labellast"
    phrase_names: ClassVar[tuple[str, ...]] = ("CLOSE",)
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "OPEN")
    max_open: ClassVar[int] = 40  # more than a random tree opens at one word

    def legal(self, state: State) -> list[Transition]:
        transitions = [SHIFT, OPEN, *map(close, self.labels)]
        return [transition for transition in transitions if self.is_legal(state, transition)]

    def is_legal(self, state: State, transition: Transition) -> bool:
        stack = state.stack
        if transition == OPEN:
            return not state.exhausted and (stack is None or stack.chain < self.max_open)
        if stack is None or not stack.opens:
            return False
        if transition == SHIFT:
            return not state.exhausted
        complete = type(stack.item) is not OpenPhrase and (stack.opens > 1 or state.exhausted)
        return complete and transition.name == "CLOSE" and transition.label is not None

    def next(self, state: State, transition: Transition) -> State:
        if transition == SHIFT:
            return state.shifted()
        if transition.label is None:
            opened_here = 0 if state.stack is None else state.stack.chain
            return state.pushed(OpenPhrase("", state.buffer), state.stack, opened_here + 1)
        _, children, below = innermost_open(state.stack)
        return state.pushed(make_phrase(transition.label, tuple(children)), below)

    def effect(self, state: State, transition: Transition) -> Effect:
        if transition.label is None:
            return Effect(Kind.SHIFT if transition == SHIFT else Kind.OPEN, transition.label)
        _, children, _ = innermost_open(state.stack)
        return Effect(Kind.REDUCE, transition.label, len(children), Marker.BEFORE_CHILDREN)

    def signature(self, state: State) -> Hashable:
        return tuple(self.is_legal(state, t) for t in (SHIFT, OPEN, close("X")))

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        return [SHIFT, OPEN]

    def is_final(self, state: State) -> bool:
        return state.is_single_phrase


def unfold(node: Tree, heads: HeadRules) -> list[Node | Transition]:
    return [OPEN, *node.children, close(node.label)]


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SYSTEMS, LabelLast.name, LabelLast)
        patch.setitem(UNFOLDINGS, LabelLast.name, unfold)
        yield


@given(strategies.trees())
def test_a_registered_system_builds_every_tree_from_its_static_oracle(tree):
    transitions = static_oracle(tree, "labellast")
    assert make_system("labellast").run(tree.leaves(), transitions) == tree
    phrases = len(list(tree.phrases()))
    assert len(transitions) == len(tree.leaves()) + 2 * phrases


@given(strategies.trees(), st.integers(0, 1 << 32).map(Random))
def test_an_inventory_of_a_registered_system_has_no_dead_end(tree, random):
    inventory = Inventory.of(make_system("labellast"), [static_oracle(tree, "labellast")])
    names = inventory.to_list()
    assert Inventory.from_list(make_system("labellast"), names).transitions == inventory.transitions
    labels = [t.label for t in inventory.transitions if t.label is not None]
    system = make_system("labellast", labels)
    for state in random_walk(system, system.initial(tree.leaves()), random):
        if not system.is_final(state):
            assert any(inventory.masks[inventory.mask_number(state)])


def test_messages_list_a_registered_system():
    with pytest.raises(TransitionError, match="inorder, labellast"):
        make_system("swap")
    with pytest.raises(OracleError, match="inorder, labellast"):
        static_oracle(Tree("S", [Leaf("T", "a")]), "swap")


def test_the_command_line_and_recipes_take_their_systems_from_the_registry():
    built_in = [name for name in SYSTEMS if name != LabelLast.name]
    assert [system.value for system in SystemName] == built_in
    with pytest.raises(RecipeError, match=", ".join(built_in)):
        Recipe.from_dict({"model": {"system": "swap"}})
