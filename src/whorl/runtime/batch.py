"""Sentences made ready for an exported encoder: in groups of like length, each one run of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.data.candidates import Ints
from whorl.data.encoder import Tags
from whorl.data.span_encoder import SpanEncoder
from whorl.runtime.features import WordFeatures

__all__ = ["Prepared", "RuntimeEncoder"]

_SENTENCES = 16  # of a group: little padding, and what is computed stays in a core's own memory
_PIECES = 640  # of a group, padding and all: what stays in a core's own memory


@dataclass(frozen=True, slots=True)
class Prepared:
    """A batch: the inputs of each of its groups, the number of words of each sentence, and where its rows begin."""

    lengths: Ints  # (sentences,)
    fenceposts: Ints  # (sentences,): the row of each sentence's first fencepost in the tables
    groups: list[dict[str, npt.NDArray[Any]]]


@dataclass(slots=True)
class RuntimeEncoder:
    """The numbers of a model, and the features of words."""

    numbers: SpanEncoder
    features: WordFeatures | None
    labels: list[str] = field(init=False)
    tags: Tags = field(init=False)

    def __post_init__(self) -> None:
        self.labels = self.numbers.labels
        self.tags = self.numbers.tags

    def treebank(self, name: str | None) -> int:
        """See `SpanEncoder`."""
        return self.numbers.treebank(name)

    def batch(self, sentences: Sequence[Sequence[str]], treebanks: Sequence[int]) -> Prepared:
        """Make a batch of sentences, in any order, ready; the best is that of their lengths."""
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        pieces = None
        if self.numbers.pieces is not None:
            pieces = [self.numbers.in_pieces(sentence) for sentence in sentences]
        groups = []
        starts = []
        row = 0
        for first, last in self._cuts(lengths.tolist(), pieces):
            group = _placed(lengths[first:last], np.array(treebanks[first:last], dtype=np.int64))
            if self.features is not None:
                group["features"] = self.features(sentences[first:last])
            if pieces is not None:
                group |= _pieces(pieces[first:last], lengths[first:last])
            groups.append(group)
            wide = len(group["grid"]) - 1
            starts.append(row + np.arange(last - first) * wide)
            row += wide * (last - first)
        return Prepared(lengths, np.concatenate(starts), groups)

    def _cuts(self, lengths: list[int], pieces: list[Any] | None) -> list[tuple[int, int]]:
        """Where groups begin and end."""
        cuts = []
        first, longest = 0, 0
        for place, length in enumerate(lengths):
            size = length if pieces is None else sum(pieces[place][1])
            longest = max(longest, size)
            count = place - first + 1
            if count > 1 and (count > _SENTENCES or (pieces is not None and count * longest > _PIECES)):
                cuts.append((first, place))
                first, longest = place, size
        return [*cuts, (first, len(lengths))]


def _placed(lengths: Ints, treebanks: Ints) -> dict[str, npt.NDArray[Any]]:
    """Where words, marks (1 and 2) and padding (0) stand in (places, sentences), and where to find the words."""
    places = np.arange(int(lengths.max()) + 2)[:, None]
    before = np.cumsum(lengths) - lengths
    grid = np.where(places <= lengths, before + 2 + places, 0)
    grid[0] = 1
    grid[lengths + 1, np.arange(len(lengths))] = 2
    count = int(lengths.sum())
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(1, count + 1) - before[sentence]
    return {
        "grid": grid,
        "lengths": (lengths + 2).astype(np.int32),
        "places": place * len(lengths) + sentence,
        "treebanks": treebanks,
    }


def _pieces(sentences: list[Any], lengths: Ints) -> dict[str, npt.NDArray[Any]]:
    """Chunks of pieces, padded, and the places of each word's first and last."""
    chunks = np.array([count for _, counts, _ in sentences for count in counts], dtype=np.int64)
    width = int(chunks.max())
    pieces = np.zeros((len(chunks), width), dtype=np.int64)
    pieces[np.arange(width) < chunks[:, None]] = [number for numbers, _, _ in sentences for number in numbers]
    ends = np.array([end for _, _, ends in sentences for end in ends], dtype=np.int64)  # (words, 3)
    counts = np.array([len(counts) for _, counts, _ in sentences], dtype=np.int64)
    chunk = ends[:, 0] + np.repeat(np.cumsum(counts) - counts, lengths)
    return {"pieces": pieces, "chunks": chunks, "ends": (chunk[:, None] * width + ends[:, 1:]).T.copy()}
