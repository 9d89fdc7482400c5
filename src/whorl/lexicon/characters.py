"""The characters of words as rows of numbers, all of one width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["WIDTH", "Characters"]

WIDTH = 20
"""Characters of a word that count; of a longer word its first and last halves of so many."""

_CACHED = 1 << 18  # words
_PAD, _UNKNOWN = 0, 1


class Characters:
    """Numbers for characters: 0 stands after the end of a word, 1 for what training did not have."""

    def __init__(self, characters: Iterable[str]) -> None:
        self.characters = list(dict.fromkeys(characters))
        self.index = {
            character: number for number, character in enumerate(self.characters, start=2)
        }
        self._cache: dict[str, bytes] = {}

    @classmethod
    def of(cls, words: Iterable[str], *, least: int = 2) -> Characters:
        """The characters that occur so often in some words."""
        counts: Counter[str] = Counter()
        for word, count in Counter(words).items():
            for character in word:
                counts[character] += count
        return cls(sorted(character for character, count in counts.items() if count >= least))

    def __len__(self) -> int:
        return len(self.characters) + 2

    def encode(self, words: Sequence[str]) -> npt.NDArray[np.uint16]:
        """The characters of each word: (words, width)."""
        cache = self._cache
        if len(cache) > _CACHED:
            cache.clear()
        found = []
        for word in words:
            row = cache.get(word)
            if row is None:
                row = cache[word] = self._row(word)
            found.append(row)
        return np.frombuffer(b"".join(found), dtype=np.uint16).reshape(len(words), WIDTH)

    def _row(self, word: str) -> bytes:
        kept = word if len(word) <= WIDTH else word[: WIDTH // 2] + word[-WIDTH // 2 :]
        row = np.full(WIDTH, _PAD, dtype=np.uint16)
        row[: len(kept)] = [self.index.get(character, _UNKNOWN) for character in kept]
        return row.tobytes()
