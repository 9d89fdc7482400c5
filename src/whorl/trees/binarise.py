"""Binarisation by heads and its inverse, for the binary system (§1 and Figure 1 of the paper)."""

from __future__ import annotations

from whorl.errors import TreeError
from whorl.trees.heads import HeadRules
from whorl.trees.labels import TEMPORARY, is_temporary
from whorl.trees.splice import splice_where
from whorl.trees.tree import Node, Tree, make_tree

__all__ = ["binarise", "unbinarise"]


def binarise(tree: Tree, rules: HeadRules) -> Tree:
    """Give every phrase at most two children, with temporary symbols `X*` below `X`.

    Siblings join from the head outward: first those to its right, then those to its left.
    """

    def phrase(node: Tree, children: tuple[Node, ...]) -> Tree:
        if is_temporary(node.label):
            raise TreeError(
                f"cannot binarise a tree with the label {node.label!r}: "
                f"{TEMPORARY!r} ends temporary symbols"
            )
        if len(children) <= 2:
            return make_tree(node.label, children, node.left, node.right)
        return _join_pairwise(node.label, children, rules.head_of(node))

    binary: Tree = tree.rebuild(leaf=lambda leaf: leaf, phrase=phrase)
    return binary


def _join_pairwise(label: str, children: tuple[Node, ...], head: int) -> Tree:
    temporary = label + TEMPORARY
    built = children[head]
    for sibling in children[head + 1 :]:
        built = make_tree(temporary, (built, sibling), built.left, sibling.right)
    for sibling in reversed(children[:head]):
        built = make_tree(temporary, (sibling, built), sibling.left, built.right)
    return make_tree(label, built.children, built.left, built.right)


def unbinarise(tree: Tree) -> Tree:
    """Undo `binarise`: the children of each `X*` move up to its `X`."""
    if is_temporary(tree.label):
        raise TreeError(
            f"cannot undo binarisation: the temporary symbol {tree.label!r} is the root"
        )
    return splice_where(tree, _is_temporary_part)


def _is_temporary_part(node: Tree, above: Tree) -> bool:
    """Return whether a node is a temporary symbol; it must be that of the phrase above."""
    if not is_temporary(node.label):
        return False
    if above.label not in (node.label, node.label.removesuffix(TEMPORARY)):
        raise TreeError(
            f"cannot undo binarisation: the temporary symbol {node.label!r} is below "
            f"{above.label!r}; expected it below {node.label.removesuffix(TEMPORARY)!r} "
            f"or {node.label!r}"
        )
    return True
