"""The mutable copy of a tree that operations work on, and the way back to an immutable tree.

Words are nodes here too, in the form of files. A node without children is a word, whatever it was
before: a phrase that lost all its children becomes a word without a tag, as in Tsurgeon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whorl.escapes import canonical
from whorl.search.table import NodeTable
from whorl.trees.tree import Leaf, Node, make_leaf, make_tree

__all__ = [
    "Draft",
    "DraftNode",
    "RefusedError",
    "build_tree",
    "copy_node",
    "draft_nodes",
    "highest_index",
    "tabulate",
]

_LARGEST_INDEX = 2**31 - 1


class DraftNode:
    """A node that can change."""

    __slots__ = ("children", "label")

    def __init__(self, label: str, children: list[DraftNode] | None = None) -> None:
        self.label = label
        self.children: list[DraftNode] = [] if children is None else children


class RefusedError(Exception):
    """An operation that the tree does not allow: why, and the name it is about. Never outside."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


class Draft:
    """A tree during the operations for one match; `root` is None once no tree is left.

    `names` and `variables` are those of the match; trees that are inserted may add names.
    """

    def __init__(
        self,
        root: DraftNode,
        names: dict[str, DraftNode],
        variables: Mapping[str, str],
        labels: Sequence[str],
    ) -> None:
        self.root: DraftNode | None = root
        self.names = names
        self.variables = variables
        self._labels = labels
        self._last_index = -1

    def parents(self) -> dict[int, DraftNode]:
        """Return the parent of every node but the root, by the node's id."""
        parents: dict[int, DraftNode] = {}
        pending = [] if self.root is None else [self.root]
        while pending:
            node = pending.pop()
            if node.children:
                pending += node.children
                for child in node.children:
                    parents[id(child)] = node
        return parents

    def new_index(self) -> int:
        """Return an index that was on no label before the first operation, nor given out since."""
        if self._last_index < 0:
            self._last_index = highest_index(self._labels)
        self._last_index += 1
        return self._last_index


def highest_index(labels: Sequence[str]) -> int:
    """Return the highest index on labels and words such as `NP-1` and `*T*-2`, or 0."""
    highest = 0
    for label in labels:
        stem, _, index = label.rpartition("-")
        if stem and index.isascii() and index.isdigit() and len(index) <= 10:
            number = int(index)
            if highest < number <= _LARGEST_INDEX:
                highest = number
    return highest


def draft_nodes(table: NodeTable) -> list[DraftNode]:
    """Return a mutable copy of a tree: its nodes, numbered as in the table."""
    nodes = [DraftNode(label) for label in table.labels]
    parents = table.parents
    for number in range(1, len(nodes)):
        nodes[parents[number]].children.append(nodes[number])
    return nodes


def tabulate(root: DraftNode) -> tuple[NodeTable, list[DraftNode]]:
    """Return the table of a mutable tree, to search it, and its nodes as the table numbers them."""
    nodes: list[DraftNode] = []
    pending = [root]
    while pending:
        node = pending.pop()
        nodes.append(node)
        if node.children:
            pending += node.children[::-1]
    labels = [node.label for node in nodes]
    return NodeTable(labels, [len(node.children) for node in nodes], nodes), nodes


def copy_node(node: DraftNode) -> DraftNode:
    """Copy a node with everything below it."""
    copy = DraftNode(node.label)
    pending = [(node, copy)]
    while pending:
        old, new = pending.pop()
        for child in old.children:
            twin = DraftNode(child.label)
            new.children.append(twin)
            pending.append((child, twin))
    return copy


def build_tree(table: NodeTable, left: int) -> Node:
    """Build the tree of a table; its first word is number `left`."""
    built: list[Node] = []
    position = left + sum(not arity for arity in table.arities)
    for label, arity in zip(reversed(table.labels), reversed(table.arities), strict=True):
        if not arity:
            position -= 1
            built.append(make_leaf("", canonical(label), position))
            continue
        last = built[-1]
        if arity == 1 and type(last) is Leaf and not last.tag:
            built[-1] = make_leaf(label, last.word, position)
            continue
        children = tuple(built[: -arity - 1 : -1])
        del built[-arity:]
        built.append(make_tree(label, children, position, children[-1].right))
    return built[0]
