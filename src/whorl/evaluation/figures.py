"""The arithmetic of scores."""

from __future__ import annotations

__all__ = ["f_measure", "percent"]


def percent(part: int, whole: int) -> float:
    """Return `part` in percent of `whole`, 0 if `whole` is 0."""
    return 100.0 * part / whole if whole else 0.0


def f_measure(recall: float, precision: float) -> float:
    """Return the harmonic mean of recall and precision, 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
