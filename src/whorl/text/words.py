"""Cutting one word into Penn tokens: contractions, possessives, and hyphens where that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

__all__ = ["Hyphens", "cuts"]

Hyphens = Literal["keep", "split"]

_CLITIC = re.compile(r"(?<=.)(?:n't|'(?:s|m|d|re|ve|ll|em))$", re.IGNORECASE | re.DOTALL)
_FUSED = {  # where a word that is written as one is cut
    "cannot": (3,),
    "d'ye": (2,),
    "gimme": (3,),
    "gonna": (3,),
    "gotta": (3,),
    "lemme": (3,),
    "more'n": (4,),
    "wanna": (3,),
    "'tis": (2,),
    "'twas": (2,),
    "'twere": (2,),
    "'twill": (2,),
}
_MOST_CLITICS = 3  # `couldn't've`

# Affixes that stay, of those in the guidelines for treebanks that cut at hyphens (Warner et al. 2004); the ones that such
# treebanks cut more often than not are left out.
_PREFIXES = frozenset(
    """ante anti arch auto be bi co contra counter cross cyber demi dis e electro ex extra fore hetero hyper hypo indo infra
    inter intra macro mega mid mini mis multi non ortho over para peri post pre pro proto pseudo re semi sub super supra tri
    u uh ultra um vice""".split()
)
_SUFFIXES = frozenset(
    """able aholic ahead ation centric cum esque fold gate goer ish ism ist ite itis logue logy ness odd rama scope ster tion
    ward wise""".split()
)
_BREAK = re.compile(r"(?<=[^\W_])([-‐‑/])(?=[^\W_])")
_NUMBER = re.compile(r"\d+/\d+|\d+(?:-\d+){2,}")  # a fraction, a date, a telephone number


def cuts(word: str, hyphens: Hyphens) -> list[int]:
    """Where to cut a word, as increasing indexes into it; empty for most words.

    `word` has no typographic apostrophes, and a final period only where that belongs to it.
    """
    places: list[int] = []
    if "'" in word:
        places.extend(_clitics(word))
    if fused := _FUSED.get(word.lower()):
        return list(fused)
    if hyphens == "split":
        end = places[0] if places else len(word)
        places[:0] = _hyphens(word[:end])
    return places


def _clitics(word: str) -> list[int]:
    """Where `n't`, `'s` and their like begin, the first first."""
    places: list[int] = []
    end = len(word)
    while len(places) < _MOST_CLITICS and (match := _CLITIC.search(word[:end])):
        places.insert(0, end := match.start())
    return places


def _hyphens(word: str) -> Iterator[int]:
    """Before and after every hyphen and slash that joins two words, unless one side is an affix."""
    if _NUMBER.fullmatch(word):
        return
    parts = _BREAK.split(word)
    at = 0
    for left, mark, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
        at += len(left)
        if mark == "/" or not (_is_prefix(left) or right.lower() in _SUFFIXES):
            yield at
            yield at + 1
        at += 1


def _is_prefix(part: str) -> bool:
    return (part if len(part) == 1 else part.lower()) in _PREFIXES  # `e-mail`, but `E - cadherin`
