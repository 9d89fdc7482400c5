"""The lexer: from a run of text without white space to its tokens and its effect on sentences."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from whorl.escapes import canonical
from whorl.text import abbreviations
from whorl.text.characters import clean, is_clean
from whorl.text.patterns import PIECE
from whorl.text.words import Hyphens, cuts

__all__ = ["LexedRun", "lex", "penn_quote"]

Piece: TypeAlias = tuple[str, int, int]
"""A Penn form, and where its surface begins and ends in the run."""

# How a run may end a sentence.
(
    NO_STOP,  # not at all
    SURE,  # whatever follows: a period after a plain word, or `?` or `!`
    STOP,  # a period after anything else
    MARK,  # `?` or `!` on its own or before a closing mark
    TRAIL,  # an ellipsis
    ABBREVIATION,  # the period of `Inc.`
    TITLE,  # the period of `Mr.`
    SHORT,  # the period of `J.`
    NUMBER,  # a period after a number
    BEFORE_NUMBER,  # the period of `No.`
    NAME,  # `!` that may belong to a name, as in `Yahoo!`
) = range(11)

# How a run begins, which decides whether a sentence may begin with it.
(
    LOWER,  # a word in lower case
    UPPER,  # any other word
    STARTER,  # a word that is seldom capitalised except at the beginning of a sentence
    DIGIT,  # a number, or a code such as `AC079544`
    OTHER,
    DASH,
    JOINS,  # a mark that continues the sentence, such as a comma
    CLOSES,  # nothing but closing marks or the number of a note
) = range(8)

# The last quotation mark of a run; EITHER is a run that is just an undirected one.
NO_QUOTE, OPENED, CLOSED, EITHER = range(4)


class LexedRun(NamedTuple):
    """All that later steps need to know about a run, whatever its context.

    `beginning` and `ending` are of the classes above. `tail` is the number of pieces after the one
    with the stop. `breaks` are the numbers of pieces after which a sentence ends inside the run.
    """

    pieces: tuple[Piece, ...]
    beginning: int
    ending: int
    tail: int
    quote: int
    breaks: tuple[int, ...]


_OPENING = frozenset(["(", "[", "{", "``", "`", "¿", "¡", "「", "『", "（", "《", "〈", "【", "'"])
_CLOSING = frozenset([")", "]", "}", "''", "'", "」", "』", "）", "》", "〉", "】"])
_JOINING = frozenset(",;:.?!%…、，。；：？！-")
_JOINTS = frozenset("-‐‑/")
_FULL_STOPS = frozenset("。！？．")
_TO_PENN = {"›": "'"} | dict.fromkeys("“„‟«", "``") | dict.fromkeys("”»", "''")
_TO_PENN |= dict.fromkeys("‘‛‹", "`")
_UNDIRECTED = frozenset("\"＂'")
_WORD_AHEAD = re.compile(r"[^\w\s]{0,9}\w|[$€£¥]")
_BEFORE_OPENING = frozenset("([{<-–—―/,;:=`‘“„«'\"¿¡*_「（")
_ITEM = re.compile(r"\((?:[a-z]|[ivx]{1,4})(?:[-–][a-z])?\)")
_SIGNS = frozenset(["-/-", "−/−", "–/–", "+/+"])  # of a genotype
_NOTE = re.compile(r"\[\d+(?:[,–-]\d+)*\]\.?")
_PLAIN = re.compile(r"[^\W\d_]{4,}")
_INITIAL = re.compile(r"[^\W\d_]\.")
_CODE = re.compile(r"[A-Z]{1,4}\d{3,}[\d.]*")  # such as `AC079544.1`
_ENDINGS = {
    abbreviations.MAY_END: ABBREVIATION,
    abbreviations.NEVER_ENDS: TITLE,
    abbreviations.SHORT: SHORT,
    abbreviations.BEFORE_NUMBER: BEFORE_NUMBER,
}


def lex(run: str, hyphens: Hyphens) -> LexedRun:
    """Cut a run of text without white space into tokens."""
    if run.isalpha() and run.isascii() and not cuts(run, hyphens):
        # A short cut: the code below gives the same.
        return LexedRun(((run, 0, len(run)),), _classify_word(run), NO_STOP, 0, NO_QUOTE, ())
    if is_clean(run):
        return _classify(_cut(run, hyphens), run)
    text, places = clean(run)
    pieces = _cut(text, hyphens)
    return _classify(pieces, text)._replace(
        pieces=tuple((form, places[start], places[end - 1] + 1) for form, start, end in pieces)
    )


def _cut(run: str, hyphens: Hyphens) -> list[Piece]:
    pieces: list[Piece] = []
    for match in PIECE.finditer(run):
        form, (start, end) = match.group(), match.span()
        kind = match.lastgroup
        if kind == "word":
            pieces += _cut_word(form, start, end, len(run), hyphens)
        elif kind == "quote":
            pieces.append((penn_quote(form, run, start, end), start, end))
        elif kind == "escape":
            pieces.append(("(" if form[1] == "L" else ")", start, end))
        elif hyphens == "split" and form in _SIGNS:
            pieces += [(sign, start + at, start + at + 1) for at, sign in enumerate(form)]
        else:
            pieces.append((canonical(form), start, end))
    return pieces


def _cut_word(form: str, start: int, end: int, length: int, hyphens: Hyphens) -> list[Piece]:
    """Cut a word at its contractions.

    A final period stays for now if it is an abbreviation's or ends the run.
    """
    body = form.removesuffix(".") if len(form) > 1 else form
    kind = abbreviations.abbreviation(body)
    detached = len(body) < len(form) and end < length and kind in (0, abbreviations.BEFORE_NUMBER)
    last = end - 1 if detached else end
    edges = [0, *cuts(body, hyphens), last - start]
    pieces = [(form[left:right], start + left, start + right) for left, right in pairwise(edges)]
    if detached:
        pieces.append((".", last, end))
    return pieces


def penn_quote(mark: str, run: str, start: int, end: int) -> str:
    """Return the Penn form of a quotation mark.

    An undirected one opens if it comes before a word and not after one.
    """
    if mark not in _UNDIRECTED:
        return _TO_PENN.get(mark, mark)
    opens = (start == 0 or run[start - 1] in _BEFORE_OPENING) and _WORD_AHEAD.match(run, end)
    if mark == "'":
        return "`" if opens else "'"
    return "``" if opens else "''"


def _classify(pieces: list[Piece], text: str) -> LexedRun:
    forms = [form for form, _, _ in pieces]
    quote = NO_QUOTE
    for form in forms:
        quote = OPENED if form == "``" else CLOSED if form == "''" else quote
    if text in ('"', "＂"):
        quote = EITHER
    stops = [at + 1 for at, form in enumerate(forms) if form[-1] in _FULL_STOPS]
    breaks = [_past_closing(forms, at) for at in stops]
    return LexedRun(
        tuple(pieces),
        _classify_beginning(forms, text),
        *_classify_ending(forms),
        quote,
        tuple(at for at in breaks if at < len(forms)),
    )


def _past_closing(forms: list[str], at: int) -> int:
    while at < len(forms) and forms[at] in _CLOSING:
        at += 1
    return at


def _classify_beginning(forms: list[str], text: str) -> int:
    if all(form in _CLOSING for form in forms) or _NOTE.fullmatch(text):
        return CLOSES
    if _ITEM.match(text):
        return OTHER
    word = next((form for form in forms if form not in _OPENING), "(")
    if word[0] in _JOINING and forms[0] == word and (len(word) == 1 or word[0] not in "-."):
        return JOINS
    if word[0] in "-–—―" and not word[-1].isalnum():
        return DASH
    return _classify_word(word)


def _classify_word(word: str) -> int:
    if word.removesuffix(".") in abbreviations.STARTERS and not _INITIAL.fullmatch(word):
        return STARTER
    if word[0].isdigit() or _CODE.fullmatch(word):
        return DIGIT
    if word[0].isalpha():
        return LOWER if word.islower() and not any(map(str.isdigit, word)) else UPPER
    return OTHER


def _classify_ending(forms: list[str]) -> tuple[int, int]:
    """Classify the last token that is not a closing mark; return that and how many follow it.

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
        return NO_STOP, 0
    if forms[at - 1] == "!" and not tail and at > 1 and _is_name(forms[at - 2]):
        return NAME, 0
    if len(forms[at - 1]) == 2 and at > 1 and forms[at - 2] in _JOINTS and forms[at - 1][-1] == ".":
        return STOP, tail  # the end of `GluR-B.`, not an initial
    return _classify_stop(forms[at - 1], only=len(forms) == 1, closed=tail > 0), tail


def _is_name(word: str) -> bool:
    return word[0].isupper() and word[1:].islower() and word.isalpha()


def _classify_stop(word: str, *, only: bool, closed: bool) -> int:
    if word[-1] == "…" or word.endswith(".."):
        return TRAIL
    if word[-1] in "?!‽。！？．؟।॥":
        return MARK if closed or only else SURE
    if word[-1] != ".":
        return NO_STOP
    body = word[:-1]
    if body.isdigit():
        return NUMBER
    ending = _ENDINGS.get(abbreviations.abbreviation(body), STOP)
    plain = body.islower() and (_PLAIN.fullmatch(body) or body in abbreviations.SHORT_WORDS)
    return SURE if ending == STOP and plain and not closed else ending
