"""Cutting one word into Penn tokens: contractions, possessives, and hyphens where that is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

__all__ = ["Hyphens", "cuts"]

Hyphens = Literal["keep", "split"]

_CLITIC = re.compile(r"(?<=.)(?:n't|'(?:s|m|d|re|ve|ll))$", re.IGNORECASE | re.DOTALL)
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

# The affixes that stay, after the guidelines for treebanks that cut at hyphens (Warner et al. 2004, as OntoNotes has it).
_PREFIXES = frozenset(
    """a anti ante arch auto be bi bio cis co contra counter cross cyber de demi di dis e eco electro en ex extra fore geo hyper hypo
    ill in infra inter intra iso macro mega meta micro mid mini mis mono multi neo non ortho over pan para peri poly post pre pro
    proto pseudo quasi re semi sub super supra trans tri u ultra un uni under up uh um mm vice x""".split()
)
_SUFFIXES = frozenset(
    """able aholic ahead ation centric cum esque fest fold gate goer ish ism ist ite itis less like logue logy ness o odd rama rific
    ride riffic scope ster tion type ulent ward wise""".split()
)
_BREAK = re.compile(r"(?<=[^\W_])([-‐‑/])(?=[^\W_])")
_ADDRESS = re.compile(r"\d+/\d+|\d+(?:-\d+){2,}")


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
    if _ADDRESS.fullmatch(word):
        return
    parts = _BREAK.split(word)
    keep: Callable[[str, str, str], bool] = lambda left, mark, right: (  # noqa: E731
        mark != "/" and (left.lower() in _PREFIXES or right.lower() in _SUFFIXES)
    )
    at = 0
    for index in range(1, len(parts), 2):
        at += len(parts[index - 1])
        if not keep(parts[index - 1], parts[index], parts[index + 1]):
            yield at
            yield at + 1
        at += 1
