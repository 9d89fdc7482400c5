"""What a relation is, and how targets are counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TypeAlias

from whorl.search.context import Context

__all__ = ["Relation", "Tally", "TargetCounter", "positive", "sums_by"]

Tally: TypeAlias = dict[int, int]


class Relation(ABC):
    """A relation between a node and others of its tree."""

    @abstractmethod
    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Return the nodes in this relation to a node, in the order of Tregex."""

    @abstractmethod
    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Return how many targets each node is related to, without the nodes that have none."""


class TargetCounter:
    """Counts how often the targets between two nodes match."""

    def __init__(self, targets: Tally) -> None:
        self._nodes = list(targets)
        self._sums = [0, *accumulate(targets.values())]

    def between(self, first: int, end: int) -> int:
        """Return the count from `first` up to, but without, `end`."""
        nodes = self._nodes
        low = bisect_left(nodes, first)
        return self._sums[bisect_left(nodes, end, low)] - self._sums[low]


def positive(nodes: Iterable[int], count: Callable[[int], int]) -> Tally:
    """Return the counts of those nodes whose count is not zero."""
    return {node: total for node in nodes if (total := count(node))}


def sums_by(keys: Sequence[int], targets: Tally) -> Tally:
    """Add the counts of targets with the same key, such as the same parent."""
    sums: Tally = {}
    for node, count in targets.items():
        key = keys[node]
        sums[key] = sums.get(key, 0) + count
    return sums
