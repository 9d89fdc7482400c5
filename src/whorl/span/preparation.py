"""Training samples of many trees at once, as arrays that they share.

`whorl.span.samples.make_sample` says what the arrays of a sample are. Here a few NumPy calls make
those of thousands of trees, and each distinct word is looked up once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whorl.errors import OracleError
from whorl.span.candidates import Ints
from whorl.span.samples import SentenceArrays, SpanSample
from whorl.span.vocabulary import SpanVocabulary
from whorl.training.packed import TrainingTrees, starts_of
from whorl.transitions import MAX_UNARY

__all__ = ["make_samples"]

_BLOCK = 4096  # trees whose arrays are made together
_WORDS = 1 << 16  # words that are cut into pieces together

Ints32 = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]


def make_samples(vocabulary: SpanVocabulary, trees: TrainingTrees) -> list[SpanSample]:
    """Make the samples of all trees with a vocabulary; their arrays are views of larger ones."""
    maker = _Maker(vocabulary, trees)
    return [
        sample
        for start in range(0, len(trees), _BLOCK)
        for sample in maker.samples(start, min(start + _BLOCK, len(trees)))
    ]


class _Maker:
    """The vocabulary's numbers for everything that the trees hold."""

    def __init__(self, vocabulary: SpanVocabulary, trees: TrainingTrees) -> None:
        self.vocabulary, self.source = vocabulary, trees
        arrays = trees.names.with_words(trees.arrays, _normalised(vocabulary, trees))
        self.names = list(trees.names.words)
        self.trees = arrays
        self.word_starts, self.node_starts = trees.word_starts, trees.node_starts
        self.treebanks = [
            number
            for name, count in trees.parts
            for number in [vocabulary.treebank_number(name or None)] * count
        ]
        self.tags = _int32(vocabulary.tags.encode(trees.tags))
        self.labels = _int32([vocabulary.index.get(label, 0) for label in trees.labels])
        self.labels[0] = 0
        self.rows = np.zeros((len(self.names), 2), dtype=np.int32)
        self.first_rows = np.zeros(len(self.names), dtype=np.int32)
        if vocabulary.words is not None:
            number = vocabulary.words.number
            self.rows[:, 0] = [number(word, first=False) for word in self.names]
            for word in np.unique(arrays.words[self.word_starts]).tolist():
                self.first_rows[word] = number(self.names[word], first=True)
        if vocabulary.vectors is not None:
            self.rows[:, 1] = vocabulary.vectors.encode(self.names)
        self.characters = (
            np.zeros((len(self.names), 0), dtype=np.uint16)
            if vocabulary.characters is None
            else vocabulary.characters.encode(self.names)
        )
        self.piece_lengths = np.zeros(len(self.names), dtype=np.int64)
        self.pieces = np.zeros(0, dtype=np.int32)
        if vocabulary.pieces is not None:
            ids = [
                word_ids[: vocabulary.longest]
                for start in range(0, len(self.names), _WORDS)
                for word_ids in vocabulary.pieces.encode(self.names[start : start + _WORDS])
            ]
            self.piece_lengths[:] = [len(word_ids) for word_ids in ids]
            self.pieces = _int32([piece for word_ids in ids for piece in word_ids])
        self.piece_starts = starts_of(self.piece_lengths)

    def samples(self, start: int, end: int) -> Iterator[SpanSample]:
        """Yield the samples of some trees."""
        trees = self.trees
        lengths, sizes = (each[start:end].astype(np.int64) for each in (trees.lengths, trees.sizes))
        words = _slice(trees.words, self.word_starts, start, lengths)
        tags = self.tags[_slice(trees.tags, self.word_starts, start, lengths)]
        arities = _slice(trees.arities, self.node_starts, start, sizes)
        labels = self.labels[_slice(trees.labels, self.node_starts, start, sizes)]
        rows, characters = self.rows[words], self.characters[words]
        first = starts_of(lengths)
        if self.vocabulary.words is not None:
            rows[first, 0] = self.first_rows[words[first]]
        pieces, chunks, ends, chunk_counts, piece_counts = self._pieces(words, lengths)
        d = _Derivations.of(arities, labels, lengths, sizes)
        self._check_chains(d.chains, sizes, start)
        candidates = np.add.reduceat(d.counts, starts_of(sizes), dtype=np.int64)
        counts = np.stack([lengths, piece_counts, chunk_counts, sizes, candidates], axis=1)
        stops = np.cumsum(counts, axis=0)
        places = zip((stops - counts).tolist(), stops.tolist(), strict=True)
        for treebank, (begin, stop) in zip(self.treebanks[start:end], places, strict=True):
            word, piece, chunk, state, candidate = map(slice, begin, stop)
            yield SpanSample(
                SentenceArrays(
                    rows[word],
                    characters[word],
                    pieces[piece],
                    chunks[chunk],
                    ends[word],
                    treebank,
                ),
                tags=tags[word],
                lefts=d.lefts[candidate],
                item_labels=d.item_labels[candidate],
                buffers=d.buffers[state],
                counts=d.counts[state],
                chains=d.chains[state],
                targets=d.targets[state],
            )

    def _check_chains(self, chains: Ints32, sizes: Ints, start: int) -> None:
        """Reject trees that the system cannot build."""
        for state in np.flatnonzero(chains > MAX_UNARY)[:1].tolist():
            number = start + int(np.searchsorted(np.cumsum(sizes), state, side="right"))
            raise OracleError(
                f"a unary chain is longer than {MAX_UNARY}, which the system cannot build: "
                f"{self.source.stripped(number)}"
            )

    def _pieces(self, words: Ints32, lengths: Ints) -> tuple[Ints32, Ints32, Ints32, Ints, Ints]:
        """Do for many sentences what `SpanVocabulary.split_into_pieces` does for one.

        Return all pieces, the number of pieces of each chunk, the place of each word, and the
        numbers of chunks and pieces of each sentence.
        """
        word_pieces = self.vocabulary.pieces
        if word_pieces is None:
            nothing = np.zeros(len(lengths), dtype=np.int64)
            empty = np.zeros(0, dtype=np.int32)
            return empty, empty, np.zeros((len(words), 3), dtype=np.int32), nothing, nothing
        sizes = self.piece_lengths[words]
        begins = _chunk_begins(sizes, lengths, self.vocabulary.longest)
        chunk = np.cumsum(begins) - 1  # of each word
        chunk_sizes = np.bincount(chunk, weights=sizes).astype(np.int64) + 2
        chunk_starts = starts_of(chunk_sizes)
        # Every chunk before a word adds two marks, its own chunk one.
        places = starts_of(sizes) + 2 * chunk + 1
        pieces = np.empty(int(chunk_sizes.sum()), dtype=np.int32)
        pieces[chunk_starts] = word_pieces.start
        pieces[chunk_starts + chunk_sizes - 1] = word_pieces.end
        within = np.arange(int(sizes.sum())) - np.repeat(starts_of(sizes), sizes)
        pieces[np.repeat(places, sizes) + within] = self.pieces[
            np.repeat(self.piece_starts[words], sizes) + within
        ]
        first = starts_of(lengths)
        left = places - chunk_starts[chunk]
        ends = np.stack(
            [chunk - np.repeat(chunk[first], lengths), left, left + sizes - 1], axis=1
        ).astype(np.int32)
        chunk_counts = np.add.reduceat(begins, first, dtype=np.int64)
        piece_counts = np.add.reduceat(sizes, first) + 2 * chunk_counts
        return pieces, chunk_sizes.astype(np.int32), ends, chunk_counts, piece_counts


@dataclass(frozen=True, slots=True)
class _Derivations:
    """The states of many derivations; see `SpanSample`."""

    lefts: Ints32
    item_labels: Ints32
    buffers: Ints32
    counts: Ints32
    chains: Ints32
    targets: Ints32

    @classmethod
    def of(cls, arities: Ints32, labels: Ints32, lengths: Ints, sizes: Ints) -> _Derivations:
        """Follow derivations that build nodes of these arities and labels.

        A node has a state: the one after it is built, with the node on top of the stack.
        """
        nodes = np.arange(len(arities))
        # A word adds an item, a phrase takes as many as it has children; each tree leaves one.
        depths = np.cumsum(1 - arities) - np.repeat(np.arange(len(sizes)), sizes)
        buffers = np.cumsum(arities == 0) - np.repeat(starts_of(lengths), sizes)
        lowest = np.maximum.accumulate(np.where(arities == 1, 0, nodes))
        targets = np.zeros((len(nodes), 2), dtype=np.int32)
        targets[:-1, 0], targets[:-1, 1] = arities[1:], labels[1:]
        targets[np.cumsum(sizes) - 1] = 0
        counts = depths + 1
        starts = starts_of(counts)
        lefts = np.empty(int(counts.sum()), dtype=np.int32)
        item_labels = np.empty(len(lefts), dtype=np.int32)
        # The item on one level of a stack was built by the last node with that many items, and
        # begins where the item below it ends. Levels are visited from the lowest.
        states, level, ends = nodes, 1, np.zeros(len(nodes), dtype=np.int64)
        while len(states):
            above = depths[states]
            built = np.where(above == level, np.arange(len(states)), 0)
            item = states[np.maximum.accumulate(built)]
            place = starts[states] + 1 + above - level
            lefts[place] = ends
            item_labels[place] = labels[item]
            higher = above > level
            states, level, ends = states[higher], level + 1, buffers[item[higher]]
        lefts[starts], item_labels[starts] = lefts[starts + 1], labels
        return cls(
            lefts,
            item_labels,
            buffers=buffers.astype(np.int32),
            counts=counts.astype(np.int32),
            chains=(nodes - lowest).astype(np.int32),
            targets=targets,
        )


def _normalised(vocabulary: SpanVocabulary, trees: TrainingTrees) -> dict[int, list[str]]:
    """Return the sentences whose words the vocabulary changes: those in capitals."""
    if not vocabulary.lower_capitals:
        return {}
    without_lower: Bools = np.array([f"{word}A".isupper() for word in trees.words])
    candidates = np.logical_and.reduceat(without_lower[trees.arrays.words], trees.word_starts)
    sentences = {number: trees.sentence(number) for number in np.flatnonzero(candidates).tolist()}
    return {number: list(vocabulary.normalise(words)) for number, words in sentences.items()}


def _chunk_begins(sizes: Ints, lengths: Ints, longest: int) -> Bools:
    """Tell for each word, of so many pieces, whether it begins a chunk."""
    first = starts_of(lengths)
    begins = np.zeros(len(sizes), dtype=np.bool_)
    begins[first] = True
    for sentence in np.flatnonzero(np.add.reduceat(sizes, first) > longest).tolist():
        start = int(first[sentence])
        total = 0
        for word, size in enumerate(sizes[start : start + int(lengths[sentence])].tolist(), start):
            if total + size > longest:
                begins[word] = True
                total = 0
            total += size
    return begins


def _slice(values: Ints32, starts: Ints, first: int, counts: Ints) -> Ints32:
    start = int(starts[first])
    return values[start : start + int(counts.sum())]


def _int32(values: Sequence[int]) -> Ints32:
    return np.array(values, dtype=np.int32)
