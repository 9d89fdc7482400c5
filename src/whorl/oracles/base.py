"""The protocol of dynamic oracles."""

from __future__ import annotations

from abc import ABC, abstractmethod

from whorl.errors import OracleError
from whorl.oracles.gold import GoldConstituents
from whorl.transitions import State, System, Transition
from whorl.trees import Tree

__all__ = ["CandidateOracle", "DynamicOracle"]


class DynamicOracle(ABC):
    """The loss of any state and the cost of any transition, given a gold tree (§5 of the paper).

    The bounds of `system` take part in the loss.
    """

    def __init__(self, gold: Tree, system: System) -> None:
        self.gold = GoldConstituents(gold)
        self.system = system

    @abstractmethod
    def loss(self, state: State) -> int:
        """Return ℓ(c), the least symmetric difference between gold and any reachable tree."""

    @abstractmethod
    def zero_cost(self, state: State) -> list[Transition]:
        """Return the optimal transitions: at least one, until parsing has ended."""

    def cost(self, state: State, transition: Transition) -> int:
        """Return how much the transition adds to the loss."""
        return self.loss(self.system.apply(state, transition)) - self.loss(state)

    def preferred(self, state: State) -> list[Transition]:
        """Return the optimal transitions worth learning: all, unless an oracle knows better."""
        return self.zero_cost(state)


class CandidateOracle(DynamicOracle):
    """An oracle that tries every transition that could be optimal."""

    @abstractmethod
    def candidates(self, state: State) -> list[Transition]:
        """Return all transitions that could be optimal: any other adds a wrong constituent."""

    def zero_cost(self, state: State) -> list[Transition]:
        """Return the candidates that leave the loss as it is."""
        if self.system.is_final(state):
            return []
        before = self.loss(state)
        optimal = [
            transition
            for transition in self.candidates(state)
            if self.system.is_legal(state, transition)
            and self.loss(self.system.apply(state, transition)) == before
        ]
        if not optimal:
            raise OracleError(
                "no optimal transition: the state is of another sentence than the gold tree"
            )
        return optimal
