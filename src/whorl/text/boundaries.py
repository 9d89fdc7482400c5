"""Where sentences end: rules over how one run of text ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whorl.text import lexer
from whorl.text.abbreviations import LETTERED
from whorl.text.lexer import CLOSES, DASH, DIGIT, JOINS, LOWER, STARTER, UPPER
from whorl.text.tokens import TokenSpan

__all__ = ["begins_item", "cut_point", "detach", "ends"]

_CLAUSES = frozenset([";", ":", ",", "--", "—", "–", "...", "…"])
_OPENING = frozenset(["``", "`", "(", "["])
_BULLET = re.compile(r"[•‣▪▫■□●○◦⁃∙·➢➤►✓✔*-]|#{1,6}|\(?\d{1,2}[.)]|\(?[a-zA-Z]\)|\(?[ivx]{1,4}\)")


def begins_item(run: str) -> bool:
    """Whether a run at the beginning of a line makes it an item of a list or a heading, not more of a sentence."""
    return _BULLET.fullmatch(run) is not None


def ends(end: int, first: int, tokens: Sequence[TokenSpan], at: int) -> bool:
    """Whether a sentence ends between a run that ends as `end` says and one that begins as `first` says.

    `tokens[at]` holds the stop. Where it is the first token, a number counts items of a list.
    """
    before = tokens[at - 1].text if at else ""
    if first in (JOINS, CLOSES) or end in (lexer.NOTHING, lexer.TITLE):
        return False
    if end == lexer.ABBREVIATION:
        return first == STARTER
    if end == lexer.SHORT:
        names = before.rpartition("-")[2].lower() in LETTERED or before[-1:].isdigit()
        return before != "" and (first == STARTER or (first == UPPER and names))
    if end == lexer.TRAIL:
        return first in (UPPER, STARTER)
    if end == lexer.NUMBER:
        return before != "" and first != LOWER
    if end == lexer.BEFORE_NUMBER:
        return first not in (DIGIT, LOWER)
    if end == lexer.MARK:
        return first not in (LOWER, DASH)
    if (
        end == lexer.NAME
    ):  # a capital at the beginning of a sentence makes no name: `Wow! that was good.`
        return first != LOWER or at < 2 or tokens[at - 2].text in _OPENING
    return end == lexer.SURE or first != LOWER


def detach(tokens: list[TokenSpan], at: int, end: int) -> None:
    """Make the period that ends a sentence a token of its own, where it is still part of the token at index `at`.

    As in the Penn Treebank, an abbreviation keeps its period in its form, so that the one in the text serves for both.
    """
    form, start, stop = tokens[at]
    if (
        len(form) < 2
        or form[-1] != "."
        or form[-2] == "."
        or end == lexer.TITLE
        or (end == lexer.NUMBER and at == 0)
    ):
        return
    word = form if end == lexer.ABBREVIATION else form[:-1]
    tokens[at : at + 1] = [TokenSpan(word, start, stop - 1), TokenSpan(".", stop - 1, stop)]


def cut_point(tokens: Sequence[TokenSpan], start: int, longest: int) -> int:
    """How many tokens from `start` on to take from a sentence that is too long.

    The cut is after the last mark between clauses in the second half of what may be taken, or as late as it may be.
    """
    for count in range(longest, longest // 2, -1):
        if tokens[start + count - 1].text in _CLAUSES:
            return count
    return longest
