"""When training follows a wrong transition instead of an optimal one (§7.2)."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ExplorationPolicy"]


@dataclass(frozen=True, slots=True)
class ExplorationPolicy:
    """When to follow a wrong transition; 0 turns either strategy off.

    Regular exploration follows a wrong transition that outscores every optimal one with the
    probability `regular`. Aggressive exploration follows the best wrong transition if the best
    optimal one leads it by less than the margin `aggressive` (Kiperwasser and Goldberg 2016; the
    paper's gloss of it, not its wording).
    """

    regular: float = 0.1
    aggressive: float = 0.0
