"""What operations refer to: nodes by their names, and places in the tree."""

from __future__ import annotations

from typing import NamedTuple

from whorl.search.editing.draft import Draft, DraftNode, RefusedError

__all__ = ["NodeName", "Place"]


class NodeName(NamedTuple):
    """The name of a node, and where it stands in the operation, for messages."""

    name: str
    position: int

    def find(self, draft: Draft) -> DraftNode:
        """Return the node, which need not be part of the tree any more."""
        node = draft.names.get(self.name)
        if node is None:
            raise self.refuse(
                f"no node has the name {self.name!r} in this match; expected "
                f"'if exists {self.name}' before the operation"
            )
        return node

    def find_below(self, draft: Draft, parents: dict[int, DraftNode]) -> DraftNode | None:
        """Return the parent of the node, or None for the root."""
        node = self.find(draft)
        if node is draft.root:
            return None
        parent = parents.get(id(node))
        if parent is None:
            raise self.refuse(
                f"the node {self.name!r} is no longer part of the tree; expected one that no "
                "operation before has removed or, with adjoin, replaced"
            )
        return parent

    def refuse(self, reason: str) -> RefusedError:
        """Return the error that points at this name."""
        return RefusedError(reason, self.position)


class Place(NamedTuple):
    """A place in the tree, relative to a node.

    `child` is the number of a child, counted from 1, or from the end from -1. Without it, the place
    is that of a sister: before the node, or after it.
    """

    node: NodeName
    child: int | None = None
    after: bool = False

    def find(self, draft: Draft) -> tuple[DraftNode, int]:
        """Return the node that gets a child, and the index of that child."""
        if self.child is None:
            parent = self.node.find_below(draft, draft.parents())
            if parent is None:
                raise self.node.refuse(
                    f"{self.node.name!r} is the root, which has no sisters; expected a place below "
                    f"it, such as >1 {self.node.name}"
                )
            return parent, parent.children.index(self.node.find(draft)) + self.after
        parent = self.node.find(draft)
        count = len(parent.children)
        index = self.child - 1 if self.child >= 0 else count + 1 + self.child
        if index > count:
            raise self.node.refuse(
                f"there is no place >{self.child}: {self.node.name!r} has "
                f"{count} {'child' if count == 1 else 'children'}; expected at most >{count + 1}"
            )
        return parent, max(index, 0)
