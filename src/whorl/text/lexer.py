"""From a run of text without white space to what it holds: its tokens, and how it may begin and end a sentence."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from whorl.escapes import canonical
from whorl.text import abbreviations
from whorl.text.characters import clean, is_clean
from whorl.text.patterns import PIECE
from whorl.text.words import Hyphens, cuts

__all__ = ["LexedRun", "lex"]

Piece: TypeAlias = tuple[
    str, int, int
]  # a Penn form, and where its surface begins and ends in the run

NOTHING, SURE, STOP, MARK, TRAIL, ABBREVIATION, TITLE, SHORT, NUMBER, BEFORE_NUMBER, NAME = range(
    11
)
"""How a run may end a sentence: a period after a plain word or after anything, `?` or `!`, an ellipsis, a period
that may belong to its word, or a `!` that may belong to a name, as in `Yahoo!`."""
LOWER, UPPER, STARTER, DIGIT, OTHER, DASH, JOINS, CLOSES = range(8)
"""How a run begins, which says whether a sentence may begin with it."""
NO_QUOTE, OPENED, CLOSED, EITHER = range(4)
"""What the last quotation mark of a run is; `EITHER` is a run that is nothing but an undirected one."""


class LexedRun(NamedTuple):
    """All that later steps need to know of a run, whatever stands around it."""

    pieces: tuple[Piece, ...]
    first: int
    end: int
    tail: int  # how many pieces follow the one with the stop
    quote: int
    breaks: tuple[int, ...]  # after how many pieces a sentence ends inside the run


_OPENING = frozenset(["(", "[", "{", "``", "`", "¿", "¡", "「", "『", "（", "《", "〈", "【", "'"])
_CLOSING = frozenset([")", "]", "}", "''", "'", "」", "』", "）", "》", "〉", "】"])
_JOINING = frozenset(",;:.?!%…、，。；：？！-")
_FULL_STOPS = frozenset("。！？．")
_TO_PENN = (
    dict.fromkeys("“„‟«", "``") | dict.fromkeys("”»", "''") | dict.fromkeys("‘‛‹", "`") | {"›": "'"}
)
_UNDIRECTED = frozenset("\"＂'")
_WORD_AHEAD = re.compile(r"[^\w\s]{0,9}\w|[$€£¥]")
_BEFORE_OPENING = frozenset("([{<-–—―/,;:=`‘“„«'\"¿¡*_「（")
_NOTE = re.compile(r"\[\d+(?:[,–-]\d+)*\]\.?")
_PLAIN = re.compile(r"[^\W\d_]{4,}")


def lex(run: str, hyphens: Hyphens) -> LexedRun:
    """Cut a run, which holds no white space, into tokens."""
    if (
        run.isalpha() and run.isascii() and not cuts(run, hyphens)
    ):  # what follows would find the same
        return LexedRun(((run, 0, len(run)),), _first_word(run), NOTHING, 0, NO_QUOTE, ())
    if is_clean(run):
        return _described(_pieces(run, hyphens), run)
    text, places = clean(run)
    pieces = _pieces(text, hyphens)
    shown = _described(pieces, text)
    return shown._replace(
        pieces=tuple((form, places[start], places[end - 1] + 1) for form, start, end in pieces)
    )


def _pieces(run: str, hyphens: Hyphens) -> list[Piece]:
    pieces: list[Piece] = []
    for match in PIECE.finditer(run):
        form, (start, end) = match.group(), match.span()
        kind = match.lastgroup
        if kind == "word":
            pieces += _word(form, start, end, len(run), hyphens)
        elif kind == "quote":
            pieces.append((_quote(form, run, start, end), start, end))
        elif kind == "escape":
            pieces.append(("(" if form[1] == "L" else ")", start, end))
        else:
            pieces.append((canonical(form), start, end))
    return pieces


def _word(form: str, start: int, end: int, length: int, hyphens: Hyphens) -> list[Piece]:
    """A word, cut where it is a contraction. A final period stays for now where the run ends, else if it is its own."""
    body = form.removesuffix(".") if len(form) > 1 else form
    kind = abbreviations.abbreviation(body)
    loose = len(body) < len(form) and end < length and kind in (0, abbreviations.BEFORE_NUMBER)
    last = end - 1 if loose else end
    edges = [0, *cuts(body, hyphens), last - start]
    pieces = [(form[left:right], start + left, start + right) for left, right in pairwise(edges)]
    if loose:
        pieces.append((".", last, end))
    return pieces


def _quote(mark: str, run: str, start: int, end: int) -> str:
    """The Penn form of a quotation mark. One without direction opens if it stands before a word and after none."""
    if mark not in _UNDIRECTED:
        return _TO_PENN.get(mark, mark)
    opens = (start == 0 or run[start - 1] in _BEFORE_OPENING) and _WORD_AHEAD.match(run, end)
    if mark == "'":
        return "`" if opens else "'"
    return "``" if opens else "''"


def _described(pieces: list[Piece], text: str) -> LexedRun:
    forms = [form for form, _, _ in pieces]
    quote = NO_QUOTE
    for form in forms:
        quote = OPENED if form == "``" else CLOSED if form == "''" else quote
    if text in ('"', "＂"):
        quote = EITHER
    breaks = [at + 1 for at, form in enumerate(forms) if form[-1] in _FULL_STOPS]
    breaks = [_past_closing(forms, at) for at in breaks]
    return LexedRun(
        tuple(pieces),
        _first(forms, text),
        *_end(forms),
        quote,
        tuple(at for at in breaks if at < len(forms)),
    )


def _past_closing(forms: list[str], at: int) -> int:
    while at < len(forms) and forms[at] in _CLOSING:
        at += 1
    return at


def _first(forms: list[str], text: str) -> int:
    if all(form in _CLOSING for form in forms) or _NOTE.fullmatch(text):
        return CLOSES
    word = next((form for form in forms if form not in _OPENING), "(")
    if word[0] in _JOINING and forms[0] == word and (len(word) == 1 or word[0] not in "-."):
        return JOINS
    if word[0] in "-–—―" and not word[-1].isalnum():
        return DASH
    return _first_word(word)


def _first_word(word: str) -> int:
    if word.removesuffix(".") in abbreviations.STARTERS:
        return STARTER
    if word[0].isdigit():
        return DIGIT
    if word[0].isalpha():
        return LOWER if word.islower() and not any(map(str.isdigit, word)) else UPPER
    return OTHER


_KINDS = {
    abbreviations.MAY_END: ABBREVIATION,
    abbreviations.NEVER_ENDS: TITLE,
    abbreviations.SHORT: SHORT,
    abbreviations.BEFORE_NUMBER: BEFORE_NUMBER,
}


def _end(forms: list[str]) -> tuple[int, int]:
    """How the last token that closes nothing may end a sentence, and how many follow it.

    The number of a note may follow too, as in `so.[1]`.
    """
    at = len(forms)
    if forms[-1:] == ["]"]:
        note = at - 1 - forms[::-1].index("[") if "[" in forms else 0
        if note and all(form.isdigit() or form in ",–-" for form in forms[note + 1 : -1]):
            at = note
    while at and forms[at - 1] in _CLOSING:
        at -= 1
    tail = len(forms) - at
    if not at:
        return NOTHING, 0
    if forms[at - 1] == "!" and not tail and at > 1 and _is_name(forms[at - 2]):
        return NAME, 0
    return _end_word(forms[at - 1], alone=len(forms) == 1, closed=tail > 0), tail


def _is_name(word: str) -> bool:
    return word[0].isupper() and word[1:].islower() and word.isalpha()


def _end_word(word: str, *, alone: bool, closed: bool) -> int:
    if word[-1] == "…" or word.endswith(".."):
        return TRAIL
    if word[-1] in "?!‽。！？．؟।॥":
        return MARK if closed or alone else SURE
    if word[-1] != ".":
        return NOTHING
    body = word[:-1]
    if body.isdigit():
        return NUMBER
    kind = _KINDS.get(abbreviations.abbreviation(body), STOP)
    plain = body.islower() and (_PLAIN.fullmatch(body) or body in abbreviations.SHORT_WORDS)
    return SURE if kind == STOP and plain and not closed else kind
