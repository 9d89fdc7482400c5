"""The trees that operations insert, as `(NP (DT the) NN@=n)` in an operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from whorl.search.editing.draft import DraftNode

__all__ = ["Graft", "Template", "TemplateNode"]


class TemplateNode(NamedTuple):
    """A node of a template: its label, its name or "", and how many children it has."""

    label: str
    name: str
    arity: int


class Graft(NamedTuple):
    """A copy of a template: its root, its foot and the node above the foot, if there are any."""

    root: DraftNode
    foot: DraftNode | None
    above_foot: DraftNode | None
    names: dict[str, DraftNode]


class Template:
    """A tree to insert: its nodes, parents first, and the number of its foot, or -1."""

    def __init__(self, nodes: Sequence[TemplateNode], foot: int = -1) -> None:
        self.nodes = tuple(nodes)
        self.foot = foot

    @property
    def names(self) -> tuple[str, ...]:
        """The names that later operations may use."""
        return tuple(node.name for node in self.nodes if node.name)

    def graft(self) -> Graft:
        """Make a fresh copy."""
        copies = [DraftNode(node.label) for node in self.nodes]
        above_foot = None
        path: list[tuple[DraftNode, int]] = []
        for number, (copy, node) in enumerate(zip(copies, self.nodes, strict=True)):
            if path:
                parent, missing = path.pop()
                parent.children.append(copy)
                if missing > 1:
                    path.append((parent, missing - 1))
                if number == self.foot:
                    above_foot = parent
            if node.arity:
                path.append((copy, node.arity))
        names = {
            node.name: copy for node, copy in zip(self.nodes, copies, strict=True) if node.name
        }
        foot = copies[self.foot] if self.foot >= 0 else None
        return Graft(copies[0], foot, above_foot, names)
