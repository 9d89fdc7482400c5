"""The binary bottom-up system of Sagae and Lavie (2005), as in §3 of the paper.

Trees are binarised around head children, with temporary symbols `X*`. The direction of a reduce
carries the head: REDUCE-LEFT joins a dependent on the left to its head on the right, REDUCE-RIGHT
the other way round.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar

from whorl.errors import TransitionError
from whorl.transitions.base import (
    FINISH,
    MAX_UNARY,
    SHIFT,
    Item,
    Stack,
    State,
    Transition,
    UnaryBoundedSystem,
    labels_of,
)
from whorl.transitions.effects import Effect, Kind
from whorl.trees import Tree, unbinarise

__all__ = ["Binary", "reduce_left", "reduce_right", "reduce_unary"]


def reduce_left(label: str) -> Transition:
    """Return REDUCE-LEFT-X: the head is the right one of the two children."""
    return Transition("REDUCE-LEFT", label)


def reduce_right(label: str) -> Transition:
    """Return REDUCE-RIGHT-X: the head is the left one of the two children."""
    return Transition("REDUCE-RIGHT", label)


def reduce_unary(label: str) -> Transition:
    """Return REDUCE-UNARY-X."""
    return Transition("REDUCE-UNARY", label)


class Binary(UnaryBoundedSystem):
    """SHIFT, REDUCE-LEFT-X, REDUCE-RIGHT-X, REDUCE-UNARY-X and FINISH, as in the paper's Figure 3.

    A temporary item `X*` must be the head of the next reduce that takes it, which makes X or X*
    again: so every binary tree that is built can be un-binarised. A reduce is not legal if it
    leaves a stack on which this has become impossible.
    """

    name: ClassVar[str] = "binary"
    phrase_names: ClassVar[tuple[str, ...]] = ("REDUCE-LEFT", "REDUCE-RIGHT", "REDUCE-UNARY")
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "FINISH")

    def __init__(self, labels: Iterable[str] = (), *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(labels, max_unary=max_unary)
        starred = [label for label in self.labels if label.endswith("*")]
        if starred:
            raise TransitionError(
                f"the label {starred[0]!r} ends in '*', which the binary system keeps for itself"
            )

    def legal(self, state: State) -> list[Transition]:
        """Return SHIFT, FINISH, the unary reduces, then the binary ones with X and X* labels."""
        if state.finished:
            return []
        candidates = [SHIFT, FINISH]
        candidates += [Transition("REDUCE-UNARY", label) for label in self.labels]
        candidates += [
            Transition(name, label + star)
            for name in ("REDUCE-LEFT", "REDUCE-RIGHT")
            for label in self.labels
            for star in ("", "*")
        ]
        return [transition for transition in candidates if self.is_legal(state, transition)]

    def is_legal(self, state: State, transition: Transition) -> bool:
        """See `System.is_legal`."""
        stack = state.stack
        name, label, _ = transition
        if state.finished:
            return False
        if name == "SHIFT":
            return not state.exhausted
        if stack is None:
            return False
        if name == "FINISH":
            return state.is_single_phrase and not _is_temporary(stack.item)
        if label is None or label.endswith("**"):
            return False
        if name == "REDUCE-UNARY":
            permanent = not (label.endswith("*") or _is_temporary(stack.item))
            return permanent and stack.chain < self.max_unary
        return stack.below is not None and self._may_join(state, stack, stack.below, name, label)

    def _may_join(self, state: State, top: Stack, second: Stack, name: str, label: str) -> bool:
        if name not in ("REDUCE-LEFT", "REDUCE-RIGHT"):
            return False
        head, dependent = (
            (top.item, second.item) if name == "REDUCE-LEFT" else (second.item, top.item)
        )
        if _is_temporary(dependent) or (
            _is_temporary(head) and head.label != label.removesuffix("*") + "*"
        ):
            return False
        if label.endswith("*") and state.exhausted:
            # No word is left to complete X*: it needs a permanent item below to join.
            return second.below is not None and not _is_temporary(second.below.item)
        return True

    def next(self, state: State, transition: Transition) -> State:
        """See `System.next`."""
        name, label, _ = transition
        if name == "SHIFT":
            return state.shifted()
        if label is None:
            return state._replace(finished=True)
        return state.reduced(label, 1 if name == "REDUCE-UNARY" else 2)

    def effect(self, state: State, transition: Transition) -> Effect:
        """See `System.effect`: a reduce knows its head, and a temporary symbol keeps its star."""
        name, label, _ = transition
        if name == "REDUCE-UNARY":
            return Effect(Kind.REDUCE, label, 1, head=0)
        if label is not None:
            return Effect(Kind.REDUCE, label, 2, head=1 if name == "REDUCE-LEFT" else 0)
        return Effect(Kind.SHIFT if name == "SHIFT" else Kind.FINISH)

    def signature(self, state: State) -> Hashable:
        """Return the temporary symbols among the topmost items, and what else `is_legal` reads."""
        stack = state.stack
        if stack is None or state.finished:
            return state.finished
        below = stack.below
        third = None if below is None else below.below
        return (
            min(stack.size, 3),
            state.exhausted,
            state.is_single_phrase,
            stack.chain < self.max_unary,
            _temporary_symbol(stack.item),
            None if below is None else _temporary_symbol(below.item),
            None if third is None else _is_temporary(third.item),
        )

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """Return a unary reduce, a binary one, and both reduces that complete each X*."""
        names = ("REDUCE-LEFT", "REDUCE-RIGHT")
        binary = [label for name in names for label in labels_of(transitions, name)]
        labels = [*labels_of(transitions, "REDUCE-UNARY"), *(label.rstrip("*") for label in binary)]
        first = labels[:1]
        stems = dict.fromkeys(label.rstrip("*") for label in binary if label.endswith("*"))
        completing = [Transition(name, label) for label in (*stems, *first) for name in names]
        return [SHIFT, FINISH, *map(reduce_unary, first), *completing]

    def tree(self, state: State) -> Tree:
        """Return the tree with its temporary symbols removed."""
        return unbinarise(super().tree(state))


def _temporary_symbol(item: Item) -> str | None:
    return item.label if _is_temporary(item) else None


def _is_temporary(item: Item) -> bool:
    return type(item) is Tree and item.label.endswith("*")
