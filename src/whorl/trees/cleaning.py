"""Cleaning: from the trees that a treebank is distributed with to the trees that a parser learns.

Each step is a function of its own; `Cleaning` is the choice of steps, in the order in which they belong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import count

from whorl.trees.labels import strip_function_tags
from whorl.trees.splice import splice_where
from whorl.trees.tree import Leaf, Node, Tree, make_leaf, make_tree

__all__ = [
    "Cleaning",
    "add_root",
    "collapse_loops",
    "first_alternative",
    "map_words",
    "normalise_root",
    "relabel",
    "remove_traces",
    "splice",
    "strip_root",
    "unescape_slashes",
]

TRACE = "-NONE-"
"""The tag of what is not there: traces, null complementisers, ellipses."""

ROOTS = frozenset({"", "ROOT", "TOP", "S1", "VROOT"})
"""What treebanks and parsers call the node above the sentence."""


def remove_traces(tree: Tree) -> Tree | None:
    """Leave out the leaves tagged `-NONE-` and the phrases that are then empty; None where nothing is left."""
    if all(leaf.tag != TRACE for leaf in tree.leaves()):
        return tree
    position = count(tree.left)

    def leaf(node: Leaf) -> Leaf | None:
        return None if node.tag == TRACE else node.at(next(position))

    def phrase(node: Tree, children: tuple[Node, ...]) -> Tree | None:
        return (
            make_tree(node.label, children, children[0].left, children[-1].right)
            if children
            else None
        )

    left: Tree | None = tree.rebuild(leaf=leaf, phrase=phrase)
    return left


def relabel(
    tree: Tree, phrase: Callable[[str], str], tag: Callable[[str], str] | None = None
) -> Tree:
    """Map the label of every phrase, and with `tag` that of every word."""

    def new_leaf(leaf: Leaf) -> Leaf:
        return leaf if tag is None else make_leaf(tag(leaf.tag), leaf.word, leaf.left)

    def new_phrase(node: Tree, children: tuple[Node, ...]) -> Tree:
        return make_tree(phrase(node.label), children, node.left, node.right)

    renamed: Tree = tree.rebuild(leaf=new_leaf, phrase=new_phrase)
    return renamed


def first_alternative(label: str) -> str:
    """Of a label that leaves a choice, such as `PRT|ADVP`, the first."""
    return label.partition("|")[0] or label


def splice(tree: Tree, labels: Collection[str]) -> Tree:
    """Take out the phrases with these labels; their children move up. The root stays whatever its label."""
    if not any(node.label in labels for node in tree.phrases()):
        return tree
    return splice_where(tree, lambda node, above: node.label in labels)


def collapse_loops(tree: Tree) -> Tree:
    """Make one phrase of each X that is the only child of an X."""

    def phrase(node: Tree, children: tuple[Node, ...]) -> Node:
        only = children[0]
        if len(children) == 1 and type(only) is Tree and only.label == node.label:
            return only
        return make_tree(node.label, children, node.left, node.right)

    collapsed: Tree = tree.rebuild(leaf=lambda leaf: leaf, phrase=phrase)
    return collapsed


def map_words(tree: Tree, word: Callable[[str], str]) -> Tree:
    """Map every word, for example with `unescape_slashes`."""
    mapped: Tree = tree.rebuild(
        leaf=lambda leaf: make_leaf(leaf.tag, word(leaf.word), leaf.left),
        phrase=lambda node, children: make_tree(node.label, children, node.left, node.right),
    )
    return mapped


def unescape_slashes(word: str) -> str:
    r"""Undo the Penn Treebank's escapes: `1\/2` is `1/2`, and `\*` is `*`."""
    return word.replace("\\/", "/").replace("\\*", "*")


def normalise_root(tree: Tree, label: str = "TOP") -> Tree:
    """Put the wanted label on top: in place of another name for the root, else above the tree."""
    if tree.label == label:
        return tree
    children = tree.children if tree.label in ROOTS else (tree,)
    return make_tree(label, children, tree.left, tree.right)


def add_root(tree: Tree, label: str = "TOP") -> Tree:
    """Put a root above the tree, unless that is its label already."""
    return tree if tree.label == label else make_tree(label, (tree,), tree.left, tree.right)


def strip_root(tree: Tree) -> Tree:
    """Drop a root that is only that: one of its usual names, above exactly one phrase."""
    only = tree.children[0]
    return only if tree.label in ROOTS and len(tree.children) == 1 and type(only) is Tree else tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaning:
    """Which steps to take; calling it cleans a tree, to None where only traces were in it.

    `tag_suffixes` cuts the tags of words as `function_tags` cuts the labels of phrases (`NR-SHORT` to `NR`): right
    for the Penn treebanks, wrong for those that write morphology behind the hyphen. `root` is the label to have
    on top, `""` for none, None to leave it as it is.
    """

    traces: bool = True
    function_tags: bool = True
    tag_suffixes: bool = False
    alternatives: bool = True
    splice: frozenset[str] = frozenset()
    loops: bool = True
    slashes: bool = False
    root: str | None = "TOP"

    def __call__(self, tree: Tree) -> Tree | None:
        """Clean a tree: traces, labels, root, splices, words, and last the loops that these may leave."""
        left = remove_traces(tree) if self.traces else tree
        if left is None:
            return None
        cleaned = self._relabelled(left)
        if self.root is not None:
            cleaned = normalise_root(cleaned, self.root) if self.root else strip_root(cleaned)
        if self.splice:
            cleaned = splice(cleaned, self.splice)
        if self.slashes:
            cleaned = map_words(cleaned, unescape_slashes)
        return collapse_loops(cleaned) if self.loops else cleaned

    def _relabelled(self, tree: Tree) -> Tree:
        if not (self.function_tags or self.tag_suffixes or self.alternatives):
            return tree
        return relabel(
            tree,
            phrase=lambda label: self._label(label, self.function_tags),
            tag=lambda tag: self._label(tag, self.tag_suffixes),
        )

    def _label(self, label: str, cut: bool) -> str:
        chosen = first_alternative(label) if self.alternatives else label
        return strip_function_tags(chosen) if cut else chosen
