"""From the tokens of a treebank to the raw text that a person would have written."""

from whorl.detokenisation.rules import (
    JoiningRules,
    TokenPattern,
    default_rules,
    find_rules,
    read_rules,
    rule_names,
)
from whorl.detokenisation.text import RebuiltText, SurfaceToken, rebuild

__all__ = [
    "JoiningRules",
    "RebuiltText",
    "SurfaceToken",
    "TokenPattern",
    "default_rules",
    "find_rules",
    "read_rules",
    "rebuild",
    "rule_names",
]
