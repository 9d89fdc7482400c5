"""Relations through an unbroken chain of nodes that fit a description."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from whorl.search.context import Context
from whorl.search.labels import LabelTest
from whorl.search.relations.base import Relation, Tally, positive, sums_by

__all__ = ["AncestorsThrough", "DescendantsThrough", "FollowingThrough", "PrecedingThrough"]


class _Through(Relation):
    """A relation through an unbroken chain of nodes that fit a description."""

    def __init__(self, test: LabelTest) -> None:
        self._test = test


class DescendantsThrough(_Through):
    """`<+(C)`."""

    def walk(self, context: Context, node: int) -> Iterator[int]:
        """Go down, parents first."""
        inside, children = context.inside(self._test), context.table.children
        pending = children[node][::-1]
        while pending:
            below = pending.pop()
            yield below
            if below in inside:
                pending.extend(reversed(children[below]))

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add from the last node to the first."""
        inside, parents = context.inside(self._test), context.table.parents
        sums: Tally = {}
        for node in range(context.table.size - 1, 0, -1):
            total = targets.get(node, 0)
            if node in sums and node in inside:
                total += sums[node]
            if total:
                sums[parents[node]] = sums.get(parents[node], 0) + total
        return {node: sums[node] for node in nodes if node in sums}


class AncestorsThrough(_Through):
    """`>+(C)`."""

    def walk(self, context: Context, node: int) -> Iterator[int]:
        """Go up."""
        inside, parents = context.inside(self._test), context.table.parents
        node = parents[node]
        while node >= 0:
            yield node
            node = parents[node] if node in inside else -1

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add from the root down; what lies above a node is computed once."""
        inside, parents = context.inside(self._test), context.table.parents
        above: Tally = {}
        for node in nodes:
            path = []
            current = node
            while current not in above:
                path.append(current)
                current = parents[current]
                if current not in inside:  # -1 neither
                    break
            for current in reversed(path):
                parent = parents[current]
                total = targets.get(parent, 0)
                above[current] = total + above[parent] if parent in inside else total
        return {node: above[node] for node in nodes if above[node]}


class _Neighbours(_Through):
    """`.+(C)` and `,+(C)`: through nodes each of which begins where the one before it ends."""

    @staticmethod
    @abstractmethod
    def _sides(context: Context) -> tuple[Sequence[int], Mapping[int, list[int]], Sequence[int]]:
        """Return where nodes end, the nodes that begin at a place, and where nodes begin."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go depth first, and then back, as Tregex does."""
        ends, beginning, _ = self._sides(context)
        inside = context.inside(self._test)
        order = []
        reached = {ends[node]}
        pending = [iter(beginning.get(ends[node], ()))]
        while pending:
            for neighbour in pending[-1]:
                order.append(neighbour)
                if neighbour in inside and ends[neighbour] not in reached:
                    reached.add(ends[neighbour])
                    pending.append(iter(beginning.get(ends[neighbour], ())))
                    break
            else:
                pending.pop()
        return reversed(order)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add what each place reaches; nodes that end there share it."""
        ends, beginning, begins = self._sides(context)
        sums = sums_by(begins, targets)
        steps = _steps_by(beginning, ends, context.inside(self._test))
        totals: Tally = {}
        for node in nodes:
            if ends[node] not in totals:
                context.timer.check()
                totals[ends[node]] = sum(
                    sums.get(place, 0) for place in _reachable(ends[node], steps)
                )
        return positive(nodes, lambda node: totals[ends[node]])


class FollowingThrough(_Neighbours):
    """`.+(C)`."""

    @staticmethod
    def _sides(context: Context) -> tuple[Sequence[int], Mapping[int, list[int]], Sequence[int]]:
        table = context.table
        return table.rights, table.starting, table.lefts


class PrecedingThrough(_Neighbours):
    """`,+(C)`, the mirror image."""

    @staticmethod
    def _sides(context: Context) -> tuple[Sequence[int], Mapping[int, list[int]], Sequence[int]]:
        table = context.table
        return table.lefts, table.ending, table.rights


def _steps_by(
    beginning: Mapping[int, list[int]], ends: Sequence[int], inside: frozenset[int]
) -> dict[int, set[int]]:
    """Return the places that are one node inside the chain away from each place."""
    return {
        place: steps
        for place, nodes in beginning.items()
        if (steps := {ends[node] for node in nodes if node in inside})
    }


def _reachable(place: int, steps: Mapping[int, set[int]]) -> set[int]:
    reached = {place}
    pending = [place]
    while pending:
        further = steps.get(pending.pop(), set()) - reached
        reached |= further
        pending.extend(further)
    return reached
