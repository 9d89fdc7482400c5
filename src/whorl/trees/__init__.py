"""Immutable n-ary trees: brackets, cleaning, head rules, binarisation, layouts, drawing."""

from whorl.trees.binarise import binarise, unbinarise
from whorl.trees.brackets import (
    format_tree,
    iter_forests,
    iter_trees,
    iter_trees_with_lines,
    read_tree,
    read_trees,
    read_trees_with_lines,
    write_trees,
)
from whorl.trees.cleaning import (
    Cleaning,
    add_root,
    collapse_loops,
    first_alternative,
    map_words,
    normalise_root,
    relabel,
    remove_traces,
    splice,
    strip_root,
    unescape_slashes,
)
from whorl.trees.conll import conll_rows
from whorl.trees.drawing import draw_html, draw_latex, draw_svg, draw_text
from whorl.trees.heads import CHINESE, COLLINS, LEFT, RIGHT, HeadRules, head_rules
from whorl.trees.labels import strip_function_tags
from whorl.trees.layouts import (
    SPLITS,
    Layout,
    detect_layout,
    iter_tree_file,
    iter_tree_file_with_lines,
    read_treebank,
    treebank_files,
)
from whorl.trees.splitting import apportion
from whorl.trees.statistics import Suspicion, TreebankStatistics, suspicions
from whorl.trees.tagged import column_tags, tagged_line
from whorl.trees.tree import Leaf, Node, Span, Tree
from whorl.trees.uncertainty import UNCERTAIN, Probabilities, find_uncertain, zip_phrases

__all__ = [
    "CHINESE",
    "COLLINS",
    "LEFT",
    "RIGHT",
    "SPLITS",
    "UNCERTAIN",
    "Cleaning",
    "HeadRules",
    "Layout",
    "Leaf",
    "Node",
    "Probabilities",
    "Span",
    "Suspicion",
    "Tree",
    "TreebankStatistics",
    "add_root",
    "apportion",
    "binarise",
    "collapse_loops",
    "column_tags",
    "conll_rows",
    "detect_layout",
    "draw_html",
    "draw_latex",
    "draw_svg",
    "draw_text",
    "find_uncertain",
    "first_alternative",
    "format_tree",
    "head_rules",
    "iter_forests",
    "iter_tree_file",
    "iter_tree_file_with_lines",
    "iter_trees",
    "iter_trees_with_lines",
    "map_words",
    "normalise_root",
    "read_tree",
    "read_treebank",
    "read_trees",
    "read_trees_with_lines",
    "relabel",
    "remove_traces",
    "splice",
    "strip_function_tags",
    "strip_root",
    "suspicions",
    "tagged_line",
    "treebank_files",
    "unbinarise",
    "unescape_slashes",
    "write_trees",
    "zip_phrases",
]
