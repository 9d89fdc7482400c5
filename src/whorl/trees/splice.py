"""Removing phrases from a tree so that their children move up, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from whorl.trees.tree import Node, Tree, make_tree

__all__ = ["splice_where"]


def splice_where(tree: Tree, is_spliced: Callable[[Tree, Tree], bool]) -> Tree:
    """Remove each phrase for which `is_spliced(phrase, parent)` holds; the root stays."""
    path: list[tuple[Tree, Iterator[Node], list[Node], bool]] = [
        (tree, iter(tree.children), [], False)
    ]
    while True:
        node, rest, children, spliced = path[-1]
        for child in rest:
            if type(child) is Tree:
                splice = is_spliced(child, node)
                # The children of a spliced phrase go straight to the phrase above.
                path.append((child, iter(child.children), children if splice else [], splice))
                break
            children.append(child)
        else:
            path.pop()
            if spliced:
                continue
            phrase = make_tree(node.label, tuple(children), node.left, node.right)
            if not path:
                return phrase
            path[-1][2].append(phrase)
