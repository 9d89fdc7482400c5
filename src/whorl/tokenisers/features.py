"""Features of units as numbers of rows in a table of embeddings, by hashing."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol
from zlib import crc32

import numpy as np
import numpy.typing as npt

from whorl.text.uax29 import sentence_boundaries
from whorl.tokenisers.units import APART, END, LINE, Unit

__all__ = ["CharacterFeatures", "Features", "WordFeatures", "sentence_marks", "units_key"]

Ids = npt.NDArray[np.int32]

_CACHED = 1 << 16
_LONGEST_SHAPE = 6
_LONGEST_FORM = 40  # characters of a form that are looked at
_MOST_UNITS = 8  # of a known word
_LONGEST_CHARACTER = 4  # code points of a character with its marks


class Features(Protocol):
    """The features of a kind of unit."""

    columns: int
    dropped: Sequence[float]
    """How often to leave out each feature in training."""
    edges: tuple[int, int, int, int]
    """The column of what follows a unit, and its row at the end of a paragraph; the column of
    what precedes a unit, and its row at the beginning."""

    def ids(self, units: Sequence[Unit], ends: frozenset[int] | set[int]) -> Ids:
        """Return the rows of each unit: (units, columns). `ends` are those of UAX 29 sentences."""


def sentence_marks(text: str) -> set[int]:
    """Return where a sentence ends by UAX 29: after the last character that is no white space."""
    return {len(text[:end].rstrip()) for end in sentence_boundaries(text)}


class _Hash:
    """Hashes features to rows from 1 on; row 0 stands for no feature."""

    def __init__(self, rows: int) -> None:
        self._rows = rows - 1

    def __call__(self, kind: str, value: str) -> int:
        return 1 + crc32(f"{kind}:{value}".encode(errors="replace")) % self._rows


def _shape(form: str) -> str:
    """Return a form with letters and digits replaced by their kinds."""
    shape = "".join(
        "X" if char.isupper() else "x" if char.isalpha() else "9" if char.isdigit() else char
        for char in form[:_LONGEST_SHAPE]
    )
    return shape + ("+" if len(form) > _LONGEST_SHAPE else "")


def _category(char: str) -> str:
    return unicodedata.category(char)


def units_key(units: Sequence[Unit]) -> str:
    """Return how several units are written, for looking them up among known words."""
    return "".join(_key_part(unit) for unit in units).rstrip()


def _key_part(unit: Unit) -> str:
    form = unit.form[:_LONGEST_FORM].lower()
    return f"{form} " if unit.gap in (APART, LINE) else form


class _KnownWords:
    """Finds known words or phrases among units."""

    def __init__(self, words: frozenset[str], make: _Hash) -> None:
        self._words = words
        self._longest = max(map(len, words), default=0)
        self._first = {word[0] for word in words}
        self._lengths = np.array(
            [
                [make(kind, str(size)) if size else 0 for size in range(_MOST_UNITS + 1)]
                for kind in "xyz"
            ],
            np.int32,
        )

    def ids(self, units: Sequence[Unit]) -> Ids:
        """Return rows for the longest known words that end with, go on after, and follow a unit."""
        count = len(units)
        ending, around, following = [0] * count, [0] * count, [0] * count
        parts = [_key_part(unit) for unit in units] if self._words else []
        for start, part in enumerate(parts):
            if part[0] not in self._first:
                continue
            written = part
            for last in range(start + 1, min(start + _MOST_UNITS, count)):
                written += parts[last]
                if len(written) > self._longest + 1:
                    break
                if written.rstrip() not in self._words:
                    continue
                size = last - start + 1
                ending[last] = max(ending[last], size)
                if start:
                    following[start - 1] = max(following[start - 1], size)
                for inside in range(start, last):
                    around[inside] = max(around[inside], size)
        lists = zip(self._lengths, (ending, around, following), strict=True)
        rows: Ids = np.stack([row[sizes] for row, sizes in lists], axis=1)
        return rows


class WordFeatures:
    """Form, affixes and shape of a piece of a word; known phrases; what surrounds it."""

    columns = 13
    dropped: Sequence[float] = (0.3, 0.3, 0.1, 0.1, 0.1, 0.0, 0.0, 0.15, 0.15, 0.15, 0.0, 0.0, 0.0)

    def __init__(self, rows: int, phrases: frozenset[str]) -> None:
        self._hash = _Hash(rows)
        self._known = _KnownWords(phrases, self._hash)
        self.edges = _edges(self._hash, 10)
        self._form_ids = lru_cache(_CACHED)(self._of_form)

    def ids(self, units: Sequence[Unit], ends: frozenset[int] | set[int]) -> Ids:
        """Return the rows of each unit."""
        rows = np.zeros((len(units), self.columns), np.int32)
        if not units:
            return rows
        rows[:, :7] = [self._form_ids(unit.form[:_LONGEST_FORM]) for unit in units]
        rows[:, 7:10] = self._known.ids(units)
        _add_surroundings(rows, units, ends, self._hash, 10)
        return rows

    def _of_form(self, form: str) -> tuple[int, ...]:
        lower, make = form.lower(), self._hash
        return (
            make("w", lower),
            make("f", form),
            make("p", lower[:2]),
            make("s2", lower[-2:]),
            make("s3", lower[-3:]),
            make("h", _shape(form)),
            make("c", _category(form[0]) + str(min(len(form), 5))),
        )


class CharacterFeatures:
    """A character, its neighbours, and the known words that it is part of."""

    columns = 10
    dropped: Sequence[float] = (0.02, 0.0, 0.5, 0.5, 0.15, 0.15, 0.15, 0.0, 0.0, 0.0)

    def __init__(self, rows: int, words: frozenset[str]) -> None:
        self._hash = _Hash(rows)
        self._known = _KnownWords(words, self._hash)
        self.edges = _edges(self._hash, 7)
        self._single = lru_cache(_CACHED)(self._of_character)
        self._several = lru_cache(_CACHED)(self._hash.__call__)

    def ids(self, units: Sequence[Unit], ends: frozenset[int] | set[int]) -> Ids:
        """Return the rows of each unit."""
        rows = np.zeros((len(units), self.columns), np.int32)
        if not units:
            return rows
        forms = ["<", *(unit.form[:_LONGEST_CHARACTER] for unit in units), ">"]
        several = self._several
        rows[:, :2] = [self._single(form) for form in forms[1:-1]]
        rows[:, 2:4] = [
            (several("b", left + form), several("n", form + right))
            for left, form, right in zip(forms, forms[1:], forms[2:], strict=False)
        ]
        rows[:, 4:7] = self._known.ids(units)
        _add_surroundings(rows, units, ends, self._hash, 7)
        return rows

    def _of_character(self, form: str) -> tuple[int, int]:
        name = unicodedata.name(form[0], "").partition(" ")[0]
        return self._hash("u", form), self._hash("k", _category(form[0]) + name)


def _edges(make: _Hash, at: int) -> tuple[int, int, int, int]:
    return at, make("a", str(END)), at + 1, make("e", str(END))


def _add_surroundings(
    rows: Ids, units: Sequence[Unit], ends: frozenset[int] | set[int], make: _Hash, at: int
) -> None:
    """Fill the columns for the gaps after and before each unit and for sentence ends of UAX 29."""
    gaps = np.fromiter((unit.gap for unit in units), np.int32, len(units))
    after = np.array([make("a", str(gap)) for gap in range(16)], np.int32)
    before = np.array([make("e", str(gap)) for gap in range(16)], np.int32)
    rows[:, at] = after[gaps]
    rows[1:, at + 1] = before[gaps[:-1]]
    rows[0, at + 1] = before[END]
    marked = make("m", "1")
    rows[:, at + 2] = [marked if unit.end in ends else 0 for unit in units]
