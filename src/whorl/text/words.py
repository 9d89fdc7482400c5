"""Cutting one word into Penn tokens: contractions, possessives and, on request, hyphens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from whorl.text.abbreviations import listed

__all__ = ["Hyphens", "cuts"]

Hyphens = Literal["keep", "split"]

_CLITICS = frozenset(["n't", "'re", "'ve", "'ll", "'em", "'s", "'m", "'d"])
# A clitic is not cut off after these.
_NO_STEM = frozenset("'/\\@*&+.:,%-‐‑")
# Where to cut two words written as one.
_FUSED = {
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
# Affixes that stay attached, after the guidelines for treebanks that cut at hyphens (Warner et al.
# 2004), without those that such treebanks cut more often than not.
_PREFIXES = listed(
    """ante anti arch auto be bi co contra counter cross cyber demi dis e electro ex extra fore
    hetero hyper hypo indo infra inter intra macro mega mid mini mis multi non ortho over para
    peri post pre pro proto pseudo re semi sub super supra tri u uh ultra um vice"""
)
_SUFFIXES = listed(
    """able aholic ahead ation centric cum esque fold gate goer ish ism ist ite itis logue logy
    ness odd rama scope ster tion ward wise"""
)
_BREAK = re.compile(
    r"""(?<=[^\W_])([-−–+]/[-−–+](?:/(?=\w)|$))  # the signs of a genotype: `Bmp7-/-`
    |(?:(?<=[^\W_])|(?<=[+)%′])|(?<=\d'))([-‐‑/])(?=[^\W_])""",
    re.VERBOSE,
)
# A fraction, a date or a telephone number.
_NUMBER = re.compile(r"\d+/\d+|\d+(?:-\d+){2,}|\d{3}-\d{4}")
_RATIO = re.compile(r"\d+:\d[\d,]*")
_TIME = re.compile(r"\d\d?:[0-5]\d")
_SUSPENDED = re.compile(r"\d[-‐‑]$")  # `2- to 3-week`
# What is cut off as well before a hyphen: `3′-end`, `10%-owned`.
_MARKED = re.compile(r"\d[%′']$")


def cuts(word: str, hyphens: Hyphens) -> list[int]:
    """Return where to cut a word, as increasing indexes into it; none for most words.

    `word` has no typographic apostrophes, and a final period only if that belongs to it.
    """
    if hyphens == "keep":
        return _contraction_cuts(word)
    edges = [0, *_hyphen_cuts(word), len(word)]
    inner = [
        left + cut for left, right in pairwise(edges) for cut in _contraction_cuts(word[left:right])
    ]
    return sorted(edges[1:-1] + inner)


def _contraction_cuts(word: str) -> list[int]:
    if fused := _FUSED.get(word.lower()):
        return list(fused)
    return _clitic_cuts(word) if "'" in word else []


def _clitic_cuts(word: str) -> list[int]:
    """Return where `n't`, `'s` and other clitics begin, in order."""
    starts: list[int] = []
    end = len(word)
    while size := next(
        (size for size in (3, 2) if word[max(end - size, 0) : end].lower() in _CLITICS), 0
    ):
        if end == size or word[end - size - 1] in _NO_STEM:
            break
        end -= size
        starts.append(end)
    return starts[::-1]


def _hyphen_cuts(word: str) -> Iterator[int]:
    """Cut around every hyphen and slash between two words; a hyphen stays beside an affix."""
    if _NUMBER.fullmatch(word):
        return
    if _RATIO.fullmatch(word) and not _TIME.fullmatch(word):
        colon = word.index(":")
        yield from (colon, colon + 1)
        return
    parts = _BREAK.split(word)
    at = 0
    for left, signs, mark, right in zip(
        parts[::3], parts[1::3], parts[2::3], parts[3::3], strict=False
    ):
        at += len(left)
        if signs:
            yield from (cut for cut in range(at, at + len(signs) + 1) if cut < len(word))
        elif mark == "/" or not (_is_prefix(left) or right.lower() in _SUFFIXES):
            if _MARKED.search(left):
                yield at - 1
            yield at
            yield at + 1
        at += len(signs or mark)
    if _SUSPENDED.search(word):
        yield len(word) - 1


def _is_prefix(part: str) -> bool:
    # `Non-profit` stays, and `e-mail`, but `E - cadherin` is cut.
    return (part if len(part) == 1 else part.lower()) in _PREFIXES
