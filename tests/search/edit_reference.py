"""Slow, obviously correct edits: functions from nested tuples to nested tuples.

A node is `(label, children)`, a word has no children. Places are paths of indices from the root.
"""

from __future__ import annotations

from whorl.trees import Leaf


def nested(tree):
    if isinstance(tree, Leaf):
        word = (tree.word, ())
        return (tree.tag, (word,)) if tree.tag else word
    return tree.label, tuple(map(nested, tree.children))


def written(node):
    label, children = node
    return f"({label} {' '.join(map(written, children))})" if children else label


def paths(node, path=()):
    """The paths of all nodes, the root's first."""
    below = [p for i, child in enumerate(node[1]) for p in paths(child, (*path, i))]
    return [path, *below]


def at(node, path):
    for index in path:
        node = node[1][index]
    return node


def splice(node, path, new):
    """Put nodes into the place of the one at a path that is not the root's."""
    label, children = node
    index, *rest = path
    here = [splice(children[index], rest, new)] if rest else list(new)
    return label, (*children[:index], *here, *children[index + 1 :])


def change(node, path, new):
    return splice(node, path, [new]) if path else new


def delete(node, path):
    return splice(node, path, [])


def prune(node, path):
    """Remove a node, with the highest ancestor that has no other words."""
    while path and len(at(node, path[:-1])[1]) == 1:
        path = path[:-1]
    return delete(node, path) if path else None


def insert(node, path, index, new):
    label, children = at(node, path)
    return change(node, path, (label, (*children[:index], new, *children[index:])))


def excise(node, top, bottom):
    children = at(node, bottom)[1]
    if top:
        return splice(node, top, children)
    return children[0] if len(children) == 1 else None


def create_subtree(node, parent, first, last, label):
    old, children = at(node, parent)
    inner = (label, children[first : last + 1])
    return change(node, parent, (old, (*children[:first], inner, *children[last + 1 :])))


def adjoin(node, path):
    """Adjoin `(X (Y y) F@)`."""
    return change(node, path, ("X", (("Y", (("y", ()),)), ("F", at(node, path)[1]))))


def adjoin_to_foot(node, path):
    return change(node, path, ("X", (("Y", (("y", ()),)), at(node, path))))


def adjoin_to_head(node, path):
    label, children = at(node, path)
    return change(node, path, (label, (("Y", (("y", ()),)), ("F", children))))
