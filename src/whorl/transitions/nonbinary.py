"""The non-binary bottom-up system (§4 of the paper): shift, or reduce the k topmost items."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar

from whorl.errors import TransitionError
from whorl.transitions.base import (
    FINISH,
    MAX_UNARY,
    SHIFT,
    State,
    Transition,
    UnaryBoundedSystem,
    labels_of,
)
from whorl.transitions.effects import Effect, Kind

__all__ = ["NonBinary", "reduce"]

_KINDS = {"REDUCE": Kind.REDUCE, "SHIFT": Kind.SHIFT, "FINISH": Kind.FINISH}


def reduce(label: str, arity: int) -> Transition:
    """Return REDUCE-X#k."""
    return Transition("REDUCE", label, arity)


class NonBinary(UnaryBoundedSystem):
    """SHIFT, REDUCE-X#k and FINISH, as in Figure 5 of the paper.

    Beyond the paper's definition, at most `max_unary` unary reduces may follow each other on one
    span, and FINISH needs a single phrase over all words. So parsing always ends, with exactly one
    tree.
    """

    name: ClassVar[str] = "nonbinary"
    phrase_names: ClassVar[tuple[str, ...]] = ("REDUCE",)
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "FINISH")
    labels_carry_arity: ClassVar[bool] = True

    def __init__(self, labels: Iterable[str] = (), *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(labels, max_unary=max_unary)
        self._effects: dict[Transition, Effect] = {}

    def legal(self, state: State) -> list[Transition]:
        """Return SHIFT, FINISH, then every label with every possible number of children."""
        if state.finished:
            return []
        legal = [] if state.exhausted else [SHIFT]
        if state.is_single_phrase:
            legal.append(FINISH)
        smallest = 1 if state.stack is not None and state.stack.chain < self.max_unary else 2
        legal += [
            reduce(label, k) for k in range(smallest, state.size + 1) for label in self.labels
        ]
        return legal

    def is_legal(self, state: State, transition: Transition) -> bool:
        """See `System.is_legal`."""
        if state.finished:
            return False
        name, label, arity = transition
        if name == "REDUCE":
            stack = state.stack
            if stack is None or label is None or not 1 <= arity <= stack.size:
                return False
            return arity > 1 or stack.chain < self.max_unary
        if name == "SHIFT":
            return not state.exhausted
        return name == "FINISH" and state.is_single_phrase

    def next(self, state: State, transition: Transition) -> State:
        """See `System.next`."""
        name, label, arity = transition
        if name == "SHIFT":
            return state.shifted()
        return state._replace(finished=True) if label is None else state.reduced(label, arity)

    def effect(self, state: State, transition: Transition) -> Effect:
        """See `System.effect`: a reduce takes k complete items and no open phrase."""
        effect = self._effects.get(transition)
        if effect is None:
            name, label, arity = transition
            effect = self._effects[transition] = Effect(_KINDS[name], label, arity)
        return effect

    def signature(self, state: State) -> Hashable:
        """Return the stack's size, and whether shift, finish and a unary reduce are legal."""
        stack = state.stack
        if stack is None or state.finished:
            return state.finished
        exhausted = state.buffer == len(state.leaves)
        return (
            stack.size,
            exhausted,
            exhausted and state.is_single_phrase,
            stack.chain < self.max_unary,
        )

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """Return a unary reduce, for the first word, and a binary one, for the last two items."""
        labels = labels_of(transitions, "REDUCE")
        arities = {transition.arity for transition in transitions}
        missing = [k for k in (1, 2) if k not in arities]
        return [SHIFT, FINISH, *(reduce(label, k) for label in labels[:1] for k in missing)]

    def parse(self, text: str) -> Transition:
        """Read `REDUCE-X#k` too: the number follows the last `#`."""
        transition = super().parse(text)
        if transition.label is None:
            return transition
        label, _, arity = transition.label.rpartition("#")
        if not arity.isdecimal() or int(arity) < 1:
            raise TransitionError(f"expected REDUCE-X#k with k children, not {text!r}")
        return reduce(label, int(arity))
