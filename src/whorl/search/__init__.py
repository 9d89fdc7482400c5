"""Tree search: the pattern language of Tregex, over Whorl's trees."""

from whorl.search.heads import STANFORD, HeadTable
from whorl.search.pattern import Match, Pattern, TreeNode, compile
from whorl.search.pattern_files import parse_patterns, read_patterns
from whorl.search.table import NodeTable

__all__ = [
    "STANFORD",
    "HeadTable",
    "Match",
    "NodeTable",
    "Pattern",
    "TreeNode",
    "compile",
    "parse_patterns",
    "read_patterns",
]
