"""Batches for an exported encoder: groups of sentences of similar length, one run each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.batching import batches_by_length
from whorl.lexicon.tags import Tags
from whorl.span.candidates import Ints
from whorl.span.onnx_backend.features import CachedWordFeatures
from whorl.span.vocabulary import ChunkedPieces, SpanVocabulary

__all__ = ["ExportedVocabulary", "OnnxBatch"]

# Sizes of a group: little padding, and intermediate results stay in a core's cache.
_SENTENCES = 16
_PIECES = 640  # padding included


@dataclass(frozen=True, slots=True)
class OnnxBatch:
    """The inputs of each group, and where to find the results of each sentence."""

    lengths: Ints  # (sentences,)
    fenceposts: Ints  # (sentences,): row of the first fencepost in the joined results of all groups
    words: Ints  # (all words,): row of each word in the joined results of all groups
    groups: list[dict[str, npt.NDArray[Any]]]


@dataclass(slots=True)
class ExportedVocabulary:
    """The vocabulary of an exported model, and the features of its words."""

    vocabulary: SpanVocabulary
    features: CachedWordFeatures | None
    labels: list[str] = field(init=False)
    tags: Tags = field(init=False)

    def __post_init__(self) -> None:
        self.labels = self.vocabulary.labels
        self.tags = self.vocabulary.tags

    def treebank_number(self, name: str | None) -> int:
        """See `SpanVocabulary`."""
        return self.vocabulary.treebank_number(name)

    def batch(
        self,
        sentences: Sequence[Sequence[str]],
        treebanks: Sequence[int],
        tags: Sequence[Sequence[str]] | None = None,
    ) -> OnnxBatch:
        """Make a batch of sentences; see `whorl.span.parsing.Vocabulary`. Tags are not read."""
        vocabulary = self.vocabulary
        lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
        sentences = [vocabulary.normalise(sentence) for sentence in sentences]
        pieces: list[ChunkedPieces] | None = None
        sizes, max_padded = lengths.tolist(), None
        if vocabulary.pieces is not None:
            pieces = [vocabulary.split_into_pieces(sentence) for sentence in sentences]
            sizes, max_padded = [max(chunks) for _, chunks, _ in pieces], _PIECES
        inputs: list[dict[str, npt.NDArray[Any]]] = []
        order: list[int] = []
        fenceposts = np.empty(len(sentences), dtype=np.int64)
        row = 0
        for group in batches_by_length(sizes, _SENTENCES, max_padded=max_padded):
            numbers = np.array([treebanks[n] for n in group], dtype=np.int64)
            arrays = _grid_arrays(lengths[group], numbers)
            if self.features is not None:
                arrays["features"] = self.features([sentences[n] for n in group])
            if pieces is not None:
                arrays |= _piece_arrays([pieces[n] for n in group], lengths[group])
            inputs.append(arrays)
            order += group
            width = len(arrays["grid"]) - 1
            fenceposts[group] = row + np.arange(len(group)) * width
            row += width * len(group)
        return OnnxBatch(lengths, fenceposts, _word_rows(lengths, np.array(order)), inputs)


def _word_rows(lengths: Ints, order: Ints) -> Ints:
    """Return the rows of all words, in the order of the sentences, once sentences are reordered."""
    ends = np.cumsum(lengths[order])
    first = np.empty_like(ends)
    first[order] = ends - lengths[order]
    shifts = np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
    rows: Ints = shifts + np.arange(int(lengths.sum()))
    return rows


def _grid_arrays(lengths: Ints, treebanks: Ints) -> dict[str, npt.NDArray[Any]]:
    """Arrange words, marks (1 and 2) and padding (0) as (positions, sentences)."""
    positions = np.arange(int(lengths.max()) + 2)[:, None]
    before = np.cumsum(lengths) - lengths
    grid = np.where(positions <= lengths, before + 2 + positions, 0)
    grid[0] = 1
    grid[lengths + 1, np.arange(len(lengths))] = 2
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    position = np.arange(1, int(lengths.sum()) + 1) - before[sentence]
    return {
        "grid": grid,
        "lengths": (lengths + 2).astype(np.int32),
        "places": position * len(lengths) + sentence,  # of all words, in the flattened grid
        "treebanks": treebanks,
    }


def _piece_arrays(sentences: list[ChunkedPieces], lengths: Ints) -> dict[str, npt.NDArray[Any]]:
    """Pad the chunks of pieces, and locate each word's first and last piece in them."""
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
