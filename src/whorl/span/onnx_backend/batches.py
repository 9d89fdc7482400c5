"""Sentences made ready for an exported encoder: in groups of like length, each one run of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.lexicon.tags import Tags
from whorl.span.candidates import Ints
from whorl.span.onnx_backend.features import WordFeatures
from whorl.span.vocabulary import SpanVocabulary

__all__ = ["Prepared", "RuntimeVocabulary"]

_SENTENCES = 16  # of a group: little padding, and what is computed stays in a core's own memory
_PIECES = 640  # of a group, padding and all: what stays in a core's own memory


@dataclass(frozen=True, slots=True)
class Prepared:
    """A batch: the inputs of each of its groups, the number of words of each sentence, and where to find its rows."""

    lengths: Ints  # (sentences,)
    fenceposts: (
        Ints  # (sentences,): the row of each sentence's first fencepost in the tables of all groups
    )
    words: Ints  # (all words,): the row of each word in what all groups say of words
    groups: list[dict[str, npt.NDArray[Any]]]


@dataclass(slots=True)
class RuntimeVocabulary:
    """The numbers of a model, and the features of words."""

    numbers: SpanVocabulary
    features: WordFeatures | None
    labels: list[str] = field(init=False)
    tags: Tags = field(init=False)

    def __post_init__(self) -> None:
        self.labels = self.numbers.labels
        self.tags = self.numbers.tags

    def treebank(self, name: str | None) -> int:
        """See `SpanVocabulary`."""
        return self.numbers.treebank(name)

    def batch(self, sentences: Sequence[Sequence[str]], treebanks: Sequence[int]) -> Prepared:
        """Make a batch of sentences ready: those of like length come together, whatever their order."""
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        numbers = self.numbers
        sentences = [numbers.read(sentence) for sentence in sentences]
        pieces = (
            None
            if numbers.pieces is None
            else [numbers.in_pieces(sentence) for sentence in sentences]
        )
        sizes = lengths if pieces is None else np.array([max(counts) for _, counts, _ in pieces])
        order = np.argsort(sizes, kind="stable")
        most = None if pieces is None else _PIECES
        groups = []
        fenceposts = np.empty(len(sentences), dtype=np.int64)
        row = 0
        for chosen in _groups(order.tolist(), sizes[order].tolist(), most):
            group = _placed(
                lengths[chosen], np.array([treebanks[n] for n in chosen], dtype=np.int64)
            )
            if self.features is not None:
                group["features"] = self.features([sentences[n] for n in chosen])
            if pieces is not None:
                group |= _pieces([pieces[n] for n in chosen], lengths[chosen])
            groups.append(group)
            wide = len(group["grid"]) - 1
            fenceposts[chosen] = row + np.arange(len(chosen)) * wide
            row += wide * len(chosen)
        return Prepared(lengths, fenceposts, _restored(lengths, order), groups)


def _groups(order: list[int], sizes: list[int], most: int | None) -> list[list[int]]:
    """Sentences cut into groups, in this order, which is that of their sizes; at most so much in a group."""
    groups: list[list[int]] = []
    for number, size in zip(order, sizes, strict=True):
        count = len(groups[-1]) + 1 if groups else 0
        if not groups or count > _SENTENCES or (most is not None and count * size > most):
            groups.append([])
        groups[-1].append(number)
    return groups


def _restored(lengths: Ints, order: Ints) -> Ints:
    """Where the words of all sentences are once the sentences stand in this order."""
    ends = np.cumsum(lengths[order])
    first = np.empty_like(ends)
    first[order] = ends - lengths[order]
    found: Ints = np.repeat(first - (np.cumsum(lengths) - lengths), lengths) + np.arange(
        int(lengths.sum())
    )
    return found


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
    pieces[np.arange(width) < chunks[:, None]] = [
        number for numbers, _, _ in sentences for number in numbers
    ]
    ends = np.array([end for _, _, ends in sentences for end in ends], dtype=np.int64)  # (words, 3)
    counts = np.array([len(counts) for _, counts, _ in sentences], dtype=np.int64)
    chunk = ends[:, 0] + np.repeat(np.cumsum(counts) - counts, lengths)
    return {
        "pieces": pieces,
        "chunks": chunks,
        "ends": (chunk[:, None] * width + ends[:, 1:]).T.copy(),
    }
