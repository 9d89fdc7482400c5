"""What each operation does to a tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from whorl.search.editing.draft import Draft, DraftNode, copy_node
from whorl.search.editing.labels import NewLabel, fits_in_brackets
from whorl.search.editing.references import NodeName, Place
from whorl.search.editing.templates import Graft, Template

__all__ = [
    "Adjoin",
    "AdjoinToFoot",
    "AdjoinToHead",
    "Coindex",
    "CreateSubtree",
    "Delete",
    "Excise",
    "IfExists",
    "Insert",
    "Move",
    "Operation",
    "Prune",
    "Relabel",
    "Replace",
    "Steps",
]


class Operation(ABC):
    """A change of a tree around the nodes of a match."""

    @abstractmethod
    def apply(self, draft: Draft) -> None:
        """Change the tree."""


@dataclass(frozen=True)
class Steps(Operation):
    """`[operation] [operation]`: one after the other."""

    parts: Sequence[Operation]

    def apply(self, draft: Draft) -> None:
        """Stop early if no tree is left."""
        for part in self.parts:
            if draft.root is None:
                return
            part.apply(draft)


@dataclass(frozen=True)
class IfExists(Operation):
    """`if exists name operation`, or `if not exists`."""

    name: str
    negated: bool
    then: Operation

    def apply(self, draft: Draft) -> None:
        """Look whether the match has a node with the name."""
        if (self.name in draft.names) is not self.negated:
            self.then.apply(draft)


@dataclass(frozen=True)
class Relabel(Operation):
    """`relabel name label`."""

    node: NodeName
    label: NewLabel

    def apply(self, draft: Draft) -> None:
        """Change the label."""
        node = self.node.find(draft)
        label = self.label.make(node.label, draft)
        if not fits_in_brackets(label):
            raise self.node.refuse(
                f"the new label {label!r} has white space or a bracket; expected none"
            )
        if not label and not (node is draft.root and node.children):
            raise self.node.refuse(
                f"the label {node.label!r} would become empty; only the root may be without one"
            )
        node.label = label


@dataclass(frozen=True)
class Delete(Operation):
    """`delete name …`: removes nodes; a parent without children becomes a word."""

    nodes: Sequence[NodeName]

    def apply(self, draft: Draft) -> None:
        """Remove one after the other."""
        for name in self.nodes:
            parent = name.find_below(draft, draft.parents())
            if parent is None:
                raise name.refuse(
                    f"{name.name!r} is the root, which cannot be deleted; expected prune, which "
                    "leaves no tree"
                )
            parent.children.remove(name.find(draft))


@dataclass(frozen=True)
class Prune(Operation):
    """`prune name …`: removes nodes, and then parents without children."""

    nodes: Sequence[NodeName]

    def apply(self, draft: Draft) -> None:
        """Remove one after the other; the tree is gone if one of them takes the root along."""
        vanished = False
        for name in self.nodes:
            parents = draft.parents()
            name.find_below(draft, parents)
            vanished |= _prune(name.find(draft), parents)
        if vanished:
            draft.root = None


def _prune(node: DraftNode, parents: dict[int, DraftNode]) -> bool:
    """Remove a node and the ancestors that it leaves empty; return whether the root is empty."""
    while (parent := parents.get(id(node))) is not None:
        parent.children.remove(node)
        if parent.children:
            return False
        node = parent
    return True


@dataclass(frozen=True)
class Excise(Operation):
    """`excise top bottom`: the children of the lower node take the place of the upper one."""

    top: NodeName
    bottom: NodeName

    def apply(self, draft: Draft) -> None:
        """Remove what lies between."""
        parents = draft.parents()
        parent = self.top.find_below(draft, parents)
        top, bottom = self.top.find(draft), self.bottom.find(draft)
        if not _is_within(bottom, top, parents):
            raise self.bottom.refuse(
                f"{self.bottom.name!r} is not below {self.top.name!r}; expected the upper node "
                "first, then the same or a lower one"
            )
        if parent is not None:
            index = parent.children.index(top)
            parent.children[index : index + 1] = bottom.children
        else:
            draft.root = bottom.children[0] if len(bottom.children) == 1 else None


def _is_within(node: DraftNode, top: DraftNode, parents: dict[int, DraftNode]) -> bool:
    """Return whether a node is another one or lies below it."""
    current: DraftNode | None = node
    while current is not None and current is not top:
        current = parents.get(id(current))
    return current is top


@dataclass(frozen=True)
class Insert(Operation):
    """`insert tree place`, or `insert name place`, which inserts a copy."""

    what: Template | NodeName
    place: Place

    def apply(self, draft: Draft) -> None:
        """Insert it."""
        new, names = _new_node(self.what, draft)
        parent, index = self.place.find(draft)
        parent.children.insert(index, new)
        draft.names.update(names)


def _new_node(what: Template | NodeName, draft: Draft) -> tuple[DraftNode, dict[str, DraftNode]]:
    """Return a copy of a template or a node, and the names of its nodes."""
    if isinstance(what, NodeName):
        return copy_node(what.find(draft)), {}
    graft = what.graft()
    return graft.root, graft.names


@dataclass(frozen=True)
class Move(Operation):
    """`move name place`; with `prune`, `moveprune name place`."""

    node: NodeName
    place: Place
    prune: bool

    def apply(self, draft: Draft) -> None:
        """Take it out, then look for the place."""
        parents = draft.parents()
        parent = self.node.find_below(draft, parents)
        if parent is None:
            raise self.node.refuse(f"{self.node.name!r} is the root, which has nowhere to go")
        self.place.node.find_below(draft, parents)
        node = self.node.find(draft)
        if _is_within(self.place.node.find(draft), node, parents):
            raise self.place.node.refuse(
                f"{self.place.node.name!r} is part of {self.node.name!r}, which moves; expected a "
                "place outside"
            )
        parent.children.remove(node)
        target, index = self.place.find(draft)
        target.children.insert(index, node)
        if self.prune:
            _prune_empty(parent, parents)


def _prune_empty(node: DraftNode, parents: dict[int, DraftNode]) -> None:
    """Remove a node without children, and the ancestors that it leaves empty, but the root."""
    while not node.children and (parent := parents.get(id(node))) is not None:
        parent.children.remove(node)
        node = parent


@dataclass(frozen=True)
class Replace(Operation):
    """`replace name tree …`, or `replace name name`, which takes a copy."""

    node: NodeName
    by: Sequence[Template | NodeName]

    def apply(self, draft: Draft) -> None:
        """Take the node out, then put the others into its place."""
        parent = self.node.find_below(draft, draft.parents())
        if parent is None:
            if len(self.by) > 1:
                raise self.node.refuse(
                    f"{self.node.name!r} is the root; expected one tree to replace it, "
                    f"not {len(self.by)}"
                )
            self._replace_root(self.by[0], draft)
            return
        index = parent.children.index(self.node.find(draft))
        del parent.children[index]
        for what in self.by:
            new, names = _new_node(what, draft)
            parent.children.insert(index, new)
            draft.names.update(names)
            index += 1

    @staticmethod
    def _replace_root(what: Template | NodeName, draft: Draft) -> None:
        if isinstance(what, NodeName):
            draft.root = what.find(draft)
        else:
            draft.root, names = _new_node(what, draft)
            draft.names.update(names)


@dataclass(frozen=True)
class CreateSubtree(Operation):
    """`createSubtree label first last`: a new node, or tree, over neighbouring sisters."""

    template: Template
    first: NodeName
    last: NodeName

    def apply(self, draft: Draft) -> None:
        """Put the sisters, and what is between them, below the foot of the new tree."""
        parents = draft.parents()
        parent = self.first.find_below(draft, parents)
        if parent is None:
            raise self.first.refuse(
                f"{self.first.name!r} is the root, which has no sisters; expected adjoinF, as in "
                f"adjoinF (TOP S@) {self.first.name}"
            )
        if self.last.find_below(draft, parents) is not parent:
            raise self.last.refuse(
                f"{self.first.name!r} and {self.last.name!r} have different parents; expected "
                "sisters"
            )
        ends = [parent.children.index(name.find(draft)) for name in (self.first, self.last)]
        start, end = min(ends), max(ends) + 1
        graft = self.template.graft()
        foot = graft.root if graft.foot is None else graft.foot
        foot.children = parent.children[start:end]
        parent.children[start:end] = [graft.root]
        draft.names.update(graft.names)


@dataclass(frozen=True)
class Adjoin(Operation):
    """`adjoin tree name`: the tree replaces the node, whose children go below the tree's foot.

    The name then stands for the old node, which is no longer part of the tree.
    """

    template: Template
    node: NodeName

    def apply(self, draft: Draft) -> None:
        """Put the tree into the place of the node."""
        parent = self.node.find_below(draft, draft.parents())
        node = self.node.find(draft)
        graft = self.template.graft()
        self._attach(node, graft)
        if parent is None:
            draft.root = graft.root
        else:
            parent.children[parent.children.index(node)] = graft.root
        draft.names.update(graft.names)

    def _attach(self, node: DraftNode, graft: Graft) -> None:
        if graft.foot is not None:
            graft.foot.children = list(node.children)


class AdjoinToFoot(Adjoin):
    """`adjoinF tree name`: likewise, but the node itself becomes the foot of the tree."""

    def _attach(self, node: DraftNode, graft: Graft) -> None:
        if graft.above_foot is not None and graft.foot is not None:
            siblings = graft.above_foot.children
            siblings[siblings.index(graft.foot)] = node


class AdjoinToHead(Adjoin):
    """`adjoinH tree name`: likewise, but the node itself becomes the root of the tree."""

    def apply(self, draft: Draft) -> None:
        """Put the children of the tree's root below the node."""
        node = self.node.find(draft)
        graft = self.template.graft()
        self._attach(node, graft)
        node.children = graft.root.children
        draft.names.update(graft.names)


@dataclass(frozen=True)
class Coindex(Operation):
    """`coindex name …`: a new index on all of them."""

    nodes: Sequence[NodeName]

    def apply(self, draft: Draft) -> None:
        """Extend the labels."""
        index = draft.new_index()
        for name in self.nodes:
            name.find(draft).label += f"-{index}"
