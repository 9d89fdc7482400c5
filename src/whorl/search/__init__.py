"""Tree search: the pattern language of Tregex, and the edits of Tsurgeon, over Whorl's trees."""

from whorl.search.editing import Edit, EditScript, compile_edit
from whorl.search.heads import STANFORD, HeadTable
from whorl.search.pattern import Match, Pattern, TreeNode, compile
from whorl.search.pattern_files import parse_patterns, read_patterns
from whorl.search.table import NodeTable

__all__ = [
    "STANFORD",
    "Edit",
    "EditScript",
    "HeadTable",
    "Match",
    "NodeTable",
    "Pattern",
    "TreeNode",
    "compile",
    "compile_edit",
    "parse_patterns",
    "read_patterns",
]
