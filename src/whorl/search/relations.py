"""The relations between two nodes: how often each holds, and its nodes in the order of Tregex.

A relation does two things for a pattern `A < B`. `walk` goes from one A through every node that the
relation reaches, in the order in which Tregex reports matches. `tally` does it for a whole tree at
once: from the As, and from how often each B matches, to how often each A does. That takes time
linear in the tree, apart from sorting, where walking would be quadratic or worse.

The nodes of a tally are in ascending order, and so are those of its result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TypeAlias

from whorl.search.context import Context
from whorl.search.labels import LabelTest

__all__ = ["NUMBERED", "RELATIONS", "THROUGH", "Relation", "Tally"]

Tally: TypeAlias = dict[int, int]


class Relation(ABC):
    """A relation between a node and others of its tree."""

    @abstractmethod
    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Return the nodes in this relation to a node, in the order of Tregex."""

    @abstractmethod
    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Return how many targets each node is related to, without the nodes that have none."""


Step: TypeAlias = Callable[[int], int]
StepMaker: TypeAlias = Callable[[Context], Step]


class _One(Relation):
    """A relation to at most one node, which `step` finds; -1 is none."""

    def __init__(self, make_step: StepMaker) -> None:
        self._make_step = make_step

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Return the one node, if there is one."""
        target = self._make_step(context)(node)
        return () if target < 0 else (target,)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Look each node's one target up."""
        step = self._make_step(context)
        return {
            node: targets[target] for node in nodes if (target := step(node)) in targets
        }  # -1 is never a target


class _Chain(Relation):
    """A relation to what is reached by one step, two, and so on: `>>` by steps to the parent."""

    def __init__(self, make_step: StepMaker) -> None:
        self._make_step = make_step

    def walk(self, context: Context, node: int) -> Iterator[int]:
        """Step until there is no further node."""
        step = self._make_step(context)
        node = step(node)
        while node >= 0:
            yield node
            node = step(node)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add along the chains; what lies beyond a node is computed once."""
        step = self._make_step(context)
        beyond = {-1: 0}
        tally = {}
        for node in nodes:
            path = []
            current = node
            while current not in beyond:
                path.append(current)
                current = step(current)
            total = beyond[current] + targets.get(current, 0)
            for current in reversed(path):
                beyond[current] = total
                total += targets.get(current, 0)
            if beyond[node]:
                tally[node] = beyond[node]
        return tally


def _itself(context: Context) -> Step:
    return lambda node: node


def _parent(context: Context) -> Step:
    return context.table.parents.__getitem__


def _next_sister(context: Context) -> Step:
    return context.table.next_sister


def _previous_sister(context: Context) -> Step:
    return context.table.previous_sister


def _only_child(context: Context) -> Step:
    arities = context.table.arities
    return lambda node: node + 1 if arities[node] == 1 else -1


def _parent_of_only_child(context: Context) -> Step:
    parents, arities = context.table.parents, context.table.arities
    return lambda node: parent if (parent := parents[node]) >= 0 and arities[parent] == 1 else -1


def _first_child(context: Context) -> Step:
    arities = context.table.arities
    return lambda node: node + 1 if arities[node] else -1


def _last_child(context: Context) -> Step:
    children = context.table.children
    return lambda node: children[node][-1] if children[node] else -1


def _parent_of_first_child(context: Context) -> Step:
    parents = context.table.parents
    return lambda node: parents[node] if parents[node] == node - 1 else -1


def _parent_of_last_child(context: Context) -> Step:
    parents, ends = context.table.parents, context.table.ends
    return lambda node: (
        parent if (parent := parents[node]) >= 0 and ends[parent] == ends[node] else -1
    )


def _head(context: Context) -> Step:
    return context.heads().__getitem__


def _parent_of_head(context: Context) -> Step:
    parents, heads = context.table.parents, context.heads()
    return lambda node: parent if (parent := parents[node]) >= 0 and heads[parent] == node else -1


def nth_child(number: int) -> Relation:
    """`<2`, or `<-2` from the end."""

    def make_step(context: Context) -> Step:
        children = context.table.children
        index = number - 1 if number > 0 else number
        return lambda node: children[node][index] if len(children[node]) >= abs(number) else -1

    return _One(make_step)


def nth_child_of(number: int) -> Relation:
    """`>2`, or `>-2` from the end."""

    def make_step(context: Context) -> Step:
        table = context.table
        if number > 0:
            return lambda node: table.parents[node] if table.positions[node] == number - 1 else -1
        return lambda node: (
            parent
            if (parent := table.parents[node]) >= 0
            and table.positions[node] == table.arities[parent] + number
            else -1
        )

    return _One(make_step)


def nth_word(number: int) -> Relation:
    """`<<<2`, or `<<<-2` from the end."""

    def make_step(context: Context) -> Step:
        words, lefts, rights = context.table.words, context.table.lefts, context.table.rights

        def step(node: int) -> int:
            position = lefts[node] + number - 1 if number > 0 else rights[node] + number
            return words[position] if lefts[node] <= position < rights[node] else -1

        return step

    return _One(make_step)


class _Children(Relation):
    """`<`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the children."""
        return context.table.children[node]

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add each target to its parent."""
        sums = _sums_by(context.table.parents, targets)
        return {node: sums[node] for node in nodes if node in sums}


class _ItselfAndChildren(_Children):
    """`<=`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the node, then its children."""
        return (node, *super().walk(context, node))

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add each target to its parent and to itself."""
        sums = _sums_by(context.table.parents, targets)
        return _positive(nodes, lambda node: sums.get(node, 0) + targets.get(node, 0))


class _Descendants(Relation):
    """`<<`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go down, parents first."""
        return range(node + 1, context.table.ends[node])

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the targets between a node and its end."""
        count, ends = _Counter(targets), context.table.ends
        return _positive(nodes, lambda node: count.between(node + 1, ends[node]))


class _Words(_Descendants):
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


class _Following(Relation):
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
        count, ends, size = _Counter(targets), context.table.ends, context.table.size
        return _positive(nodes, lambda node: count.between(ends[node], size))


class _Preceding(Relation):
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
        count = _Counter(dict(sorted(_sums_by(context.table.ends, targets).items())))
        return _positive(nodes, lambda node: count.between(0, node + 1))


class _JustFollowing(Relation):
    """`.`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the nodes that begin where a node ends, from the highest down."""
        return context.table.starting.get(context.table.rights[node], ())

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add the targets by where they begin."""
        rights = context.table.rights
        sums = _sums_by(context.table.lefts, targets)
        return {node: sums[rights[node]] for node in nodes if rights[node] in sums}


class _JustPreceding(Relation):
    """`,`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the nodes that end where a node begins, from the highest down."""
        return context.table.ending.get(context.table.lefts[node], ())

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add the targets by where they end."""
        lefts = context.table.lefts
        sums = _sums_by(context.table.rights, targets)
        return {node: sums[lefts[node]] for node in nodes if lefts[node] in sums}


class _Sisters(Relation):
    """`$`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the sisters from the left."""
        sisters = _family(context, node)
        return (sister for sister in sisters if sister != node)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the parent's children without the node itself."""
        parents = context.table.parents
        sums = _sums_by(parents, targets)
        return _positive(
            nodes,
            lambda node: sums.get(parents[node], 0) - targets.get(node, 0) if node else 0,
        )


class _LaterSisters(Relation):
    """`$++`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the sisters after a node, from the right."""
        return _family(context, node)[: context.table.positions[node] : -1]

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the parent's children after a node."""
        parents, size = context.table.parents, context.table.size
        counters = _counters_by(parents, targets)
        return _positive(
            nodes,
            lambda node: (
                counters[parents[node]].between(node + 1, size)
                if node and parents[node] in counters
                else 0
            ),
        )


class _EarlierSisters(Relation):
    """`$--`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the sisters before a node, from the left."""
        return _family(context, node)[: context.table.positions[node]]

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count the parent's children before a node."""
        parents = context.table.parents
        counters = _counters_by(parents, targets)
        return _positive(
            nodes,
            lambda node: (
                counters[parents[node]].between(0, node)
                if node and parents[node] in counters
                else 0
            ),
        )


class _Anything(Relation):
    """`:`."""

    def walk(self, context: Context, node: int) -> Iterable[int]:
        """Go through the whole tree."""
        return range(context.table.size)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Count all targets."""
        total = sum(targets.values())
        return dict.fromkeys(nodes, total) if total else {}


class _Through(Relation):
    """A relation through an unbroken chain of nodes that fit a description."""

    def __init__(self, test: LabelTest) -> None:
        self._test = test


class _DescendantsThrough(_Through):
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


class _AncestorsThrough(_Through):
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
            for beside in pending[-1]:
                order.append(beside)
                if beside in inside and ends[beside] not in reached:
                    reached.add(ends[beside])
                    pending.append(iter(beginning.get(ends[beside], ())))
                    break
            else:
                pending.pop()
        return reversed(order)

    def tally(self, context: Context, nodes: Iterable[int], targets: Tally) -> Tally:
        """Add what each place reaches; nodes that end there share it."""
        ends, beginning, begins = self._sides(context)
        sums = _sums_by(begins, targets)
        steps = _steps_by(beginning, ends, context.inside(self._test))
        totals: Tally = {}
        for node in nodes:
            if ends[node] not in totals:
                context.timer.check()
                totals[ends[node]] = sum(
                    sums.get(place, 0) for place in _reachable(ends[node], steps)
                )
        return _positive(nodes, lambda node: totals[ends[node]])


class _FollowingThrough(_Neighbours):
    """`.+(C)`."""

    @staticmethod
    def _sides(context: Context) -> tuple[Sequence[int], Mapping[int, list[int]], Sequence[int]]:
        table = context.table
        return table.rights, table.starting, table.lefts


class _PrecedingThrough(_Neighbours):
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


class _Counter:
    """How often targets match between two nodes."""

    def __init__(self, targets: Tally) -> None:
        self._nodes = list(targets)
        self._sums = [0, *accumulate(targets.values())]

    def between(self, first: int, end: int) -> int:
        """Return the count from `first` up to, but without, `end`."""
        nodes = self._nodes
        low = bisect_left(nodes, first)
        return self._sums[bisect_left(nodes, end, low)] - self._sums[low]


def _positive(nodes: Iterable[int], count: Callable[[int], int]) -> Tally:
    return {node: total for node in nodes if (total := count(node))}


def _sums_by(keys: Sequence[int], targets: Tally) -> Tally:
    sums: Tally = {}
    for node, count in targets.items():
        key = keys[node]
        sums[key] = sums.get(key, 0) + count
    return sums


def _counters_by(parents: Sequence[int], targets: Tally) -> dict[int, _Counter]:
    groups: dict[int, Tally] = {}
    for node, count in targets.items():
        groups.setdefault(parents[node], {})[node] = count
    return {parent: _Counter(group) for parent, group in groups.items()}


def _family(context: Context, node: int) -> list[int]:
    """Return the children of a node's parent; of the root, none."""
    parent = context.table.parents[node]
    return context.table.children[parent] if parent >= 0 else []


def _path_down(parents: Sequence[int], node: int) -> list[int]:
    """Return the nodes from the root down to a node."""
    path = []
    while node >= 0:
        path.append(node)
        node = parents[node]
    return path[::-1]


_LATER, _EARLIER = _LaterSisters(), _EarlierSisters()
_NEXT, _PREVIOUS = _One(_next_sister), _One(_previous_sister)
_LEFT_EDGE, _RIGHT_EDGE = _Chain(_first_child), _Chain(_last_child)
_AT_LEFT_EDGE, _AT_RIGHT_EDGE = _Chain(_parent_of_first_child), _Chain(_parent_of_last_child)

RELATIONS: dict[str, Relation] = {
    "<": _Children(),
    ">": _One(_parent),
    "<<": _Descendants(),
    ">>": _Chain(_parent),
    "<<<": _Words(),
    "$": _Sisters(),
    "$+": _NEXT,
    "$.": _NEXT,
    "$-": _PREVIOUS,
    "$,": _PREVIOUS,
    "$++": _LATER,
    "$..": _LATER,
    "$--": _EARLIER,
    "$,,": _EARLIER,
    ".": _JustFollowing(),
    "..": _Following(),
    ",": _JustPreceding(),
    ",,": _Preceding(),
    "<,": nth_child(1),
    "<-": nth_child(-1),
    "<`": nth_child(-1),
    ">,": nth_child_of(1),
    ">-": nth_child_of(-1),
    ">`": nth_child_of(-1),
    "<:": _One(_only_child),
    ">:": _One(_parent_of_only_child),
    "<<:": _Chain(_only_child),
    ">>:": _Chain(_parent_of_only_child),
    "<<,": _LEFT_EDGE,
    "<<-": _RIGHT_EDGE,
    "<<`": _RIGHT_EDGE,
    ">>,": _AT_LEFT_EDGE,
    ">>-": _AT_RIGHT_EDGE,
    ">>`": _AT_RIGHT_EDGE,
    "<#": _One(_head),
    ">#": _One(_parent_of_head),
    "<<#": _Chain(_head),
    ">>#": _Chain(_parent_of_head),
    "==": _One(_itself),
    "<=": _ItselfAndChildren(),
    ":": _Anything(),
}

NUMBERED: dict[str, Callable[[int], Relation]] = {
    "<": nth_child,
    ">": nth_child_of,
    "<<<": nth_word,
}

THROUGH: dict[str, Callable[[LabelTest], Relation]] = {
    "<+": _DescendantsThrough,
    ">+": _AncestorsThrough,
    ".+": _FollowingThrough,
    ",+": _PrecedingThrough,
}
