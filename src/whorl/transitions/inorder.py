"""The in-order system of Liu and Zhang (2017): a phrase is projected once its first child is complete."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar

from whorl.errors import TransitionError
from whorl.transitions.base import (
    FINISH,
    MAX_UNARY,
    SHIFT,
    OpenPhrase,
    Stack,
    State,
    System,
    Transition,
    is_single_phrase,
    phrase,
    take,
)
from whorl.transitions.effects import Effect, Kind, Marker
from whorl.trees import Node

__all__ = ["REDUCE", "InOrder", "pj"]

REDUCE = Transition("REDUCE")


def pj(label: str) -> Transition:
    """PJ-X: project a phrase over the topmost item, its first child."""
    return Transition("PJ", label)


class InOrder(System):
    """SHIFT, PJ-X, REDUCE and FINISH.

    On the stack a projected phrase lies above its first child and below the others. At most `max_unary` phrases of
    one child may stand over one another; a projection that could only break that bound is not legal.
    """

    name: ClassVar[str] = "inorder"
    phrase_names: ClassVar[tuple[str, ...]] = ("PJ",)
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "REDUCE", "FINISH")

    def __init__(self, labels: Iterable[str] = (), *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(labels)
        if max_unary < 1:
            raise TransitionError(
                f"max_unary must be at least 1, not {max_unary}: one word needs a phrase over it"
            )
        self.max_unary = max_unary

    def legal(self, state: State) -> list[Transition]:
        """SHIFT, REDUCE, FINISH, then PJ with every label."""
        found = [
            transition for transition in (SHIFT, REDUCE, FINISH) if self.is_legal(state, transition)
        ]
        if self._may_project(state):
            found += [pj(label) for label in self.labels]
        return found

    def is_legal(self, state: State, transition: Transition) -> bool:
        """See the class; any label will do."""
        if state.finished:
            return False
        name, label, _ = transition
        stack = state.stack
        if name == "SHIFT":
            return not state.exhausted and (stack is None or stack.opens > 0)
        if name == "PJ":
            return label is not None and self._may_project(state)
        if name == "REDUCE":
            return stack is not None and stack.opens > 0 and self._may_close(stack)
        return name == "FINISH" and is_single_phrase(state)

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
        opened, children, below = _closed(stack)
        only = stack.below if stack is not None and len(children) == 1 else None
        return state.pushed(
            phrase(opened.label, children), below, 0 if only is None else only.chain + 1
        )

    def effect(self, state: State, transition: Transition) -> Effect:
        """A reduce takes the children down to the projected phrase, that, and the first child below it."""
        name, label, _ = transition
        if name == "PJ":
            return Effect(Kind.OPEN, label)
        if name == "REDUCE":
            opened, children, _ = _closed(state.stack)
            return Effect(Kind.REDUCE, opened.label, len(children), Marker.AFTER_FIRST_CHILD)
        return Effect(Kind.SHIFT if name == "SHIFT" else Kind.FINISH)

    def signature(self, state: State) -> Hashable:
        """Whether each kind of transition is possible."""
        return self._may_project(state), *(
            self.is_legal(state, plain) for plain in (SHIFT, REDUCE, FINISH)
        )

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """The transitions without a label; any phrase can be projected and closed."""
        return [SHIFT, REDUCE, FINISH]

    def is_final(self, state: State) -> bool:
        """FINISH was applied."""
        return state.finished


def _closed(stack: Stack | None) -> tuple[OpenPhrase, tuple[Node, ...], Stack | None]:
    """The innermost projected phrase, its children in order, and the stack below them."""
    above: list[Node] = []
    while stack is not None:
        item = stack.item
        stack = stack.below
        if type(item) is OpenPhrase:
            first, below = take(stack, 1)
            return item, (*first, *reversed(above)), below
        above.append(item)  # type: ignore[arg-type] # only open phrases are not nodes
    raise TransitionError("no phrase is projected")
