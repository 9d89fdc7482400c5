"""The optimal dynamic oracle of the non-binary bottom-up system (§5 of the paper).

The loss of a state is the least symmetric difference between the gold constituents and those of a
reachable tree: gold constituents out of reach, plus wrong ones already built.

Two things go beyond the paper. Gold constituents are a multiset, since treebanks have X over X on
one span. And the bound on unary chains, which keeps parsing finite, takes part: wrong phrases on
the topmost span may leave too little room for the gold ones still missing there. With both, the
loss stays exact (the tests prove it by exhaustion).
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from whorl.errors import TransitionError
from whorl.oracles.base import DynamicOracle
from whorl.oracles.gold import built_spans, chain_labels, unary_chain
from whorl.transitions import FINISH, MAX_UNARY, SHIFT, NonBinary, State, Transition
from whorl.transitions.nonbinary import reduce
from whorl.trees import Tree

__all__ = ["Costs", "NonBinaryOracle", "ReduceCost"]


class ReduceCost(NamedTuple):
    """The cost of REDUCE-X#k: `gold` for `labels`, still missing on that span, `other` else."""

    labels: Counter[str]
    gold: int
    other: int

    def of(self, label: str) -> int:
        """Return the cost under that label."""
        return self.gold if self.labels[label] > 0 else self.other


class Costs(NamedTuple):
    """The cost of every transition of a state; None where one is not legal.

    `reduce[k - 1]` is that of the reduces with k children.
    """

    shift: int | None
    finish: int | None
    reduce: list[ReduceCost | None]

    def of(self, transition: Transition) -> int | None:
        """Return the cost of one transition, None if it is not legal."""
        name, label, arity = transition
        if name == "SHIFT":
            return self.shift
        if label is None:
            return self.finish
        if not 1 <= arity <= len(self.reduce):
            return None
        cost = self.reduce[arity - 1]
        return None if cost is None else cost.of(label)

    def free(self) -> list[Transition]:
        """Return the transitions that cost nothing: at least one, until parsing has ended."""
        free = [SHIFT] if self.shift == 0 else []
        if self.finish == 0:
            free.append(FINISH)
        for k, cost in enumerate(self.reduce, start=1):
            if cost is not None and cost.gold == 0:
                free += [reduce(label, k) for label in cost.labels]
        return free


class NonBinaryOracle(DynamicOracle):
    """The cost of each transition in any state, given a gold tree."""

    def __init__(self, gold: Tree, *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(gold, NonBinary(max_unary=max_unary))
        self.gold.check_chains(max_unary)
        self.max_unary = max_unary

    def loss(self, state: State) -> int:
        """Return ℓ(c) by its definition in §5.2: gold out of reach plus wrong ones built."""
        built = built_spans(state)
        missing = self.gold.spans - built
        wrong = (built - self.gold.spans).total()
        if state.finished:
            return wrong + missing.total()
        edges = {item.left for item in state.items()}
        unreachable = sum(
            count
            for (_, left, right), count in missing.items()
            if not (left >= state.buffer or (left in edges and right >= state.buffer))
        )
        return wrong + unreachable + self._without_room(state, self._missing_on_top(state).total())

    def costs(self, state: State) -> Costs:
        """Return the cost of every legal transition, in time linear in the stack.

        A shift loses what could still end here. A reduce of k items buries the left edges of the
        k - 1 topmost ones and loses what begins there; if it is not gold, it also builds one
        wrong constituent.
        """
        if state.finished:
            return Costs(None, None, [])
        reduces: list[ReduceCost | None] = []
        # Reachable gold constituents that end here, and those that the next reduce would bury.
        ending = buried = 0
        for k, item in enumerate(state.items(), start=1):
            if k == 1:
                missing = self._missing_on_top(state)
                count = missing.total()
                room = self.max_unary - unary_chain(item)
                reduces.append(ReduceCost(missing, 0, 1 + (count >= room)) if room > 0 else None)
                count -= self._without_room(state, count)
            else:
                missing = self.gold.labels(item.left, state.buffer)
                count = missing.total()
                reduces.append(ReduceCost(missing, buried, buried + 1 + (count > self.max_unary)))
            ending += count
            buried += count + self.gold.ending_after(item.left, state.buffer)
        return Costs(
            shift=None if state.exhausted else ending,
            finish=ending if state.is_single_phrase else None,
            reduce=reduces,
        )

    def cost(self, state: State, transition: Transition) -> int:
        """Return one entry of `costs`; raise `TransitionError` if the transition is not legal."""
        cost = self.costs(state).of(transition)
        if cost is None:
            raise TransitionError(f"{transition} is not legal in this state")
        return cost

    def zero_cost(self, state: State) -> list[Transition]:
        """Return the optimal transitions."""
        return self.costs(state).free()

    def preferred(self, state: State) -> list[Transition]:
        """Return the optimal transitions; of several labels on one span, the lowest in gold.

        The order of a unary chain does not change the loss, but the treebank has one, and an
        inventory may know VP#2 under S#1 and not the other way round.
        """
        items = state.items()
        preferred = {(t.name, t.arity): t for t in self.zero_cost(state)}
        for name, k in preferred:
            if name == "REDUCE":
                built = chain_labels(items[0]) if k == 1 else Counter[str]()
                lowest = self.gold.lowest(items[k - 1].left, state.buffer, built)
                preferred[name, k] = reduce(lowest, k)
        return list(preferred.values())

    def _missing_on_top(self, state: State) -> Counter[str]:
        """Return the gold labels on the topmost item's span that have not been built there."""
        if state.stack is None:
            return Counter()
        item = state.stack.item
        return self.gold.labels(item.left, state.buffer) - chain_labels(item)

    def _without_room(self, state: State, missing: int) -> int:
        """Return how many of those missing on the topmost span the bound on chains rules out."""
        if state.stack is None:
            return 0
        return max(0, missing - (self.max_unary - unary_chain(state.stack.item)))
