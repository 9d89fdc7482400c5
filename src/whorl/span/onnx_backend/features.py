"""What words are by themselves, without PyTorch: learned and pretrained vectors and characters, looked up once a word.

The tables are stored in float32, in float16, or in int8 with a scale for each row. What was found
for a word is kept, since most words of a text have been seen before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.lexicon.characters import WIDTH, Characters
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words

__all__ = ["CharacterFilters", "Table", "WordFeatures"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

_KEPT = 1 << 15  # words


class Table:
    """Rows of numbers, in whatever they are stored."""

    def __init__(self, values: Array, scales: Floats | None = None) -> None:
        self.values = values
        self.scales = scales

    def rows(self, numbers: Sequence[int]) -> Floats:
        """Some rows, (rows, width)."""
        found: Floats = self.values[numbers].astype(np.float32)
        return found if self.scales is None else found * self.scales[numbers][:, None]

    @property
    def width(self) -> int:
        """The length of a row."""
        return int(self.values.shape[1])


class CharacterFilters:
    """The strongest answer of each filter over a word's characters: see `whorl.span.encoders.words.CharacterCNN`.

    What a filter says is a sum over the characters that it sees, so what each character adds at
    each of a filter's places is a table.
    """

    def __init__(self, answers: Array, bias: Floats) -> None:
        self.answers = answers.astype(np.float32)  # (filter's places, characters, filters)
        self.bias = bias

    def rows(self, forms: npt.NDArray[np.uint16]) -> Floats:
        """(words, characters) to (words, filters)."""
        span = len(self.answers)
        edge = np.zeros((len(forms), span - 1), dtype=forms.dtype)
        codes = np.concatenate([edge, forms, edge], axis=1)
        places = WIDTH + span - 1
        heard = self.answers[0][codes[:, :places]]  # (words, places, filters)
        for place in range(1, span):
            heard += self.answers[place][codes[:, place : place + places]]
        found: Floats = np.maximum(heard.max(axis=1) + self.bias, 0)
        return found


class WordFeatures:
    """All that a model looks at in a word, side by side. Several threads may ask at once."""

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
        self._lock = Lock()
        self._first: dict[str, int] = {}  # rows of what was found
        self._other: dict[str, int] = {}
        self._found: Floats = np.empty((256, self.width), dtype=np.float32)
        self._count = 0

    def __call__(self, sentences: Sequence[Sequence[str]]) -> Floats:
        """The features of all words of some sentences: (all words, width)."""
        with self._lock:
            numbers = self._numbers(sentences)
            if -1 in numbers:
                self._learn(sentences)
                numbers = self._numbers(sentences)
            found: Floats = self._found.take(numbers, axis=0)
            if self._count > _KEPT:
                self._forget()
            return found

    def _numbers(self, sentences: Sequence[Sequence[str]]) -> list[int]:
        """Rows of `_found`, -1 for none yet. A word may be another at the beginning of a sentence than elsewhere."""
        first, other = self._first.get, self._other.get
        numbers = [number for sentence in sentences for number in map(other, sentence, repeat(-1))]
        place = 0
        for sentence in sentences:
            numbers[place] = first(sentence[0], -1)
            place += len(sentence)
        return numbers

    def _learn(self, sentences: Sequence[Sequence[str]]) -> None:
        first = dict.fromkeys(
            sentence[0] for sentence in sentences if sentence[0] not in self._first
        )
        other = dict.fromkeys(
            word for sentence in sentences for word in sentence[1:] if word not in self._other
        )
        for words, index, at_first in (
            (list(first), self._first, True),
            (list(other), self._other, False),
        ):
            if words:
                self._append(self._rows(words, first=at_first))
                index.update(zip(words, range(self._count - len(words), self._count), strict=True))

    def _rows(self, words: list[str], *, first: bool) -> Floats:
        parts = []
        if self._words is not None and self._word is not None:
            parts.append(self._word.rows([self._words.number(word, first=first) for word in words]))
        if self._vectors is not None and self._vector is not None:
            parts.append(self._vector.rows(self._vectors.encode(words)))
        if self._characters is not None and self._filters is not None:
            parts.append(self._filters.rows(self._characters.encode(words)))
        return np.concatenate(parts, axis=1)

    def _append(self, rows: Floats) -> None:
        count = self._count + len(rows)
        if count > len(self._found):
            grown = np.empty((max(count, 2 * len(self._found)), self.width), dtype=np.float32)
            grown[: self._count] = self._found[: self._count]
            self._found = grown
        self._found[self._count : count] = rows
        self._count = count

    def _forget(self) -> None:
        self._first = {}
        self._other = {}
        self._found = np.empty((256, self.width), dtype=np.float32)
        self._count = 0


def _table(tables: Mapping[str, Array], name: str) -> Table:
    return Table(tables[name], tables.get(f"{name}.scale"))
