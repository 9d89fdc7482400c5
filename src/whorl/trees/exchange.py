"""Conversion of trees to and from plain dictionaries, as for JSON, and NLTK's trees."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from whorl.errors import TreeError
from whorl.escapes import escape_brackets
from whorl.extras import import_extra
from whorl.trees.tree import Leaf, Node, Tree
from whorl.trees.uncertainty import Probabilities, zip_phrases

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


def to_nltk(tree: Tree, probabilities: Probabilities | None = None) -> Any:
    """Convert a tree to an `nltk.Tree`; brackets in words are escaped, as in NLTK's corpora.

    With `probabilities`, one for each of `tree.phrases()`, it is an `nltk.ProbabilisticTree`: a
    probability that is None becomes NaN, and tags have probability 1.
    """
    nltk = import_extra("nltk.tree")
    if probabilities is None:
        return tree.rebuild(
            leaf=lambda leaf: nltk.Tree(leaf.tag, [escape_brackets(leaf.word)]),
            phrase=lambda node, children: nltk.Tree(node.label, list(children)),
        )
    # A node has its place in the tree, so none occurs twice.
    probability_of = {
        id(node): math.nan if probability is None else probability
        for node, probability in zip_phrases(tree, probabilities)
    }
    return tree.rebuild(
        leaf=lambda leaf: nltk.ProbabilisticTree(leaf.tag, [escape_brackets(leaf.word)], prob=1.0),
        phrase=lambda node, children: nltk.ProbabilisticTree(
            node.label, list(children), prob=probability_of[id(node)]
        ),
    )


def from_nltk(nltk_tree: Any) -> Tree:
    """Undo `to_nltk`; a pair `(word, tag)`, as in NLTK's chunk trees, is a leaf as well."""
    try:
        return _build(nltk_tree, _nltk_children, _nltk_leaf, lambda node: node.label())
    except (AttributeError, TypeError, IndexError) as error:
        raise TreeError(
            f"not an NLTK tree with a tag over every word: {nltk_tree!r:.100}"
        ) from error


def _dict_leaf(node: Mapping[str, Any], left: int) -> Leaf:
    return Leaf(node["tag"], node["word"], left)


def _nltk_children(node: Any) -> list[Any] | None:
    if isinstance(node, tuple) or (len(node) == 1 and isinstance(node[0], str)):
        return None
    return list(node)


def _nltk_leaf(node: Any, left: int) -> Leaf:
    if isinstance(node, tuple):
        if len(node) != 2 or not all(isinstance(part, str) for part in node):
            raise TypeError(f"expected a word and its tag, not {node!r}")
        return Leaf(node[1], node[0], left)
    return Leaf(node.label(), node[0], left)


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
