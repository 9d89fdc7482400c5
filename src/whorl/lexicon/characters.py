"""The characters of words, as rows of numbers of fixed width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["WIDTH", "Characters"]

WIDTH = 20
"""Characters per word; a longer word is cut to its first and last `WIDTH / 2` characters."""

_CACHED = 1 << 18  # words
_PAD, _UNKNOWN = 0, 1


class Characters:
    """Characters by number: 0 is padding, 1 stands for every character not seen in training."""

    def __init__(self, characters: Iterable[str]) -> None:
        self.characters = list(dict.fromkeys(characters))
        self.index = {
            character: number for number, character in enumerate(self.characters, start=2)
        }
        self._cache: dict[str, bytes] = {}

    @classmethod
    def of(cls, words: Iterable[str], *, least: int = 2) -> Characters:
        """Collect the characters that occur at least `least` times in some words."""
        return cls.counted(Counter(words), least=least)

    @classmethod
    def counted(cls, words: Mapping[str, int], *, least: int = 2) -> Characters:
        """Make what `of` makes, from the counts of the words."""
        counts: Counter[str] = Counter()
        for word, count in words.items():
            for character in word:
                counts[character] += count
        return cls(sorted(character for character, count in counts.items() if count >= least))

    def __len__(self) -> int:
        return len(self.characters) + 2

    def encode(self, words: Sequence[str]) -> npt.NDArray[np.uint16]:
        """Return the characters of each word: (words, WIDTH)."""
        cache = self._cache
        if len(cache) > _CACHED:
            cache.clear()
        rows = []
        for word in words:
            row = cache.get(word)
            if row is None:
                row = cache[word] = self._row(word)
            rows.append(row)
        return np.frombuffer(b"".join(rows), dtype=np.uint16).reshape(len(words), WIDTH)

    def _row(self, word: str) -> bytes:
        kept = word if len(word) <= WIDTH else word[: WIDTH // 2] + word[-WIDTH // 2 :]
        row = np.full(WIDTH, _PAD, dtype=np.uint16)
        row[: len(kept)] = [self.index.get(character, _UNKNOWN) for character in kept]
        return row.tobytes()
