"""Parsed trees under gold tags, so that what counts does not depend on a parser's tags."""

from __future__ import annotations

from whorl.trees import Tree
from whorl.trees.tree import make_tree

__all__ = ["with_gold_tags"]


def with_gold_tags(gold: Tree, parsed: Tree) -> Tree:
    """Return a parsed tree with the words and tags of the gold tree, which has as many."""
    leaves = gold.leaves()
    tree: Tree = parsed.rebuild(
        leaf=lambda leaf: leaves[leaf.left],
        phrase=lambda node, children: make_tree(node.label, children, node.left, node.right),
    )
    return tree
