"""The non-binary bottom-up system (§4 of the paper): shift a word, or reduce the k topmost items at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar

from whorl.errors import TransitionError
from whorl.transitions.base import (
    FINISH,
    MAX_UNARY,
    SHIFT,
    State,
    System,
    Transition,
    is_single_phrase,
    labels_of,
    phrase,
    take,
)
from whorl.transitions.effects import Effect, Kind

__all__ = ["NonBinary", "reduce"]


def reduce(label: str, arity: int) -> Transition:
    """REDUCE-X#k."""
    return Transition("REDUCE", label, arity)


class NonBinary(System):
    """SHIFT, REDUCE-X#k and FINISH, as in Figure 5 of the paper.

    Beyond the paper's definition, at most `max_unary` unary reduces may follow each other on one span, and FINISH
    needs a single phrase over all words; so parsing always ends, with exactly one tree.
    """

    name: ClassVar[str] = "nonbinary"
    phrase_names: ClassVar[tuple[str, ...]] = ("REDUCE",)
    plain_names: ClassVar[tuple[str, ...]] = ("SHIFT", "FINISH")
    labels_carry_arity: ClassVar[bool] = True

    def __init__(self, labels: Iterable[str] = (), *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(labels)
        if max_unary < 1:
            raise TransitionError(
                f"max_unary must be at least 1, not {max_unary}: one word needs a phrase over it"
            )
        self.max_unary = max_unary
        self._effects: dict[Transition, Effect] = {}

    def legal(self, state: State) -> list[Transition]:
        """SHIFT, FINISH, then every label with every possible number of children."""
        if state.finished:
            return []
        found = [] if state.exhausted else [SHIFT]
        if is_single_phrase(state):
            found.append(FINISH)
        smallest = 1 if state.stack is not None and state.stack.chain < self.max_unary else 2
        found += [
            reduce(label, k) for k in range(smallest, state.size + 1) for label in self.labels
        ]
        return found

    def is_legal(self, state: State, transition: Transition) -> bool:
        """See `legal`; any label will do."""
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
        return name == "FINISH" and is_single_phrase(state)

    def next(self, state: State, transition: Transition) -> State:
        """See `System.next`."""
        name, label, arity = transition
        if name == "SHIFT":
            return state.shifted()
        if label is None:
            return state._replace(finished=True)
        children, below = take(state.stack, arity)
        chain = state.stack.chain + 1 if state.stack is not None and arity == 1 else 0
        return state.pushed(phrase(label, children), below, chain)

    def effect(self, state: State, transition: Transition) -> Effect:
        """A reduce takes k complete items and no open phrase."""
        return self.effect_of(transition)

    def effect_of(self, transition: Transition) -> Effect:
        """The effect, which is the same in every state."""
        known = self._effects.get(transition)
        if known is None:
            name, label, arity = transition
            kinds = {"REDUCE": Kind.REDUCE, "SHIFT": Kind.SHIFT, "FINISH": Kind.FINISH}
            known = self._effects[transition] = Effect(kinds[name], label, arity)
        return known

    def is_final(self, state: State) -> bool:
        """FINISH was applied."""
        return state.finished

    def signature(self, state: State) -> Hashable:
        """Depth, and whether shifting, finishing and a unary reduce are possible."""
        stack = state.stack
        if stack is None or state.finished:
            return state.finished
        exhausted = state.buffer == len(state.leaves)
        return (
            stack.size,
            exhausted,
            exhausted and is_single_phrase(state),
            stack.chain < self.max_unary,
        )

    def closure(self, transitions: Sequence[Transition]) -> list[Transition]:
        """A unary and a binary reduce: the first word needs the one, the last two items the other."""
        labels = labels_of(transitions, "REDUCE")
        arities = {transition.arity for transition in transitions}
        return [
            SHIFT,
            FINISH,
            *(reduce(label, k) for label in labels[:1] for k in (1, 2) if k not in arities),
        ]

    def parse(self, text: str) -> Transition:
        """Read `REDUCE-X#k` too: the number stands after the last `#`."""
        transition = super().parse(text)
        if transition.label is None:
            return transition
        label, _, arity = transition.label.rpartition("#")
        if not arity.isdecimal() or int(arity) < 1:
            raise TransitionError(f"expected REDUCE-X#k with k children, not {text!r}")
        return reduce(label, int(arity))
