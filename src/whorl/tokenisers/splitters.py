"""Text cut into units: pieces of words for `unicode`, single characters for `learned`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from whorl.text.characters import ZERO_SPACE, is_invisible
from whorl.text.uax29 import word_boundaries, word_classes
from whorl.tokenisers.inventory import Contraction, Inventory
from whorl.tokenisers.units import (
    APART,
    CONTRACTED,
    END,
    INSIDE,
    LINE,
    PREFIX,
    SHARED,
    SUFFIX,
    TOUCH,
    Unit,
)

__all__ = ["CharacterSplitter", "Splitter", "WordSplitter", "clean_text"]

_LINE_BREAK = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACE = re.compile(r"\s+")
_SUSPECT = re.compile(
    f"[{ZERO_SPACE}\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
# Letters with what belongs to them, digits, or any other character.
_PIECE = re.compile(r"[AHKp][AHKpefz]*|N[Nefz]*|.[efz]*", re.DOTALL)
_LONGEST_WORD = 64  # characters: a longer one has no affix
_CACHED = 1 << 15

Piece = tuple[int, int, str, int, str]
"""Start, end, form, the gap to the next piece of the segment, the whole of a contraction."""


def clean_text(text: str) -> tuple[str, list[int] | None]:
    """Return a text without invisible characters, and where each character was; None: unchanged.

    A zero-width space becomes a space, a lone surrogate U+FFFD.
    """
    if not _SUSPECT.search(text):
        return text, None
    text = text.replace(ZERO_SPACE, " ")
    places = [at for at, char in enumerate(text) if not is_invisible(char)]
    cleaned = "".join("\ufffd" if "\ud800" <= text[at] <= "\udfff" else text[at] for at in places)
    return cleaned, [*places, len(text)]


class Splitter(Protocol):
    """Cuts a text without invisible characters into units."""

    def units(self, text: str) -> list[Unit]:
        """Return the units of a text; white space is in none, every other character is in one."""


def _add_space(units: list[Unit], white: str) -> None:
    """Note that white space follows the last of the units."""
    if units and units[-1].gap != LINE:
        gap = LINE if _LINE_BREAK.search(white) else APART
        units[-1] = units[-1]._replace(gap=gap)


class CharacterSplitter:
    """Every character is a unit, with the marks that belong to it."""

    def __init__(self, inventory: Inventory) -> None:
        self._characters = str.maketrans(dict(inventory.characters))

    def units(self, text: str) -> list[Unit]:
        """Return the characters of a text."""
        classes = word_classes(text)
        text = text.translate(self._characters)
        units: list[Unit] = []
        for match in re.finditer(r"[^rnl][efz]*|[rnl]", classes, re.DOTALL):
            start, end = match.span()
            form = text[start:end]
            if form[0].isspace():
                _add_space(units, form)
                # A mark without anything to belong to is a unit.
                form = form.lstrip()
                if not form:
                    continue
                start = end - len(form)
            units.append(Unit(start, end, form, TOUCH))
        if units:
            units[-1] = units[-1]._replace(gap=END)
        return units


class WordSplitter:
    """The words of UAX 29, cut at marks, between letters and digits, and at known affixes."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._characters = str.maketrans(dict(inventory.characters))
        self._longest = max(map(len, inventory.suffixes | inventory.prefixes), default=0)
        self._pieces = lru_cache(_CACHED)(self._cut_segment)

    def units(self, text: str) -> list[Unit]:
        """Return the pieces of the words of a text."""
        classes = word_classes(text)
        text = text.translate(self._characters)
        units: list[Unit] = []
        at = 0
        for end in word_boundaries(classes):
            segment = text[at:end]
            if segment[0].isspace():
                _add_space(units, segment)
                segment = segment.lstrip()
                at = end - len(segment)
            if segment:
                cut = self._pieces if end - at <= _LONGEST_WORD else self._cut_segment
                for left, right, form, gap, whole in cut(segment, classes[at:end]):
                    units.append(Unit(at + left, at + right, form, gap, whole))
            at = end
        if units:
            units[-1] = units[-1]._replace(gap=END)
        return units

    def _cut_segment(self, segment: str, classes: str) -> tuple[Piece, ...]:
        """Cut a segment; the gap after its last piece is `TOUCH` until something else is known."""
        pieces: list[Piece] = []
        for match in _PIECE.finditer(classes):
            start, end = match.span()
            word = segment[start:end]
            if len(word) <= _LONGEST_WORD and classes[start] in "AHKp":
                pieces += self._cut_word(word, start)
            else:
                pieces.append((start, end, word, INSIDE, ""))
        last = pieces[-1]
        pieces[-1] = (*last[:3], TOUCH, last[4])
        return tuple(pieces)

    def _cut_word(self, word: str, start: int) -> Iterator[Piece]:
        """Cut off prefixes and suffixes, or divide a contraction."""
        lower = word.lower()
        if len(lower) != len(word):
            lower = word
        contraction = self._inventory.contractions.get(lower)
        if contraction is not None:
            yield from _contracted(word, start, contraction)
            return
        left, right = 0, len(word)
        prefix = self._affix(lower, left, right, prefix=True)
        if prefix:
            yield start, start + prefix, word[:prefix], PREFIX, ""
            left = prefix
        suffixes: list[int] = []
        while size := self._affix(lower, left, right, prefix=False):
            right -= size
            suffixes.append(right)
        cuts = [left, *reversed(suffixes), len(word)]
        for place, (begin, end) in enumerate(pairwise(cuts)):
            gap = SUFFIX if place < len(cuts) - 2 else INSIDE
            yield start + begin, start + end, word[begin:end], gap, ""

    def _affix(self, word: str, left: int, right: int, *, prefix: bool) -> int:
        """Return the length of the longest affix of `word[left:right]`; something is left of it."""
        affixes = self._inventory.prefixes if prefix else self._inventory.suffixes
        for size in range(min(self._longest, right - left - 1), 0, -1):
            affix = word[left : left + size] if prefix else word[right - size : right]
            if affix in affixes:
                return size
        return 0


def _contracted(word: str, start: int, contraction: Contraction) -> Iterator[Piece]:
    end = start + len(word)
    first, second = contraction.first, contraction.second
    if word.isupper() and len(word) > 1:
        first, second = first.upper(), second.upper()
    elif word[0].isupper():
        first = first[0].upper() + first[1:]
    cut = contraction.cut
    if cut:
        yield start, start + cut, first, CONTRACTED, word
        yield start + cut, end, second, INSIDE, ""
    else:
        yield start, end, first, SHARED, word
        yield start, end, second, INSIDE, ""
