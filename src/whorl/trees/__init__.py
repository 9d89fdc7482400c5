"""Trees: the immutable n-ary tree, reading and writing it in brackets, head rules and binarisation."""

from whorl.trees.binarise import binarise, unbinarise
from whorl.trees.brackets import format_tree, iter_forests, iter_trees, read_tree, read_trees, write_trees
from whorl.trees.heads import CHINESE, COLLINS, LEFT, RIGHT, HeadRules, head_rules
from whorl.trees.tree import Leaf, Node, Span, Tree

__all__ = [
    "CHINESE",
    "COLLINS",
    "LEFT",
    "RIGHT",
    "HeadRules",
    "Leaf",
    "Node",
    "Span",
    "Tree",
    "binarise",
    "format_tree",
    "head_rules",
    "iter_forests",
    "iter_trees",
    "read_tree",
    "read_trees",
    "unbinarise",
    "write_trees",
]
