"""Trees in columns, one word per line, as in the CoNLL-2012 shared task.

The columns, separated by tabs, are the number of the word from 1, the word, its tag, and its part
of the tree: the phrases that open before it, `*` for the word, and a bracket for each phrase that
closes after it, such as `(S(NP*` and `*))`.
"""

from __future__ import annotations

from whorl.trees.tree import Leaf, Node, Tree

__all__ = ["conll_rows"]


def conll_rows(tree: Tree) -> list[str]:
    """Return the rows of a tree. The parts, joined, are the tree with `*` for each leaf."""
    rows: list[str] = []
    opened = ""
    pending: list[Node | None] = [tree]  # None closes the phrase that is open
    while pending:
        node = pending.pop()
        if node is None:
            rows[-1] += ")"
        elif type(node) is Leaf:
            rows.append(f"{len(rows) + 1}\t{node.word}\t{node.tag}\t{opened}*")
            opened = ""
        else:
            opened += f"({node.label}"
            pending.append(None)
            pending.extend(node.children[::-1])
    return rows
