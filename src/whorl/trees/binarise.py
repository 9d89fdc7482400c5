"""Binarisation by heads, and back: what the binary bottom-up transition system needs (§1, Figure 1 of the paper)."""

from __future__ import annotations

from whorl.errors import TreeError
from whorl.trees.heads import HeadRules
from whorl.trees.labels import TEMPORARY, is_temporary
from whorl.trees.splice import splice_where
from whorl.trees.tree import Leaf, Node, Tree, make_tree

__all__ = ["binarise", "unbinarise"]


def binarise(tree: Tree, rules: HeadRules) -> Tree:
    """Give every phrase at most two children, with temporary symbols `X*` below `X`.

    From the head outward, first the siblings to its right, then those to its left, the nearest first.
    """

    def phrase(node: Tree, children: tuple[Node, ...]) -> Tree:
        if is_temporary(node.label):
            raise TreeError(
                f"cannot binarise a tree with the label {node.label!r}: {TEMPORARY!r} ends temporary symbols"
            )
        if len(children) <= 2:
            return make_tree(node.label, children, node.left, node.right)
        return _two_at_a_time(node.label, children, rules.head_of(node))

    binary: Tree = tree.rebuild(leaf=_same, phrase=phrase)
    return binary


def _same(leaf: Leaf) -> Leaf:
    return leaf


def _two_at_a_time(label: str, children: tuple[Node, ...], head: int) -> Tree:
    temporary = label + TEMPORARY
    built = children[head]
    for sibling in children[head + 1 :]:
        built = make_tree(temporary, (built, sibling), built.left, sibling.right)
    for sibling in reversed(children[:head]):
        built = make_tree(temporary, (sibling, built), sibling.left, built.right)
    return make_tree(label, built.children, built.left, built.right)


def unbinarise(tree: Tree) -> Tree:
    """Undo `binarise`: the children of each `X*` move up to the `X` that it belongs to."""
    if is_temporary(tree.label):
        raise TreeError(
            f"cannot undo binarisation: the temporary symbol {tree.label!r} is the root"
        )
    return splice_where(tree, _belongs)


def _belongs(node: Tree, above: Tree) -> bool:
    """Whether a node is a temporary symbol, which must then be that of the phrase above."""
    if not is_temporary(node.label):
        return False
    if above.label not in (node.label, node.label.removesuffix(TEMPORARY)):
        raise TreeError(
            f"cannot undo binarisation: the temporary symbol {node.label!r} is below {above.label!r}; "
            f"expected it below {node.label.removesuffix(TEMPORARY)!r} or {node.label!r}"
        )
    return True
