"""Which tokens count: EVALB's rules for the Penn Treebank, all tokens, or all but punctuation.

EVALB deletes punctuation by its tags, and `COLLINS.prm` lists those of the Penn Treebank. Other
treebanks have other tags, so under the same parameters their punctuation counts in full or in part.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.trees import Tree
from whorl.trees.cleaning import ROOTS, TRACE

__all__ = [
    "ALL_TOKENS",
    "EVALB",
    "SCORINGS",
    "WITHOUT_PUNCTUATION",
    "all_tokens",
    "punctuation_tags",
    "scorings",
    "without_punctuation",
]

EVALB = "EVALB"
ALL_TOKENS = "all tokens"
WITHOUT_PUNCTUATION = "without punctuation"
SCORINGS = (EVALB, ALL_TOKENS, WITHOUT_PUNCTUATION)
"""The names of the ways of scoring."""

_SHARE = 0.95
"""A tag stands for punctuation if this share of its words has no letter, digit or other symbol."""


def all_tokens() -> Parameters:
    """Return parameters that delete the root and empty elements, and no token."""
    return without_punctuation(())


def without_punctuation(tags: Iterable[str]) -> Parameters:
    """Return parameters that delete the root, empty elements, and the words with these tags.

    Unlike under `COLLINS.prm`, no two labels are equal.
    """
    delete = ROOTS | {TRACE, *tags}
    return Parameters(delete=delete, delete_for_length=frozenset((TRACE,)))


def scorings(tags: Iterable[str]) -> dict[str, Parameters]:
    """Return the three ways of scoring by name; `tags` are those of the treebank's punctuation."""
    parameters = (COLLINS, all_tokens(), without_punctuation(tags))
    return dict(zip(SCORINGS, parameters, strict=True))


def punctuation_tags(trees: Iterable[Tree]) -> tuple[str, ...]:
    """Return the tags of punctuation in some trees, as their words show.

    These are the tags of which at least 95 % of the words consist of punctuation characters.
    """
    words: Counter[str] = Counter()
    marks: Counter[str] = Counter()
    for tree in trees:
        for leaf in tree.leaves():
            words[leaf.tag] += 1
            marks[leaf.tag] += _is_punctuation(leaf.word)
    return tuple(sorted(tag for tag, count in words.items() if marks[tag] >= _SHARE * count))


@lru_cache(maxsize=1 << 16)
def _is_punctuation(word: str) -> bool:
    """Tell whether a word has only punctuation (Unicode's P) and quotes such as ` and ´ (Sk)."""
    categories = map(unicodedata.category, word)
    return all(category[0] == "P" or category == "Sk" for category in categories)
