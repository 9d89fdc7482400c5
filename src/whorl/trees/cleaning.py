"""Cleaning: from the trees of a treebank to those that a parser learns.

Each step is a function; `Cleaning` is a choice of steps, applied in the proper order.
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
"""The tag of empty elements: traces, null complementisers, ellipses."""

ROOTS = frozenset({"", "ROOT", "TOP", "S1", "VROOT"})
"""The names that treebanks and parsers give the node above the sentence."""


def remove_traces(tree: Tree) -> Tree | None:
    """Remove the leaves tagged `-NONE-` and then empty phrases; None if nothing is left."""
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

    cleaned: Tree | None = tree.rebuild(leaf=leaf, phrase=phrase)
    return cleaned


def relabel(
    tree: Tree, phrase: Callable[[str], str], tag: Callable[[str], str] | None = None
) -> Tree:
    """Map the label of every phrase and, given `tag`, the tag of every word."""

    def new_leaf(leaf: Leaf) -> Leaf:
        return leaf if tag is None else make_leaf(tag(leaf.tag), leaf.word, leaf.left)

    def new_phrase(node: Tree, children: tuple[Node, ...]) -> Tree:
        return make_tree(phrase(node.label), children, node.left, node.right)

    renamed: Tree = tree.rebuild(leaf=new_leaf, phrase=new_phrase)
    return renamed


def first_alternative(label: str) -> str:
    """Return the first alternative of a label such as `PRT|ADVP`."""
    return label.partition("|")[0] or label


def splice(tree: Tree, labels: Collection[str]) -> Tree:
    """Remove the phrases with these labels; their children move up. The root always stays."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if node.label in labels:
            return splice_where(tree, lambda node, above: node.label in labels)
        pending += [child for child in node.children if type(child) is Tree]
    return tree


def collapse_loops(tree: Tree) -> Tree:
    """Merge each X with an X that is its only child."""

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
    """Make `label` the root's: rename a node that is only a root, or add one above the tree."""
    if tree.label == label:
        return tree
    children = tree.children if tree.label in ROOTS else (tree,)
    return make_tree(label, children, tree.left, tree.right)


def add_root(tree: Tree, label: str = "TOP") -> Tree:
    """Put a root above the tree, unless it has that label already."""
    return tree if tree.label == label else make_tree(label, (tree,), tree.left, tree.right)


def strip_root(tree: Tree) -> Tree:
    """Remove a root with one of the usual names above exactly one phrase."""
    only = tree.children[0]
    return only if tree.label in ROOTS and len(tree.children) == 1 and type(only) is Tree else tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaning:
    """A choice of steps. Calling it cleans a tree, to None if it held only traces.

    `tag_suffixes` cuts the tags of words as `function_tags` cuts the labels of phrases (`NR-SHORT`
    to `NR`): right for the Penn treebanks, wrong for those with morphology after the hyphen. `root`
    is the label of the root, `""` for no root, None to leave it as it is.
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
        """Clean a tree: traces, labels, root, splices, words, and last the loops that remain."""
        without_traces = remove_traces(tree) if self.traces else tree
        if without_traces is None:
            return None
        cleaned = self._relabel(without_traces)
        if self.root is not None:
            cleaned = normalise_root(cleaned, self.root) if self.root else strip_root(cleaned)
        if self.splice:
            cleaned = splice(cleaned, self.splice)
        if self.slashes:
            cleaned = map_words(cleaned, unescape_slashes)
        return collapse_loops(cleaned) if self.loops else cleaned

    def _relabel(self, tree: Tree) -> Tree:
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
