"""The non-binary system under constraints: a transition is legal if some right tree follows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from whorl.transitions.base import FINISH, MAX_UNARY, SHIFT, State, Transition
from whorl.transitions.nonbinary import NonBinary, reduce
from whorl.trees import Tree

if TYPE_CHECKING:
    from whorl.constraints import Goal, Plan, Progress

__all__ = ["ConstrainedNonBinary"]


class ConstrainedNonBinary(NonBinary):
    """The non-binary system for one sentence, whose trees are those that satisfy a plan.

    The trees that can follow a state are those that contain all phrases built so far, and no
    others that end before the buffer, or end at the buffer and begin within an item. Hence a
    transition is legal if

    1. the phrase that a reduce builds crosses no span that must stay whole, is over no span that is
       excluded, and its label leads to a chain that the goal of its span, if any, accepts within
       the bound on unary phrases;
    2. a SHIFT leaves no required phrase unbuilt that ends at the buffer, and no goal of the topmost
       item unmet; a reduce leaves none within the phrase it builds; FINISH leaves none at all.

    Both are necessary, since phrases never change and what (2) names cannot be built later. They
    suffice: from any state reached so, build each required phrase, by its right edge and then from
    the inside out, with a reduce of whatever items it holds, and complete its chain; shift when
    none is left at the buffer. No item crosses it (1), so it begins where an item begins; required
    phrases do not cross each other or spans that must stay whole, and chains of different spans do
    not interfere. All words are a required span, so this ends with one phrase over them, and
    FINISH. So no state is a dead end. Labels are those of the plan's grammar; `make_plan` rejects
    constraints that the initial state does not satisfy.
    """

    name: ClassVar[str] = "constrained nonbinary"

    def __init__(self, labels: Iterable[str], plan: Plan, *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(labels, max_unary=max_unary)
        self.plan = plan

    def legal(self, state: State) -> list[Transition]:
        """See `System.legal`."""
        if state.finished:
            return []
        plain = [step for step in (SHIFT, FINISH) if self.is_legal(state, step)]
        return plain + [
            reduce(label, arity)
            for arity in range(1, state.size + 1)
            for label in self.legal_labels(state, arity)
        ]

    def is_legal(self, state: State, transition: Transition) -> bool:
        """See `System.is_legal`; only labels of the system are legal."""
        return super().is_legal(state, transition) and self._leads_on(state, transition)

    def signature(self, state: State) -> Hashable:
        """Return what legality depends on: the edges of the items, and the chain on top."""
        lefts = tuple(item.left for item in state.items())
        return state.finished, state.buffer, lefts, tuple(_chain(state))

    def legal_labels(self, state: State, arity: int) -> Sequence[str]:
        """Return the labels under which a reduce of so many items is legal."""
        stack = state.stack
        if stack is None or (arity == 1 and stack.chain >= self.max_unary):
            return ()
        left = state.items()[arity - 1].left
        span = left, state.buffer
        if not self.plan.admits(span) or self._is_due(state, left):
            return ()
        if arity > 1 and self._is_unmet(state):
            return ()
        goal = self.plan.goals.get(span)
        if goal is None:
            return self.labels
        progress = self._progress(state, goal) if arity == 1 else goal.start
        return [label for label in self.labels if goal.next(progress, label) is not None]

    def builds_required(self, state: State, arity: int) -> bool:
        """Return whether a reduce of so many items builds a phrase that must be built first."""
        if arity == 1:
            return self._is_unmet(state)
        return (state.items()[arity - 1].left, state.buffer) in self.plan.required

    def is_due(self, state: State) -> bool:
        """Return whether some phrase must be built before the next SHIFT, or before FINISH."""
        return self._is_unmet(state) or self._is_due(state, -1)

    def advances(self, state: State, transition: Transition) -> bool:
        """Return whether a legal transition brings the state nearer to the phrases that are due.

        A phrase of one child does if its label is one that the topmost item still needs. Any other
        phrase does if it is not required itself, or if its label is one that is needed.
        """
        label, arity = transition.label, transition.arity
        if label is None:
            return True
        goal = self.plan.goals.get((state.items()[arity - 1].left, state.buffer))
        if goal is None:
            return arity > 1
        before = self._progress(state, goal) if arity == 1 else goal.start
        after = goal.next(before, label)
        missing, still = goal.distance(before) or 0, after and goal.distance(after)
        return (arity > 1 and not missing) or (still is not None and still < missing)

    def _leads_on(self, state: State, transition: Transition) -> bool:
        if transition.label is not None:
            return transition.label in self.legal_labels(state, transition.arity)
        return not self.is_due(state)

    def _is_due(self, state: State, left: int) -> bool:
        """Return whether a phrase must be built first that begins after `left`, before the top."""
        return any(
            left < item.left and (item.left, state.buffer) in self.plan.required
            for item in state.items()[1:]
        )

    def _is_unmet(self, state: State) -> bool:
        """Return whether the topmost item needs more phrases above it."""
        if state.stack is None:
            return False
        goal = self.plan.goals.get((state.stack.item.left, state.buffer))
        return goal is not None and goal.distance(self._progress(state, goal)) != 0

    def _progress(self, state: State, goal: Goal) -> Progress:
        progress = goal.start
        for label in _chain(state):
            after = goal.next(progress, label)
            if after is None:
                raise ValueError(f"{label} is not legal here: {self.describe(state)}")
            progress = after
        return progress


def _chain(state: State) -> list[str]:
    """Return the labels of the phrases over the words of the topmost item, from the bottom up."""
    labels = []
    node = None if state.stack is None else state.stack.item
    while type(node) is Tree:
        labels.append(node.label)
        node = node.children[0] if len(node.children) == 1 else None
    return labels[::-1]
