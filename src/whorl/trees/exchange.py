"""Conversion of trees to and from plain dictionaries, as for JSON, and NLTK's trees."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from whorl.errors import TreeError
from whorl.escapes import escape_brackets
from whorl.trees.tree import Leaf, Node, Tree

__all__ = ["from_dict", "from_nltk", "to_dict", "to_nltk"]


def to_dict(tree: Tree) -> dict[str, Any]:
    """Convert a tree to `{"label": …, "children": […]}` with words `{"tag": …, "word": …}`."""
    dictionary: dict[str, Any] = tree.rebuild(
        leaf=lambda leaf: {"tag": leaf.tag, "word": leaf.word},
        phrase=lambda node, children: {"label": node.label, "children": list(children)},
    )
    return dictionary


def from_dict(dictionary: Mapping[str, Any]) -> Tree:
    """Undo `to_dict`."""
    try:
        return _build(
            dictionary, lambda node: node.get("children"), _dict_leaf, lambda node: node["label"]
        )
    except (KeyError, AttributeError, TypeError) as error:
        raise TreeError(f"not the dictionary of a tree: {dictionary!r:.100}") from error


def to_nltk(tree: Tree) -> Any:
    """Convert a tree to an `nltk.Tree`; brackets in words are escaped, as in NLTK's corpora."""
    try:
        nltk_tree = import_module("nltk.tree").Tree
    except ImportError as error:
        raise TreeError("this needs NLTK, which is not installed: pip install nltk") from error
    return tree.rebuild(
        leaf=lambda leaf: nltk_tree(leaf.tag, [escape_brackets(leaf.word)]),
        phrase=lambda node, children: nltk_tree(node.label, list(children)),
    )


def from_nltk(nltk_tree: Any) -> Tree:
    """Undo `to_nltk`."""
    try:
        return _build(
            nltk_tree,
            _nltk_children,
            lambda node, left: Leaf(node.label(), node[0], left),
            lambda node: node.label(),
        )
    except (AttributeError, TypeError, IndexError) as error:
        raise TreeError(
            f"not an NLTK tree with a tag over every word: {nltk_tree!r:.100}"
        ) from error


def _dict_leaf(node: Mapping[str, Any], left: int) -> Leaf:
    return Leaf(node["tag"], node["word"], left)


def _nltk_children(node: Any) -> list[Any] | None:
    return None if len(node) == 1 and isinstance(node[0], str) else list(node)


def _build(root: Any, children: Any, leaf: Any, label: Any) -> Tree:
    """Build a tree from nodes of another kind, without recursion."""
    path: list[tuple[Any, list[Any], list[Node]]] = []
    position = 0
    node = root
    while True:
        below = children(node)
        built: Node
        if below is not None:
            path.append((node, list(below)[::-1], []))
        else:
            built = leaf(node, position)
            position += 1
            if not path:
                raise TreeError(f"a single word is not a tree: {built}")
            path[-1][2].append(built)
        while path and not path[-1][1]:
            done, _, results = path.pop()
            built = Tree(label(done), results)
            if not path:
                return built
            path[-1][2].append(built)
        node = path[-1][1].pop()
