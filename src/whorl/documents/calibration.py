"""From the log-probabilities of steps to the probabilities of constituents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Calibration"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """How probable it is that a constituent is right, given the log-probability of the reduce that built it."""

    def probability(self, step: float) -> float:
        """The probability of one constituent."""
        return math.exp(step)

    def probabilities(self, steps: Sequence[float]) -> list[float]:
        """The probabilities of constituents."""
        return [self.probability(step) for step in steps]
