"""Relations among parents, children and sisters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from whorl.search.context import Context
from whorl.search.relations.base import Relation, Tally, TargetCounter, positive, sums_by

__all__ = [
    "Anything",
    "Children",
    "Descendants",
    "EarlierSisters",
    "ItselfAndChildren",
    "LaterSisters",
    "Sisters",
    "Words",
]


class Children(Relation):
    """`<`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the children."""
        return context.table.children[node]

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add each target to its parent."""
        sums = sums_by(context.table.parents, targets)
        return {node: sums[node] for node in nodes if node in sums}


class ItselfAndChildren(Children):
    """`<=`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the node, then its children."""
        return (node, *super().walk(context, node))

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add each target to its parent and to itself."""
        sums = sums_by(context.table.parents, targets)
        return positive(nodes, lambda node: sums.get(node, 0) + targets.get(node, 0))


class Descendants(Relation):
    """`<<`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go down, parents first."""
        return range(node + 1, context.table.ends[node])

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the targets between a node and its end."""
        count, ends = TargetCounter(targets), context.table.ends
        return positive(nodes, lambda node: count.between(node + 1, ends[node]))


class Words(Descendants):
    """`<<<`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the words below."""
        arities = context.table.arities
        return (below for below in super().walk(context, node) if not arities[below])

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the words among the targets."""
        arities = context.table.arities
        words = {node: count for node, count in targets.items() if not arities[node]}
        return super().tally(context, nodes, words)


class Sisters(Relation):
    """`$`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the sisters from the left."""
        sisters = _family(context, node)
        return (sister for sister in sisters if sister != node)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the parent's children without the node itself."""
        parents = context.table.parents
        sums = sums_by(parents, targets)
        return positive(
            nodes,
            lambda node: sums.get(parents[node], 0) - targets.get(node, 0) if node else 0,
        )


class LaterSisters(Relation):
    """`$++`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the sisters after a node, from the right."""
        return _family(context, node)[: context.table.positions[node] : -1]

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the parent's children after a node."""
        parents, size = context.table.parents, context.table.size
        counters = _counters_by(parents, targets)
        return positive(
            nodes,
            lambda node: (
                counters[parents[node]].between(node + 1, size)
                if node and parents[node] in counters
                else 0
            ),
        )


class EarlierSisters(Relation):
    """`$--`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the sisters before a node, from the left."""
        return _family(context, node)[: context.table.positions[node]]

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the parent's children before a node."""
        parents = context.table.parents
        counters = _counters_by(parents, targets)
        return positive(
            nodes,
            lambda node: (
                counters[parents[node]].between(0, node)
                if node and parents[node] in counters
                else 0
            ),
        )


class Anything(Relation):
    """`:`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the whole tree."""
        return range(context.table.size)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count all targets."""
        total = sum(targets.values())
        return dict.fromkeys(nodes, total) if total else {}


def _counters_by(parents: Sequence[int], targets: Tally) -> dict[int, TargetCounter]:
    groups: dict[int, Tally] = {}
    for node, count in targets.items():
        groups.setdefault(parents[node], {})[node] = count
    return {parent: TargetCounter(group) for parent, group in groups.items()}


def _family(context: Context, node: int) -> list[int]:
    """Return the children of a node's parent; of the root, none."""
    parent = context.table.parents[node]
    return context.table.children[parent] if parent >= 0 else []
