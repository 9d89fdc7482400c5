"""What a dynamic oracle is."""

from __future__ import annotations

from abc import ABC, abstractmethod

from whorl.errors import OracleError
from whorl.transitions import State, System, Transition

__all__ = ["DynamicOracle"]


class DynamicOracle(ABC):
    """The loss of any state, and the cost of any transition, with respect to one gold tree (§5 of the paper)."""

    system: System
    """The system whose states are asked about; its bounds take part in the loss."""

    @abstractmethod
    def loss(self, state: State) -> int:
        """ℓ(c): the least symmetric difference between the gold tree and a tree that can still be reached."""

    @abstractmethod
    def candidates(self, state: State) -> list[Transition]:
        """The transitions that could be optimal in this state: every other one builds or promises junk."""

    def cost(self, state: State, transition: Transition) -> int:
        """How much the transition adds to the loss."""
        return self.loss(self.system.apply(state, transition)) - self.loss(state)

    def preferred(self, state: State) -> list[Transition]:
        """The optimal transitions that are worth learning; all of them unless an oracle knows better."""
        return self.zero_cost(state)

    def zero_cost(self, state: State) -> list[Transition]:
        """The optimal transitions. There is always one until parsing has ended."""
        if self.system.is_final(state):
            return []
        before = self.loss(state)
        found = [
            transition
            for transition in self.candidates(state)
            if self.system.is_legal(state, transition)
            and self.loss(self.system.apply(state, transition)) == before
        ]
        if not found:
            raise OracleError(
                "no optimal transition: the state is of another sentence than the gold tree"
            )
        return found
