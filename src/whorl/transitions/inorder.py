"""The in-order system of Liu and Zhang (2017): project a phrase after its first child."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from whorl.errors import TransitionError
from whorl.transitions import base
from whorl.transitions.base import FINISH, SHIFT, OpenPhrase, Stack, State, Transition
from whorl.transitions.effects import Effect, Kind, Marker
from whorl.trees import Node

__all__ = ["REDUCE", "InOrder", "pj"]

REDUCE = Transition("REDUCE")


def pj(label: str) -> Transition:
    """Return PJ-X: project a phrase over the topmost item, its first child."""
    return Transition("PJ", label)


class InOrder(base.UnaryBoundedSystem):
    """SHIFT, PJ-X, REDUCE and FINISH.

    On the stack a projected phrase lies above its first child and below the others. A projection
    that could only lead to more than `max_unary` unary phrases over one another is not legal.
    """

    name: ClassVar[str] = "inorder"
    phrase_names: ClassVar[tuple[str, ...]] = ("PJ",)
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "REDUCE", "FINISH")

    def legal(self, state: State) -> list[Transition]:
        """Return SHIFT, REDUCE, FINISH, then PJ with every label."""
        plain = [t for t in (SHIFT, REDUCE, FINISH) if self.is_legal(state, t)]
        return plain + ([pj(label) for label in self.labels] if self._may_project(state) else [])

    def is_legal(self, state: State, transition: Transition) -> bool:
        """See `System.is_legal`."""
        name, label, _ = transition
        stack = state.stack
        if state.finished:
            return False
        if name == "SHIFT":
            return not state.exhausted and (stack is None or stack.opens > 0)
        if name == "PJ":
            return label is not None and self._may_project(state)
        if name == "REDUCE":
            return stack is not None and stack.opens > 0 and self._may_close(stack)
        return name == "FINISH" and state.is_single_phrase

    def _may_project(self, state: State) -> bool:
        stack = state.stack
        if state.finished or stack is None or type(stack.item) is OpenPhrase:
            return False
        return not state.exhausted or stack.chain < self.max_unary

    def _may_close(self, stack: Stack) -> bool:
        if type(stack.item) is not OpenPhrase:
            return True
        return stack.below is not None and stack.below.chain < self.max_unary

    def next(self, state: State, transition: Transition) -> State:
        """See `System.next`."""
        name, label, _ = transition
        if name == "SHIFT":
            return state.shifted()
        stack = state.stack
        if label is not None and stack is not None:
            return state.pushed(OpenPhrase(label, stack.item.left), stack)
        if name == "FINISH":
            return state._replace(finished=True)
        opened, first, others = _innermost_projected(stack)
        # A first child is complete.
        children: tuple[Node, ...] = (first.item, *others)  # type: ignore[arg-type]
        chain = 0 if others else first.chain + 1
        return state.pushed(base.make_phrase(opened.label, children), first.below, chain)

    def effect(self, state: State, transition: Transition) -> Effect:
        """See `System.effect`: a reduce takes its children and the open phrase among them."""
        name, label, _ = transition
        if name == "PJ":
            return Effect(Kind.OPEN, label)
        if name == "REDUCE":
            opened, _, others = _innermost_projected(state.stack)
            return Effect(Kind.REDUCE, opened.label, 1 + len(others), Marker.AFTER_FIRST_CHILD)
        return Effect(Kind.SHIFT if name == "SHIFT" else Kind.FINISH)

    def signature(self, state: State) -> Hashable:
        """Return whether each kind of transition is legal."""
        return self._may_project(state), *(
            self.is_legal(state, plain) for plain in (SHIFT, REDUCE, FINISH)
        )

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """Return the transitions without a label: any phrase can be projected and closed."""
        return [SHIFT, REDUCE, FINISH]


def _innermost_projected(stack: Stack | None) -> tuple[OpenPhrase, Stack, list[Node]]:
    """Find the innermost projected phrase, the stack from its first child down, and the others."""
    opened, others, first = base.innermost_open(stack)
    if first is None:
        raise TransitionError("a projected phrase has no first child")
    return opened, first, others
