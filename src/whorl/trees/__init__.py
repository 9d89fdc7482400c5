"""Trees: the immutable n-ary tree, and reading and writing it in brackets."""

from whorl.trees.brackets import format_tree, iter_forests, iter_trees, read_tree, read_trees, write_trees
from whorl.trees.tree import Leaf, Node, Span, Tree

__all__ = [
    "Leaf",
    "Node",
    "Span",
    "Tree",
    "format_tree",
    "iter_forests",
    "iter_trees",
    "read_tree",
    "read_trees",
    "write_trees",
]
