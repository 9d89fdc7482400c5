"""Whorl: a constituency parser. Text in, phrase-structure trees out."""

from whorl.trees import Leaf, Tree, read_tree, read_trees

__all__ = ["Leaf", "Tree", "__version__", "read_tree", "read_trees"]

__version__ = "0.1.0.dev0"
