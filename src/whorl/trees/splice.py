"""Taking phrases out of a tree so that their children move up, in one pass however deep or wide it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from whorl.trees.tree import Node, Tree, make_tree

__all__ = ["splice_where"]


def splice_where(tree: Tree, gone: Callable[[Tree, Tree], bool]) -> Tree:
    """Take out each phrase for which `gone(phrase, the phrase above it)` holds; the root stays."""
    path: list[tuple[Tree, Iterator[Node], list[Node], bool]] = [
        (tree, iter(tree.children), [], False)
    ]
    while True:
        node, rest, found, going = path[-1]
        for child in rest:
            if type(child) is Tree:
                goes = gone(child, node)
                path.append((child, iter(child.children), found if goes else [], goes))
                break
            found.append(child)
        else:
            path.pop()
            if going:
                continue  # its children went straight to the phrase above
            whole = make_tree(node.label, tuple(found), node.left, node.right)
            if not path:
                return whole
            path[-1][2].append(whole)
