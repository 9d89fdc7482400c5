"""Byte-pair encoding of words in plain Python: what a parser needs of the `tokenizers` library, and no more.

Words come one by one and are remembered, so that speed matters little here.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Sequence
from typing import Any

from whorl.lexicon.word_forms import plain_word

__all__ = ["BytePairs"]

_CACHED = 1 << 18  # words


class BytePairs:
    """The pieces of an encoder of ours: see `whorl.lexicon.word_pieces.Pieces`, which gives the same."""

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
        self._ranks: dict[
            tuple[int, int], tuple[int, int]
        ] = {}  # a pair's rank, and what it becomes
        for rank, merge in enumerate(merges):
            a, b = merge.split(" ")
            made = self._ids[a + b.removeprefix(prefix)]
            self._ranks.setdefault((self._ids[a], self._ids[b]), (rank, made))
        self._cache: dict[str, tuple[int, ...]] = {}

    @staticmethod
    def described(tokenizer: str) -> dict[str, Any] | None:
        """What of a tokenizer's JSON `restored` needs, or None if it is of another kind."""
        saved = json.loads(tokenizer)
        model = saved["model"]
        plain = (
            model["type"] == "BPE"
            and saved["normalizer"] is None
            and saved["pre_tokenizer"] == {"type": "WhitespaceSplit"}
            and model["continuing_subword_prefix"]
            and not any(
                model.get(key)
                for key in ("dropout", "end_of_word_suffix", "fuse_unk", "byte_fallback")
            )
            and not model.get("ignore_merges")
        )
        if not plain:
            return None
        pieces = sorted(model["vocab"], key=model["vocab"].__getitem__)
        merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
        if [model["vocab"][piece] for piece in pieces] != list(range(len(pieces))):
            return None
        return {"pieces": pieces, "merges": merges, "prefix": model["continuing_subword_prefix"]}

    @classmethod
    def restored(cls, described: dict[str, Any], marks: Sequence[int]) -> BytePairs:
        """Undo `described`, with the numbers of the pieces that begin, end, and stand for the unknown."""
        start, end, unknown = marks
        return cls(**described, start=start, end=end, unknown=unknown)

    def words(self, words: Iterable[str]) -> list[tuple[int, ...]]:
        """The ids of each word's pieces, at least one for each."""
        cache = self._cache
        if len(cache) > _CACHED:
            cache = self._cache = {}
        found = []
        for word in words:
            ids = cache.get(word)
            if ids is None:
                ids = cache[word] = self._word(plain_word(word))
            found.append(ids)
        return found

    def _word(self, word: str) -> tuple[int, ...]:
        """Cut at white space, as the library does, then merge in each part the best pair, the leftmost first."""
        ids = [number for part in word.split() for number in self._merged(part)]
        return tuple(ids) or (self.unknown,)

    def _merged(self, part: str) -> list[int]:
        characters = [part[0], *(self._prefix + character for character in part[1:])]
        ids = [self._ids.get(character, self.unknown) for character in characters]
        after = [*range(1, len(ids)), -1]  # the next piece's place
        before = list(range(-1, len(ids) - 1))
        waiting: list[tuple[int, int, int, int]] = []  # rank, place, and the pair that it is about

        def offer(place: int) -> None:
            following = after[place]
            if following >= 0 and (ids[place], ids[following]) in self._ranks:
                rank, _ = self._ranks[ids[place], ids[following]]
                heapq.heappush(waiting, (rank, place, ids[place], ids[following]))

        for place in range(len(ids)):
            offer(place)
        while waiting:
            _, place, one, other = heapq.heappop(waiting)
            following = after[place]
            if ids[place] != one or following < 0 or ids[following] != other:
                continue  # one of the two has been merged with something else
            ids[place] = self._ranks[one, other][1]
            ids[following] = -1
            after[place] = after[following]
            if after[place] >= 0:
                before[after[place]] = place
            offer(place)
            if before[place] >= 0:
                offer(before[place])
        return [number for number in ids if number >= 0]
