"""The binary bottom-up system of Sagae and Lavie (2005), as in §3 of the paper.

Trees are binarised around head children with temporary symbols `X*`; the directions of the reduces carry the heads:
REDUCE-LEFT joins a dependent on the left to its head on the right, REDUCE-RIGHT the other way round.
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
    System,
    Transition,
    is_single_phrase,
    labels_of,
    phrase,
    take,
)
from whorl.transitions.effects import Effect, Kind
from whorl.trees import Tree, unbinarise

__all__ = ["Binary", "reduce_left", "reduce_right", "reduce_unary"]


def reduce_left(label: str) -> Transition:
    """REDUCE-LEFT-X: the head is the right of the two children."""
    return Transition("REDUCE-LEFT", label)


def reduce_right(label: str) -> Transition:
    """REDUCE-RIGHT-X: the head is the left of the two children."""
    return Transition("REDUCE-RIGHT", label)


def reduce_unary(label: str) -> Transition:
    """REDUCE-UNARY-X."""
    return Transition("REDUCE-UNARY", label)


class Binary(System):
    """SHIFT, REDUCE-LEFT-X, REDUCE-RIGHT-X, REDUCE-UNARY-X and FINISH, as in Figure 3 of the paper.

    A temporary item `X*` must be the head of the next reduce that takes it, which makes X or X* again: so every
    binary tree that is built un-binarises. A reduce may not leave the stack so that this cannot be done any more.
    """

    name: ClassVar[str] = "binary"
    phrase_names: ClassVar[tuple[str, ...]] = ("REDUCE-LEFT", "REDUCE-RIGHT", "REDUCE-UNARY")
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "FINISH")

    def __init__(self, labels: Iterable[str] = (), *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(labels)
        if max_unary < 1:
            raise TransitionError(
                f"max_unary must be at least 1, not {max_unary}: one word needs a phrase over it"
            )
        starred = [label for label in self.labels if label.endswith("*")]
        if starred:
            raise TransitionError(
                f"the label {starred[0]!r} ends in '*', which the binary system keeps for itself"
            )
        self.max_unary = max_unary

    def legal(self, state: State) -> list[Transition]:
        """SHIFT, FINISH, the unary reduces, then the binary ones with permanent and temporary labels."""
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
        """See the class; any label will do."""
        if state.finished:
            return False
        name, label, _ = transition
        stack = state.stack
        if name == "SHIFT":
            return not state.exhausted
        if stack is None:
            return False
        if name == "FINISH":
            return is_single_phrase(state) and not _temporary(stack.item)
        if label is None or label.endswith("**"):
            return False
        if name == "REDUCE-UNARY":
            return (
                not (label.endswith("*") or _temporary(stack.item)) and stack.chain < self.max_unary
            )
        return stack.below is not None and self._may_join(state, stack, stack.below, name, label)

    def _may_join(self, state: State, top: Stack, second: Stack, name: str, label: str) -> bool:
        if name not in ("REDUCE-LEFT", "REDUCE-RIGHT"):
            return False
        head, dependent = (
            (top.item, second.item) if name == "REDUCE-LEFT" else (second.item, top.item)
        )
        if _temporary(dependent) or (
            _temporary(head) and head.label != label.removesuffix("*") + "*"
        ):
            return False
        if label.endswith("*") and state.exhausted:
            # No word will come to complete it: it needs an ordinary item below to join.
            return second.below is not None and not _temporary(second.below.item)
        return True

    def next(self, state: State, transition: Transition) -> State:
        """See `System.next`."""
        name, label, _ = transition
        if name == "SHIFT":
            return state.shifted()
        if label is None:
            return state._replace(finished=True)
        unary = name == "REDUCE-UNARY"
        children, below = take(state.stack, 1 if unary else 2)
        chain = state.stack.chain + 1 if state.stack is not None and unary else 0
        return state.pushed(phrase(label, children), below, chain)

    def effect(self, state: State, transition: Transition) -> Effect:
        """A reduce knows its head; a temporary symbol keeps its star."""
        name, label, _ = transition
        if name == "REDUCE-UNARY":
            return Effect(Kind.REDUCE, label, 1, head=0)
        if label is not None:
            return Effect(Kind.REDUCE, label, 2, head=1 if name == "REDUCE-LEFT" else 0)
        return Effect(Kind.SHIFT if name == "SHIFT" else Kind.FINISH)

    def is_final(self, state: State) -> bool:
        """FINISH was applied."""
        return state.finished

    def signature(self, state: State) -> Hashable:
        """The temporary symbols among the topmost items, and what else `is_legal` asks."""
        stack = state.stack
        if stack is None or state.finished:
            return state.finished
        below = stack.below
        second = None if below is None else _symbol(below.item)
        third = (
            None if below is None or below.below is None else _symbol(below.below.item) is not None
        )
        chain = stack.chain < self.max_unary
        size = min(stack.size, 3)
        return (
            size,
            state.exhausted,
            is_single_phrase(state),
            chain,
            _symbol(stack.item),
            second,
            third,
        )

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """A unary reduce, a binary one, and for every temporary symbol both ways of completing it."""
        names = ("REDUCE-LEFT", "REDUCE-RIGHT")
        binary = [label for name in names for label in labels_of(transitions, name)]
        some = [*labels_of(transitions, "REDUCE-UNARY"), *(label.rstrip("*") for label in binary)][
            :1
        ]
        stems = list(dict.fromkeys(label.rstrip("*") for label in binary if label.endswith("*")))
        completing = [Transition(name, label) for label in (*stems, *some) for name in names]
        return [SHIFT, FINISH, *(reduce_unary(label) for label in some), *completing]

    def tree(self, state: State) -> Tree:
        """The tree with its temporary symbols taken out again."""
        return unbinarise(super().tree(state))


def _symbol(item: Item) -> str | None:
    return item.label if _temporary(item) else None


def _temporary(item: Item) -> bool:
    return type(item) is Tree and item.label.endswith("*")
