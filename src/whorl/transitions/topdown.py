"""The top-down system of Dyer et al. (2016): open a phrase before its children, close it after."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar

from whorl.errors import TransitionError
from whorl.transitions import base
from whorl.transitions.base import SHIFT, OpenPhrase, State, System, Transition
from whorl.transitions.effects import Effect, Kind, Marker

__all__ = ["MAX_OPEN", "REDUCE", "TopDown", "nt"]

MAX_OPEN = 100
"""The default bound on phrases opened at one word, that of Dyer et al."""
REDUCE = Transition("REDUCE")


def nt(label: str) -> Transition:
    """Return NT-X: open a phrase."""
    return Transition("NT", label)


class TopDown(System):
    """NT-X, SHIFT and REDUCE.

    At most `max_open` phrases may be opened before one word. A phrase can be closed once it has a
    child, the outermost one only when every word has been shifted. That ends parsing: there is no
    FINISH.
    """

    name: ClassVar[str] = "topdown"
    phrase_names: ClassVar[tuple[str, ...]] = ("NT",)
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "REDUCE")

    def __init__(self, labels: Iterable[str] = (), *, max_open: int = MAX_OPEN) -> None:
        super().__init__(labels)
        if max_open < 1:
            raise TransitionError(
                f"max_open must be at least 1, not {max_open}: a tree needs a root"
            )
        self.max_open = max_open

    def legal(self, state: State) -> list[Transition]:
        """Return SHIFT, REDUCE, then NT with every label."""
        plain = [transition for transition in (SHIFT, REDUCE) if self.is_legal(state, transition)]
        return plain + ([nt(label) for label in self.labels] if self._may_open(state) else [])

    def is_legal(self, state: State, transition: Transition) -> bool:
        """See `System.is_legal`."""
        name, label, _ = transition
        if name == "NT":
            return label is not None and self._may_open(state)
        stack = state.stack
        if stack is None or not stack.opens:
            return False
        if name == "SHIFT":
            return not state.exhausted
        return (
            name == "REDUCE"
            and type(stack.item) is not OpenPhrase
            and (stack.opens > 1 or state.exhausted)
        )

    def _may_open(self, state: State) -> bool:
        if state.exhausted:
            return False
        return state.stack is None or state.stack.chain < self.max_open

    def next(self, state: State, transition: Transition) -> State:
        """See `System.next`."""
        name, label, _ = transition
        if name == "SHIFT":
            return state.shifted()
        if label is not None:
            opened_here = state.stack.chain if state.stack is not None else 0
            return state.pushed(OpenPhrase(label, state.buffer), state.stack, opened_here + 1)
        opened, children, below = base.innermost_open(state.stack)
        return state.pushed(base.make_phrase(opened.label, tuple(children)), below)

    def effect(self, state: State, transition: Transition) -> Effect:
        """See `System.effect`: a reduce takes its children and the open phrase below them."""
        name, label, _ = transition
        if name == "NT":
            return Effect(Kind.OPEN, label)
        if name == "SHIFT":
            return Effect(Kind.SHIFT)
        opened, children, _ = base.innermost_open(state.stack)
        return Effect(Kind.REDUCE, opened.label, len(children), Marker.BEFORE_CHILDREN)

    def signature(self, state: State) -> Hashable:
        """Return whether each kind of transition is legal."""
        return self._may_open(state), self.is_legal(state, SHIFT), self.is_legal(state, REDUCE)

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """Return the transitions without a label: any phrase can be opened and closed."""
        return [SHIFT, REDUCE]

    def is_final(self, state: State) -> bool:
        """Return whether the outermost phrase is closed."""
        return state.is_single_phrase
