"""Byte-pair encoding of words in plain Python: the part of `tokenizers` that parsing needs."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from whorl.lexicon.word_forms import plain_word

__all__ = ["BytePairs"]

_CACHED = 1 << 18  # words
_UNSUPPORTED = ("dropout", "end_of_word_suffix", "fuse_unk", "byte_fallback", "ignore_merges")


class BytePairs:
    """The pieces of Whorl's own encoders, the same as those of `whorl.lexicon.word_pieces.Pieces`.

    Words are encoded one by one and cached.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        merges: Sequence[str],
        *,
        prefix: str,
        start: int,
        end: int,
        unknown: int,
    ) -> None:
        self.start = start
        self.end = end
        self.unknown = unknown
        self._prefix = prefix
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self._merges: dict[tuple[int, int], tuple[int, int]] = {}  # pair to rank and merged piece
        for rank, merge in enumerate(merges):
            a, b = merge.split(" ")
            merged = self._ids[a + b.removeprefix(prefix)]
            self._merges.setdefault((self._ids[a], self._ids[b]), (rank, merged))
        self._cache: dict[str, tuple[int, ...]] = {}

    @staticmethod
    def extract(tokenizer: str) -> dict[str, Any] | None:
        """Return what `from_dict` needs of a tokenizer's JSON; None if it is of another kind."""
        description = json.loads(tokenizer)
        model = description["model"]
        supported = (
            model["type"] == "BPE"
            and description["normalizer"] is None
            and description["pre_tokenizer"] == {"type": "WhitespaceSplit"}
            and model["continuing_subword_prefix"]
            and not any(model.get(key) for key in _UNSUPPORTED)
        )
        if not supported:
            return None
        pieces = sorted(model["vocab"], key=model["vocab"].__getitem__)
        merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
        if [model["vocab"][piece] for piece in pieces] != list(range(len(pieces))):
            return None
        return {"pieces": pieces, "merges": merges, "prefix": model["continuing_subword_prefix"]}

    @classmethod
    def from_dict(cls, description: Mapping[str, Any], marks: Sequence[int]) -> BytePairs:
        """Undo `extract`; `marks` are the ids of the start, end and unknown pieces."""
        start, end, unknown = marks
        return cls(**description, start=start, end=end, unknown=unknown)

    def __len__(self) -> int:
        return len(self._ids)

    def encode(self, words: Iterable[str]) -> list[tuple[int, ...]]:
        """Return the ids of each word's pieces, at least one per word."""
        cache = self._cache
        if len(cache) > _CACHED:
            cache = self._cache = {}
        encoded = []
        for word in words:
            ids = cache.get(word)
            if ids is None:
                ids = cache[word] = self._encode_word(plain_word(word))
            encoded.append(ids)
        return encoded

    def _encode_word(self, word: str) -> tuple[int, ...]:
        """Split at white space, as the library does, and encode each part."""
        ids = [number for part in word.split() for number in self._encode_part(part)]
        return tuple(ids) or (self.unknown,)

    def _encode_part(self, part: str) -> list[int]:
        """Merge the pair of lowest rank, leftmost first, until no pair can be merged."""
        characters = [part[0], *(self._prefix + character for character in part[1:])]
        ids = [self._ids.get(character, self.unknown) for character in characters]
        following = [*range(1, len(ids)), -1]  # a doubly linked list of positions
        preceding = list(range(-1, len(ids) - 1))
        queue: list[tuple[int, int, int, int]] = []  # rank, position, and the pair's ids

        def push(position: int) -> None:
            after = following[position]
            if after >= 0 and (ids[position], ids[after]) in self._merges:
                rank, _ = self._merges[ids[position], ids[after]]
                heapq.heappush(queue, (rank, position, ids[position], ids[after]))

        for position in range(len(ids)):
            push(position)
        while queue:
            _, position, first, second = heapq.heappop(queue)
            after = following[position]
            if ids[position] != first or after < 0 or ids[after] != second:
                continue  # one of the two has been merged since
            ids[position] = self._merges[first, second][1]
            ids[after] = -1
            following[position] = following[after]
            if following[position] >= 0:
                preceding[following[position]] = position
            push(position)
            if preceding[position] >= 0:
                push(preceding[position])
        return [number for number in ids if number >= 0]
