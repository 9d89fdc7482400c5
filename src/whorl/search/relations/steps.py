"""Relations that go step by step: to the parent, the first child, the head."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from whorl.search.context import Context
from whorl.search.relations.base import Relation, Tally

__all__ = [
    "Chain",
    "One",
    "nth_child",
    "nth_child_of",
    "nth_word",
    "to_first_child",
    "to_head",
    "to_itself",
    "to_last_child",
    "to_next_sister",
    "to_only_child",
    "to_parent",
    "to_parent_of_first_child",
    "to_parent_of_head",
    "to_parent_of_last_child",
    "to_parent_of_only_child",
    "to_previous_sister",
]

Step: TypeAlias = Callable[[int], int]
StepMaker: TypeAlias = Callable[[Context], Step]


class One(Relation):
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


class Chain(Relation):
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


def to_itself(context: Context) -> Step:
    """The node itself."""
    return lambda node: node


def to_parent(context: Context) -> Step:
    """The parent."""
    return context.table.parents.__getitem__


def to_next_sister(context: Context) -> Step:
    """The sister just after the node."""
    return context.table.next_sister


def to_previous_sister(context: Context) -> Step:
    """The sister just before the node."""
    return context.table.previous_sister


def to_only_child(context: Context) -> Step:
    """The child of a node that has one."""
    arities = context.table.arities
    return lambda node: node + 1 if arities[node] == 1 else -1


def to_parent_of_only_child(context: Context) -> Step:
    """The parent of a node without sisters."""
    parents, arities = context.table.parents, context.table.arities
    return lambda node: parent if (parent := parents[node]) >= 0 and arities[parent] == 1 else -1


def to_first_child(context: Context) -> Step:
    """The first child."""
    arities = context.table.arities
    return lambda node: node + 1 if arities[node] else -1


def to_last_child(context: Context) -> Step:
    """The last child."""
    children = context.table.children
    return lambda node: children[node][-1] if children[node] else -1


def to_parent_of_first_child(context: Context) -> Step:
    """The parent of a first child."""
    parents = context.table.parents
    return lambda node: parents[node] if parents[node] == node - 1 else -1


def to_parent_of_last_child(context: Context) -> Step:
    """The parent of a last child."""
    parents, ends = context.table.parents, context.table.ends
    return lambda node: (
        parent if (parent := parents[node]) >= 0 and ends[parent] == ends[node] else -1
    )


def to_head(context: Context) -> Step:
    """The head child."""
    return context.heads().__getitem__


def to_parent_of_head(context: Context) -> Step:
    """The parent of its head child."""
    parents, heads = context.table.parents, context.heads()
    return lambda node: parent if (parent := parents[node]) >= 0 and heads[parent] == node else -1


def nth_child(number: int) -> Relation:
    """`<2`, or `<-2` from the end."""

    def make_step(context: Context) -> Step:
        children = context.table.children
        index = number - 1 if number > 0 else number
        return lambda node: children[node][index] if len(children[node]) >= abs(number) else -1

    return One(make_step)


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

    return One(make_step)


def nth_word(number: int) -> Relation:
    """`<<<2`, or `<<<-2` from the end."""

    def make_step(context: Context) -> Step:
        words, lefts, rights = context.table.words, context.table.lefts, context.table.rights

        def step(node: int) -> int:
            position = lefts[node] + number - 1 if number > 0 else rights[node] + number
            return words[position] if lefts[node] <= position < rights[node] else -1

        return step

    return One(make_step)
