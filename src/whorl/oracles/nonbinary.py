"""The optimal dynamic oracle of the non-binary bottom-up system (§5 of the paper).

The loss of a state is the least size of the symmetric difference between the gold constituents and those of a tree
that can still be reached: gold constituents that cannot be reached any more, plus wrong ones already built.

Two things go beyond the paper. Gold constituents are a multiset, since treebanks have X over X on one span. And the
bound on unary chains, which keeps parsing finite, takes part: junk on the topmost span may leave too little room for
the gold constituents that are still missing there. With both, the loss stays exact (the tests prove it by exhaustion).
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from whorl.errors import TransitionError
from whorl.oracles.base import DynamicOracle
from whorl.oracles.gold import Gold, built_spans, chain_labels, unary_chain
from whorl.transitions import FINISH, MAX_UNARY, SHIFT, NonBinary, State, Transition
from whorl.transitions.base import is_single_phrase
from whorl.transitions.nonbinary import reduce
from whorl.trees import Tree

__all__ = ["Costs", "NonBinaryOracle", "ReduceCost"]


class ReduceCost(NamedTuple):
    """What REDUCE-X#k costs: less where X is among the gold labels that are still missing on that span."""

    labels: Counter[str]
    gold: int
    other: int

    def of(self, label: str) -> int:
        """The cost under that label."""
        return self.gold if self.labels[label] > 0 else self.other


class Costs(NamedTuple):
    """The cost of every legal transition of a state; None where one is not legal.

    `reduce[k - 1]` is that of the reduces with k children.
    """

    shift: int | None
    finish: int | None
    reduce: list[ReduceCost | None]

    def of(self, transition: Transition) -> int | None:
        """The cost of one transition, None if it is not legal."""
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
        """The transitions that cost nothing. There is always one until parsing has ended."""
        found = [SHIFT] if self.shift == 0 else []
        if self.finish == 0:
            found.append(FINISH)
        for k, cost in enumerate(self.reduce, start=1):
            if cost is not None and cost.gold == 0:
                found += [reduce(label, k) for label in cost.labels]
        return found


class NonBinaryOracle(DynamicOracle):
    """What each transition costs, in any state, with respect to one gold tree."""

    def __init__(self, gold: Tree, *, max_unary: int = MAX_UNARY) -> None:
        self.gold = Gold(gold)
        self.gold.check_chains(max_unary)
        self.max_unary = max_unary
        self.system = NonBinary(max_unary=max_unary)

    def loss(self, state: State) -> int:
        """ℓ(c), from its definition in §5.2: unreachable gold constituents plus wrong ones built."""
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
        """The cost of every legal transition, in time linear in the stack.

        A shift loses what could still end here; a reduce of k items loses what begins at the left edges of the k - 1
        topmost, which it buries; and any reduce that is not gold builds one constituent too many.
        """
        if state.finished:
            return Costs(None, None, [])
        reduces: list[ReduceCost | None] = []
        ending = buried = (
            0  # reachable gold constituents that end here; that a reduce of one item more would bury
        )
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
            finish=ending if is_single_phrase(state) else None,
            reduce=reduces,
        )

    def cost(self, state: State, transition: Transition) -> int:
        """One entry of `costs`."""
        cost = self.costs(state).of(transition)
        if cost is None:
            raise TransitionError(f"{transition} is not legal in this state")
        return cost

    def candidates(self, state: State) -> list[Transition]:
        """The free transitions themselves: this oracle need not try."""
        return self.costs(state).free()

    def zero_cost(self, state: State) -> list[Transition]:
        """The optimal transitions."""
        return self.costs(state).free()

    def preferred(self, state: State) -> list[Transition]:
        """The optimal transitions, of several labels on one span the lowest in the gold tree.

        The order of a unary chain makes no difference to the loss, but the treebank has one, and an inventory may know
        VP#2 under S#1 and not the other way round.
        """
        items = state.items()
        found = {
            (transition.name, transition.arity): transition for transition in self.zero_cost(state)
        }
        for name, k in found:
            if name == "REDUCE":
                built = chain_labels(items[0]) if k == 1 else Counter[str]()
                found[name, k] = reduce(self.gold.lowest(items[k - 1].left, state.buffer, built), k)
        return list(found.values())

    def _missing_on_top(self, state: State) -> Counter[str]:
        """The gold labels on the span of the topmost item that have not been built there."""
        if state.stack is None:
            return Counter()
        item = state.stack.item
        return self.gold.labels(item.left, state.buffer) - chain_labels(item)

    def _without_room(self, state: State, missing: int) -> int:
        """How many of the constituents missing on the topmost span the bound on unary chains rules out."""
        if state.stack is None:
            return 0
        return max(0, missing - (self.max_unary - unary_chain(state.stack.item)))
