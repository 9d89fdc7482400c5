"""Trees in the terms of others: plain dictionaries, as for JSON, and the trees of NLTK."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from whorl.errors import TreeError
from whorl.escapes import escape_brackets
from whorl.trees.tree import Leaf, Node, Tree

__all__ = ["from_dict", "from_nltk", "to_dict", "to_nltk"]


def to_dict(tree: Tree) -> dict[str, Any]:
    """A tree as `{"label": …, "children": […]}`, its words as `{"tag": …, "word": …}`."""
    found: dict[str, Any] = tree.rebuild(
        leaf=lambda leaf: {"tag": leaf.tag, "word": leaf.word},
        phrase=lambda node, children: {"label": node.label, "children": list(children)},
    )
    return found


def from_dict(given: Mapping[str, Any]) -> Tree:
    """Undo `to_dict`."""
    try:
        return _tree(
            given, lambda node: node.get("children"), _dict_leaf, lambda node: node["label"]
        )
    except (KeyError, AttributeError, TypeError) as error:
        raise TreeError(f"not a tree as a dictionary: {given!r:.100}") from error


def to_nltk(tree: Tree) -> Any:
    """A tree of NLTK: as in its corpora, brackets in words are escaped."""
    try:
        made = import_module("nltk.tree").Tree
    except ImportError as error:
        raise TreeError("this needs NLTK, which is not installed: pip install nltk") from error
    return tree.rebuild(
        leaf=lambda leaf: made(leaf.tag, [escape_brackets(leaf.word)]),
        phrase=lambda node, children: made(node.label, list(children)),
    )


def from_nltk(given: Any) -> Tree:
    """Undo `to_nltk`."""
    try:
        return _tree(
            given,
            _nltk_children,
            lambda node, left: Leaf(node.label(), node[0], left),
            lambda node: node.label(),
        )
    except (AttributeError, TypeError, IndexError) as error:
        raise TreeError(f"not a tree of NLTK with a tag over every word: {given!r:.100}") from error


def _dict_leaf(node: Mapping[str, Any], left: int) -> Leaf:
    return Leaf(node["tag"], node["word"], left)


def _nltk_children(node: Any) -> list[Any] | None:
    return None if len(node) == 1 and isinstance(node[0], str) else list(node)


def _tree(given: Any, children: Any, leaf: Any, label: Any) -> Tree:
    """Build a tree from nodes of another kind, without recursion."""
    path: list[tuple[Any, list[Any], list[Node]]] = []
    position = 0
    node = given
    while True:
        below = children(node)
        made: Node
        if below is not None:
            path.append((node, list(below)[::-1], []))
        else:
            made = leaf(node, position)
            position += 1
            if not path:
                raise TreeError(f"a word alone is not a tree: {made}")
            path[-1][2].append(made)
        while path and not path[-1][1]:
            done, _, results = path.pop()
            made = Tree(label(done), results)
            if not path:
                return made
            path[-1][2].append(made)
        node = path[-1][1].pop()
