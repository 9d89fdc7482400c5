"""A tree as arrays: its nodes numbered parents first, left to right, words included.

Relations such as "dominates" and "precedes" are comparisons of numbers here, and the nodes with a
label are found without a walk. Words are nodes of their own, below their tags, and stand as in a
file: `-LRB-` for `(`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from whorl.errors import SearchError
from whorl.escapes import escape_brackets, unescape_brackets
from whorl.search.heads import HeadTable
from whorl.search.labels import basic_category
from whorl.trees.tree import Leaf, Node, Tree

__all__ = ["NodeTable", "table_of"]


class NodeTable:
    """The nodes of one tree, from their labels and numbers of children in preorder.

    `sources`, if given, holds what each node stands for: a phrase or, for a tag and its word, the
    same leaf. Whoever keeps trees of another kind builds a table from lists of their own. `left` is
    the position of the first word.
    """

    def __init__(
        self,
        labels: Sequence[str],
        arities: Sequence[int],
        sources: Sequence[object] = (),
        *,
        left: int = 0,
    ) -> None:
        self.labels = labels
        self.arities = arities
        self.sources = sources
        self.left = left
        self.size = len(labels)
        # parents[i]: the parent of node i, -1 for the root; ends[i]: the first node after i's last.
        self.parents = parents = [-1] * self.size
        self.ends = ends = [self.size] * self.size
        self.by_label: dict[str, list[int]] = {}
        by_label = self.by_label
        path: list[int] = []
        missing: list[int] = []
        for node, (label, arity) in enumerate(zip(labels, arities, strict=True)):
            if label in by_label:
                by_label[label].append(node)
            else:
                by_label[label] = [node]
            if path:
                parents[node] = path[-1]
                missing[-1] -= 1
            elif node:
                raise SearchError(f"not one tree: node {node}, {label!r}, is a second root")
            if arity:
                path.append(node)
                missing.append(arity)
            else:
                ends[node] = node + 1
                while missing and not missing[-1]:
                    ends[path.pop()] = node + 1
                    missing.pop()

        if path:
            raise SearchError(f"not one tree: {labels[path[-1]]!r} lacks {missing[-1]} children")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the tree alone: its subtrees, one by one, would take quadratic space."""
        if self.sources and isinstance(self.sources[0], Tree | Leaf):
            return table_of, (self.sources[0],)
        return _unpickle, (self.labels, self.arities, self.sources, self.left)

    @cached_property
    def by_category(self) -> dict[str, list[int]]:
        """The nodes of each basic category: `NP-SBJ` is an `NP`."""
        merged: dict[str, list[int]] = {}
        for label, nodes in self.by_label.items():
            if "RB-" in label:  # a tag `-LRB-` and a word `-LRB-` differ
                for node in nodes:
                    merged.setdefault(self.category(node), []).append(node)
            else:
                merged.setdefault(basic_category(label), []).extend(nodes)
        for nodes in merged.values():
            nodes.sort()
        return merged

    def category(self, node: int) -> str:
        """Return the basic category of a node; that of a word is cut from the word as spelt.

        The hyphens of a word `-LRB-` come from its file, so its category is `(`, as in Tregex.
        """
        label = self.labels[node]
        return basic_category(label if self.arities[node] else unescape_brackets(label))

    @cached_property
    def everything(self) -> dict[int, int]:
        """Every node, counted once."""
        return dict.fromkeys(range(self.size), 1)

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node."""
        children: list[list[int]] = [[] for _ in range(self.size)]
        for node in range(1, self.size):
            children[self.parents[node]].append(node)
        return children

    @cached_property
    def positions(self) -> list[int]:
        """The position of each node among its sisters."""
        positions = [0] * self.size
        for sisters in self.children:
            for position, node in enumerate(sisters):
                positions[node] = position
        return positions

    @cached_property
    def words(self) -> list[int]:
        """The nodes without children, in order."""
        return [node for node, arity in enumerate(self.arities) if not arity]

    @cached_property
    def lefts(self) -> list[int]:
        """For each node, the number of words before it."""
        return [0, *accumulate(not arity for arity in self.arities)][:-1]

    @cached_property
    def rights(self) -> list[int]:
        """For each node, the number of words up to its end."""
        before = [0, *accumulate(not arity for arity in self.arities)]
        return [before[end] for end in self.ends]

    @cached_property
    def starting(self) -> dict[int, list[int]]:
        """The nodes whose first word is at each position, from the highest down."""
        starting: dict[int, list[int]] = {}
        for node, left in enumerate(self.lefts):
            starting.setdefault(left, []).append(node)
        return starting

    @cached_property
    def ending(self) -> dict[int, list[int]]:
        """The nodes whose last word is just before each position, from the highest down."""
        ending: dict[int, list[int]] = {}
        for node, right in enumerate(self.rights):
            ending.setdefault(right, []).append(node)
        return ending

    def next_sister(self, node: int) -> int:
        """Return the sister just after a node, or -1."""
        following = self.ends[node]
        parent = self.parents[node]
        return following if parent >= 0 and following < self.ends[parent] else -1

    def previous_sister(self, node: int) -> int:
        """Return the sister just before a node, or -1."""
        position = self.positions[node]
        return self.children[self.parents[node]][position - 1] if position else -1

    def heads(self, table: HeadTable) -> list[int]:
        """Return the head child of each node, -1 for those without children."""
        known = self._heads.get(id(table))
        if known is None:
            known = (table, [self._head(node, table) for node in range(self.size)])
            self._heads[id(table)] = known
        return known[1]

    @cached_property
    def _heads(self) -> dict[int, tuple[HeadTable, list[int]]]:
        return {}

    def _head(self, node: int, table: HeadTable) -> int:
        if self.arities[node] < 2:
            return node + 1 if self.arities[node] else -1
        children = self.children[node]
        return children[table.head(self.labels[node], [self.labels[child] for child in children])]


def _unpickle(
    labels: Sequence[str], arities: Sequence[int], sources: Sequence[object], left: int
) -> NodeTable:
    return NodeTable(labels, arities, sources, left=left)


def _tabulate(tree: Node) -> NodeTable:
    labels: list[str] = []
    arities: list[int] = []
    sources: list[object] = []
    pending: list[Node] = [tree]
    while pending:
        node = pending.pop()
        if type(node) is Leaf:
            if node.tag:
                labels.append(node.tag)
                arities.append(1)
                sources.append(node)
            labels.append(escape_brackets(node.word))
            arities.append(0)
            sources.append(node)
        else:
            labels.append(node.label)
            arities.append(len(node.children))
            sources.append(node)
            pending.extend(node.children[::-1])
    return NodeTable(labels, arities, sources, left=tree.left)


class _RecentTables:
    """The tables of the trees searched last, so that many patterns over one treebank share them."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._nodes = 0
        # The tree is kept with its table, so its id stays its own.
        self._tables: OrderedDict[int, tuple[Node, NodeTable]] = OrderedDict()

    def get(self, tree: Node) -> NodeTable:
        known = self._tables.get(id(tree))
        if known is not None:
            return known[1]
        table = _tabulate(tree)
        if table.size <= self._capacity // 8:
            self._tables[id(tree)] = (tree, table)
            self._nodes += table.size
            self._shrink()
        return table

    def _shrink(self) -> None:
        while self._nodes > self._capacity:
            try:
                _, (_, table) = self._tables.popitem(last=False)
            except KeyError:  # another thread emptied it
                self._nodes = 0
                return
            self._nodes -= table.size


_RECENT = _RecentTables(capacity=200_000)


def table_of(tree: Node) -> NodeTable:
    """Return the table of a tree; that of a tree searched recently is reused."""
    return _RECENT.get(tree)
