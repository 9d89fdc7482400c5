"""Features of words in NumPy: learned and pretrained vectors and characters, cached by word.

Tables are stored in float32, in float16, or in int8 with one scale per row.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import repeat
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.lexicon.characters import WIDTH, Characters
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words

__all__ = ["CachedWordFeatures", "CharacterFilters", "FeatureTable"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

_CACHED = 1 << 15  # words
_INITIAL_ROWS = 256


class FeatureTable:
    """A table of row vectors in any precision."""

    def __init__(self, values: Array, scales: Floats | None = None) -> None:
        self.values = values
        self.scales = scales

    def rows(self, numbers: Sequence[int]) -> Floats:
        """Return some rows in float32: (rows, width)."""
        rows: Floats = self.values[numbers].astype(np.float32)
        return rows if self.scales is None else rows * self.scales[numbers][:, None]

    @property
    def width(self) -> int:
        """The length of a row."""
        return int(self.values.shape[1])


class CharacterFilters:
    """The maximum response of each character filter: see `whorl.span.encoders.words.CharacterCNN`.

    A response is a sum over the characters under the filter, so the contribution of each character
    at each place is a table.
    """

    def __init__(self, responses: Array, bias: Floats) -> None:
        self.responses = responses.astype(np.float32)  # (filter width, characters, filters)
        self.bias = bias

    def rows(self, forms: npt.NDArray[np.uint16]) -> Floats:
        """Encode (words, characters) as (words, filters)."""
        filter_width = len(self.responses)
        edge = np.zeros((len(forms), filter_width - 1), dtype=forms.dtype)
        codes = np.concatenate([edge, forms, edge], axis=1)
        places = WIDTH + filter_width - 1
        sums = self.responses[0][codes[:, :places]]  # (words, places, filters)
        for place in range(1, filter_width):
            sums += self.responses[place][codes[:, place : place + places]]
        rows: Floats = np.maximum(sums.max(axis=1) + self.bias, 0)
        return rows


class _Cache:
    """Rows of known words, for one process.

    A fork may happen while another thread holds the lock or is adding words. The child process
    then never sees the lock released, so it must start its own cache.
    """

    def __init__(self, width: int) -> None:
        self.process = os.getpid()
        self.lock = Lock()
        self.first: dict[str, int] = {}  # row of a word at the start of a sentence
        self.other: dict[str, int] = {}  # row of a word elsewhere
        self.rows: Floats = np.empty((_INITIAL_ROWS, width), dtype=np.float32)
        self.count = 0

    def numbers(self, sentences: Sequence[Sequence[str]]) -> list[int]:
        """Return the rows of all words of some sentences, -1 for unknown words."""
        first, other = self.first.get, self.other.get
        numbers = [number for sentence in sentences for number in map(other, sentence, repeat(-1))]
        start = 0
        for sentence in sentences:
            numbers[start] = first(sentence[0], -1)
            start += len(sentence)
        return numbers

    def add(self, words: list[str], rows: Floats, index: dict[str, int]) -> None:
        """Append the rows of new words, and enter them into `first` or `other`."""
        start, count = self.count, self.count + len(rows)
        if count > len(self.rows):
            grown = np.empty((max(count, 2 * len(self.rows)), rows.shape[1]), dtype=np.float32)
            grown[:start] = self.rows[:start]
            self.rows = grown
        self.rows[start:count] = rows
        index.update(zip(words, range(start, count), strict=True))
        self.count = count


class CachedWordFeatures:
    """All features of a word, side by side. Safe to use from several threads and after a fork."""

    def __init__(
        self,
        words: Words | None,
        vectors: Vectors | None,
        characters: Characters | None,
        tables: Mapping[str, Array],
    ) -> None:
        self._words = words
        self._vectors = vectors
        self._characters = characters
        self._word = _table(tables, "word") if words is not None else None
        self._vector = _table(tables, "vector") if vectors is not None else None
        self._filters = (
            CharacterFilters(tables["characters"], tables["characters.bias"])
            if characters is not None
            else None
        )
        parts = (self._word, self._vector)
        self.width = sum(part.width for part in parts if part is not None)
        self.width += 0 if self._filters is None else len(self._filters.bias)
        self._cache = _Cache(self.width)

    def __call__(self, sentences: Sequence[Sequence[str]]) -> Floats:
        """Return the features of all words of some sentences: (all words, width)."""
        cache = self._cache
        if cache.process != os.getpid():
            cache = self._cache = _Cache(self.width)
        with cache.lock:
            numbers = cache.numbers(sentences)
            if -1 in numbers:
                self._add_missing(cache, sentences)
                numbers = cache.numbers(sentences)
            features: Floats = cache.rows.take(numbers, axis=0)
            if cache.count > _CACHED:
                self._cache = _Cache(self.width)
        return features

    def _add_missing(self, cache: _Cache, sentences: Sequence[Sequence[str]]) -> None:
        """Compute the features of unknown words; they may differ at the start of a sentence."""
        first = dict.fromkeys(s[0] for s in sentences if s[0] not in cache.first)
        other = dict.fromkeys(w for s in sentences for w in s[1:] if w not in cache.other)
        for missing, index, is_first in ((first, cache.first, True), (other, cache.other, False)):
            if missing:
                words = list(missing)
                cache.add(words, self._rows(words, first=is_first), index)

    def _rows(self, words: list[str], *, first: bool) -> Floats:
        parts = []
        if self._words is not None and self._word is not None:
            parts.append(self._word.rows([self._words.number(word, first=first) for word in words]))
        if self._vectors is not None and self._vector is not None:
            parts.append(self._vector.rows(self._vectors.encode(words)))
        if self._characters is not None and self._filters is not None:
            parts.append(self._filters.rows(self._characters.encode(words)))
        return np.concatenate(parts, axis=1)


def _table(tables: Mapping[str, Array], name: str) -> FeatureTable:
    return FeatureTable(tables[name], tables.get(f"{name}.scale"))
