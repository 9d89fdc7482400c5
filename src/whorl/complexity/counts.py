"""The nine counts of a text and the fourteen indices made of them (Lu 2010, table 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

__all__ = ["INDICES", "STRUCTURES", "Counts", "mean_measures"]

STRUCTURES: Final = ("W", "S", "VP", "C", "T", "DC", "CT", "CP", "CN")
"""The short names of the counts, in the order of the published analyzer."""

INDICES: Final = {
    "MLS": ("W", "S"),
    "MLT": ("W", "T"),
    "MLC": ("W", "C"),
    "C/S": ("C", "S"),
    "VP/T": ("VP", "T"),
    "C/T": ("C", "T"),
    "DC/C": ("DC", "C"),
    "DC/T": ("DC", "T"),
    "T/S": ("T", "S"),
    "CT/T": ("CT", "T"),
    "CP/T": ("CP", "T"),
    "CP/C": ("CP", "C"),
    "CN/T": ("CN", "T"),
    "CN/C": ("CN", "C"),
}
"""Each index with the counts of which it is the ratio, in the order of the published analyzer."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each structure occurs in a text; the counts of two texts can be added."""

    words: int = 0
    sentences: int = 0
    verb_phrases: int = 0
    clauses: int = 0
    t_units: int = 0
    dependent_clauses: int = 0
    complex_t_units: int = 0
    coordinate_phrases: int = 0
    complex_nominals: int = 0

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def as_dict(self) -> dict[str, int]:
        """Return the counts by their short names: `W`, `S`, `VP`, `C` and so on."""
        return dict(zip(STRUCTURES, astuple(self), strict=True))

    def indices(self) -> dict[str, float]:
        """Return the fourteen indices; one whose denominator is 0 is 0."""
        counts = self.as_dict()
        return {
            name: counts[above] / counts[below] if counts[below] else 0.0
            for name, (above, below) in INDICES.items()
        }


def mean_measures(texts: Sequence[Counts]) -> dict[str, float]:
    """Return the mean of every count and index over some texts, each text counting the same."""
    rows = [{**counts.as_dict(), **counts.indices()} for counts in texts]
    return {
        name: sum(row[name] for row in rows) / len(rows) if rows else 0.0
        for name in (*STRUCTURES, *INDICES)
    }
