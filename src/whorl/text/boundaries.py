"""Where sentences end: rules over how one run of text ends and the next begins."""

from __future__ import annotations

from collections.abc import Sequence

from whorl.text.lexer import (
    ABBREVIATION,
    BEFORE_NUMBER,
    CLOSES,
    DIGIT,
    INITIAL,
    JOINS,
    LOWER,
    MARK,
    NUMBER,
    STARTER,
    STOP,
    TITLE,
    TRAIL,
    UPPER,
)
from whorl.text.tokens import Token

__all__ = ["cut_point", "detach", "ends"]

_CLAUSES = frozenset([";", ":", ",", "--", "—", "–", "...", "…"])


def ends(end: int, first: int, *, alone: bool) -> bool:
    """Whether a sentence ends between a run that ends as `end` says and one that begins as `first` says.

    `alone` says that the sentence has nothing but the token with the stop: such a number counts an item of a list.
    """
    if first in (JOINS, CLOSES) or end == TITLE:
        return False
    if end in (ABBREVIATION, INITIAL):
        return first == STARTER
    if end == TRAIL:
        return first in (UPPER, STARTER)
    if end == NUMBER:
        return not alone and first != LOWER
    if end == BEFORE_NUMBER and first == DIGIT:
        return False
    return end in (STOP, MARK, BEFORE_NUMBER) and first != LOWER


def detach(tokens: list[Token], at: int, end: int) -> None:
    """Make the period that ends a sentence a token of its own, where it is still part of the token at index `at`.

    As in the Penn Treebank, an abbreviation keeps its period in its form, so that the one in the text serves for both.
    """
    form, start, stop = tokens[at]
    if len(form) < 2 or form[-1] != "." or form[-2] == "." or end == TITLE or (end == NUMBER and at == 0):
        return
    word = form if end == ABBREVIATION else form[:-1]
    tokens[at : at + 1] = [Token(word, start, stop - 1), Token(".", stop - 1, stop)]


def cut_point(tokens: Sequence[Token], start: int, longest: int) -> int:
    """How many tokens from `start` on to take from a sentence that is too long.

    The cut is after the last mark between clauses in the second half of what may be taken, or as late as it may be.
    """
    for count in range(longest, longest // 2, -1):
        if tokens[start + count - 1].text in _CLAUSES:
            return count
    return longest
