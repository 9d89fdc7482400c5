"""Relations of order: what comes before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from whorl.search.context import Context
from whorl.search.relations.base import Relation, Tally, TargetCounter, positive, sums_by

__all__ = ["Following", "JustFollowing", "JustPreceding", "Preceding"]


class Following(Relation):
    """`..`."""

    def walk(self, context: Context, node: int) -> Iterator[int]:
        """Go through what follows below the root, then below its child, and so on."""
        table = context.table
        end = table.size
        for lower in _path_down(table.parents, node):
            yield from range(table.ends[lower], end)
            end = table.ends[lower]

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the targets from a node's end."""
        count, ends, size = TargetCounter(targets), context.table.ends, context.table.size
        return positive(nodes, lambda node: count.between(ends[node], size))


class Preceding(Relation):
    """`,,`."""

    def walk(self, context: Context, node: int) -> Iterator[int]:
        """Go through the sisters of each ancestor, from the root down, the nearest first."""
        table = context.table
        for lower in _path_down(table.parents, node):
            sisters = table.children[table.parents[lower]] if lower else []
            for index in range(table.positions[lower] - 1, -1, -1):
                yield from range(sisters[index], table.ends[sisters[index]])

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the targets that end before a node."""
        count = TargetCounter(dict(sorted(sums_by(context.table.ends, targets).items())))
        return positive(nodes, lambda node: count.between(0, node + 1))


class JustFollowing(Relation):
    """`.`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the nodes that begin where a node ends, from the highest down."""
        return context.table.starting.get(context.table.rights[node], ())

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add the targets by where they begin."""
        rights = context.table.rights
        sums = sums_by(context.table.lefts, targets)
        return {node: sums[rights[node]] for node in nodes if rights[node] in sums}


class JustPreceding(Relation):
    """`,`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the nodes that end where a node begins, from the highest down."""
        return context.table.ending.get(context.table.lefts[node], ())

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add the targets by where they end."""
        lefts = context.table.lefts
        sums = sums_by(context.table.rights, targets)
        return {node: sums[lefts[node]] for node in nodes if lefts[node] in sums}


def _path_down(parents: Sequence[int], node: int) -> list[int]:
    """Return the nodes from the root down to a node."""
    path = []
    while node >= 0:
        path.append(node)
        node = parents[node]
    return path[::-1]
