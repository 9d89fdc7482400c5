"""Counting structures in trees, with the patterns of the published analyzer.

Lu, Xiaofei (2010). Automatic analysis of syntactic complexity in second language writing.
International Journal of Corpus Linguistics 15(4), 474-496.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from whorl import search
from whorl.complexity.counts import Counts
from whorl.trees import Leaf, Tree, normalise_root

__all__ = ["PATTERNS", "count_structures"]

_FINITE = (
    "S|SINV|SQ [> ROOT <, (VP <# VB) | <# MD|VBZ|VBP|VBD | "
    "< (VP [<# MD|VBP|VBZ|VBD | < CC < (VP <# MD|VBP|VBZ|VBD)])]"
)
_T_UNIT = "[$-- S|SBARQ|SINV|SQ !>> SBAR|VP]"

PATTERNS: Final = MappingProxyType(
    {
        "S": ("ROOT !> __",),
        "VP": ("VP > S|SINV|SQ", "MD|VBZ|VBP|VBD > (SQ !< VP)"),
        "C": (_FINITE, f"FRAG > ROOT !<< ({_FINITE})"),
        "T": (
            f"S|SBARQ|SINV|SQ > ROOT | {_T_UNIT}",
            f"FRAG > ROOT !<< (S|SBARQ|SINV|SQ > ROOT | {_T_UNIT})",
        ),
        "DC": (f"SBAR < ({_FINITE})",),
        "CT": (f"S|SBARQ|SINV|SQ [> ROOT | {_T_UNIT}] << (SBAR < ({_FINITE}))",),
        "CP": ("ADJP|ADVP|NP|VP < CC",),
        "CN": (
            "NP !> NP [<< JJ|POS|PP|S|VBG | << (NP $++ NP !$+ CC)]",
            "SBAR [<# WHNP | <# (IN < That|that|For|for) | <, S] & [$+ VP | > VP]",
            "S < (VP <# VBG|TO) $+ VP",
        ),
    }
)
"""The patterns of each structure but words; its count is the sum over them."""

_ROOT = "ROOT"
_WORD_TAG = re.compile(r"[A-Z]+\$?")
_ONLY_DASHES = re.compile("[-–—]+")


def count_structures(trees: Iterable[Tree]) -> Counts:
    """Count the structures in the trees of a text.

    The patterns expect bare labels, as a parser gives them, so trees of a treebank need
    `Cleaning(loops=False)` first. The root is renamed to `ROOT`, or added.
    """
    return sum((_count(tree) for tree in trees), Counts())


def _count(tree: Tree) -> Counts:
    rooted = normalise_root(tree, _ROOT)
    counts = (
        sum(len(pattern.nodes(rooted)) for pattern in patterns) for patterns in _compiled().values()
    )
    return Counts(sum(map(_is_word, tree.leaves())), *counts)


def _is_word(leaf: Leaf) -> bool:
    """Tell words from punctuation by the tag: letters, as in `NN` and `PRP$`."""
    return bool(_WORD_TAG.fullmatch(leaf.tag)) and not _ONLY_DASHES.fullmatch(leaf.word)


@lru_cache(maxsize=1)
def _compiled() -> dict[str, tuple[search.Pattern, ...]]:
    return {name: tuple(map(search.compile, texts)) for name, texts in PATTERNS.items()}
