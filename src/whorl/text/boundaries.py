"""Where sentences end: rules over how one run of text ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whorl.text import lexer
from whorl.text.abbreviations import SAYING, STARTERS, takes_letter
from whorl.text.lexer import CLOSES, DASH, DIGIT, JOINS, LOWER, STARTER, UPPER
from whorl.text.tokens import TokenSpan

__all__ = [
    "begins_item",
    "cut_point",
    "detach_period",
    "ends_quoted_question",
    "names_speaker",
    "sentence_ends",
]

_CLAUSES = frozenset([";", ":", ",", "--", "—", "–", "...", "…"])
_OPENING = frozenset(["``", "`", "(", "["])
_CLOSING_QUOTES = frozenset(["''", "'"])
_COORDINATORS = frozenset(["and", "or", "to", "&", ",", "-", "–"])
_BULLET = re.compile(r"[•‣▪▫■□●○◦⁃∙·➢➤►✓✔*-]|#{1,6}|\(?\d{1,2}[.)]|\(?[a-zA-Z]\)|\(?[ivx]{1,4}\)")


def begins_item(run: str) -> bool:
    """Return whether a run at the beginning of a line makes it a list item or a heading."""
    return _BULLET.fullmatch(run) is not None


def sentence_ends(ending: int, beginning: int, tokens: Sequence[TokenSpan], stop: int) -> bool:
    """Return whether a sentence ends between two runs.

    `ending` classifies the end of the first run, whose stop is in `tokens[stop]`; `beginning`
    classifies the start of the second. A number that is the first token counts list items.
    """
    before = tokens[stop - 1].text if stop else ""
    if beginning in (JOINS, CLOSES) or ending in (lexer.NO_STOP, lexer.TITLE):
        return False
    if ending == lexer.ABBREVIATION:
        return beginning == STARTER
    if ending == lexer.SHORT:
        is_name = takes_letter(before) or _is_listed(tokens, stop)
        return before != "" and (beginning == STARTER or (beginning == UPPER and is_name))
    if ending == lexer.TRAIL:
        return beginning in (UPPER, STARTER)
    if ending == lexer.NUMBER:
        return before != "" and beginning != LOWER
    if ending == lexer.BEFORE_NUMBER:
        return beginning not in (DIGIT, LOWER)
    if ending == lexer.MARK:
        return beginning not in (LOWER, DASH)
    if ending == lexer.NAME:
        # A capital at the beginning of a sentence does not make a name: `Wow! that was good.`
        return beginning != LOWER or stop < 2 or tokens[stop - 2].text in _OPENING
    return ending == lexer.SURE or beginning != LOWER


def _is_listed(tokens: Sequence[TokenSpan], stop: int) -> bool:
    """Return whether a letter follows another one that is no initial: `genes A and B`."""
    if stop < 2 or tokens[stop - 1].text not in _COORDINATORS:
        return False
    letter = tokens[stop - 2].text
    return len(letter) == 1 and letter.isupper() and letter != "I"


def ends_quoted_question(tokens: Sequence[TokenSpan]) -> bool:
    """Return whether a sentence ends like `“Why?”`, so that its speaker may follow."""
    if len(tokens) < 2 or tokens[-1].text not in _CLOSING_QUOTES:
        return False
    mark = tokens[-2].text
    return mark[-1] in "?!‽…" or mark.endswith("..")


def names_speaker(tokens: Sequence[TokenSpan]) -> bool:
    """Return whether a sentence begins like `Ann asked` or `Mr. Lee said`."""
    for at, (word, _, _) in enumerate(tokens[:4]):
        if at and word in SAYING:
            return True
        if not word[0].isupper() or (word in STARTERS and (at or word != "I")):
            return False
    return False


def detach_period(tokens: list[TokenSpan], stop: int, ending: int) -> None:
    """Make the period that ends a sentence its own token, if it is still part of `tokens[stop]`.

    As in the Penn Treebank, an abbreviation keeps the period in its form: the one in the text
    serves for both.
    """
    form, start, end = tokens[stop]
    if (
        len(form) < 2
        or form[-1] != "."
        or form[-2] == "."
        or ending == lexer.TITLE
        or (ending == lexer.NUMBER and stop == 0)
    ):
        return
    word = form if ending == lexer.ABBREVIATION else form[:-1]
    tokens[stop : stop + 1] = [TokenSpan(word, start, end - 1), TokenSpan(".", end - 1, end)]


def cut_point(tokens: Sequence[TokenSpan], start: int, longest: int) -> int:
    """Return how many tokens from `start` on to cut off a sentence that is too long.

    The cut comes after the last mark between clauses in the second half of the `longest` tokens,
    or after all of them.
    """
    for count in range(longest, longest // 2, -1):
        if tokens[start + count - 1].text in _CLAUSES:
            return count
    return longest
