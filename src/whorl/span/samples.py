"""Training samples as arrays: sentences, and the states that their derivations pass through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whorl.span.candidates import Candidates, Ints, candidate_kinds

__all__ = [
    "SentenceArrays",
    "SpanBatch",
    "SpanInputs",
    "SpanSample",
    "Step",
    "collate_inputs",
    "collate_samples",
    "make_sample",
]

Ints32 = npt.NDArray[np.int32]
Step = tuple[int, int]
"""A transition: its arity and its label's number; (0, 0) is SHIFT or FINISH."""


@dataclass(frozen=True, slots=True)
class SentenceArrays:
    """The words of a sentence; arrays that a model does not use are empty.

    Word pieces are split into chunks, each with a start and an end mark.
    """

    words: Ints32  # (words, 2): numbers of word and vector
    characters: npt.NDArray[np.uint16]  # (words, width)
    pieces: Ints32  # (pieces,): of all chunks, one after another
    chunks: Ints32  # (chunks,): number of pieces
    ends: Ints32  # (words, 3): chunk, and the positions in it of the first and last piece
    treebank: int = 0

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class SpanSample:
    """A sentence and the states of one derivation, without the first, where only SHIFT is legal."""

    sentence: SentenceArrays
    tags: Ints32  # (words,)
    lefts: Ints32  # (candidates,): left edge of the lowest item reduced
    item_labels: Ints32  # (candidates,): its label
    buffers: Ints32  # (states,): buffer position
    counts: Ints32  # (states,): number of candidates
    chains: Ints32  # (states,): length of the unary chain on top
    targets: Ints32  # (states, 2): arity and label number of the transition to learn

    def __len__(self) -> int:
        return len(self.buffers)


@dataclass(frozen=True, slots=True)
class SpanInputs:
    """Many sentences, as the encoder reads them.

    `grid` arranges words as (sentences, longest + 2), with a mark before and after each sentence.
    Its numbers are rows: 0 is padding, 1 and 2 are the marks, words start at 3. `reversal` holds
    the positions of each sentence from its end to its start; padding stays in place.
    """

    lengths: Ints  # (sentences,)
    words: Ints  # (all words, 2)
    forms: Ints  # (distinct words, width): characters
    form: Ints  # (all words,): row of `forms`
    pieces: Ints  # (chunks, pieces), padded
    chunks: Ints  # (chunks,): number of pieces
    ends: Ints  # (all words, 2): positions of first and last pieces in the flattened `pieces`
    treebanks: Ints  # (sentences,)
    given: Ints  # (all words,): tags that come with the words, 0 for none
    grid: Ints  # (sentences, longest + 2)
    reversal: Ints  # (sentences, longest + 2)

    @property
    def positions(self) -> Ints:
        """The positions of all words in the flattened grid."""
        return np.flatnonzero(self.grid > 2)

    @property
    def fenceposts(self) -> Ints:
        """The row of each sentence's first fencepost; sentences are padded to the longest."""
        rows: Ints = np.arange(len(self.lengths)) * (self.grid.shape[1] - 1)
        return rows


@dataclass(frozen=True, slots=True)
class SpanBatch:
    """Many samples."""

    inputs: SpanInputs
    tags: Ints  # (all words,)
    candidates: Candidates
    rows: Ints  # (states,): the candidate to learn
    outputs: Ints  # (states,): its output: 0 for SHIFT or FINISH, else a label number

    @property
    def size(self) -> int:
        """The number of sentences."""
        return len(self.inputs.lengths)

    @property
    def steps(self) -> int:
        """The number of decisions."""
        return len(self.rows)


def make_sample(
    sentence: SentenceArrays, tags: Sequence[int], steps: Sequence[Step], targets: Sequence[Step]
) -> SpanSample:
    """Record the states of a complete derivation; `targets` has the transition to learn in each."""
    lefts: list[int] = []
    item_labels: list[int] = []
    buffers, counts, chains = [], [], []
    stack_lefts: list[int] = []
    stack_labels: list[int] = []
    buffer = chain = 0
    for arity, label in steps:
        if stack_lefts:
            lefts.append(stack_lefts[-1])
            item_labels.append(stack_labels[-1])
            lefts += stack_lefts[::-1]
            item_labels += stack_labels[::-1]
            buffers.append(buffer)
            counts.append(len(stack_lefts) + 1)
            chains.append(chain)
        if arity:
            chain = chain + 1 if arity == 1 else 0
            del stack_lefts[len(stack_lefts) - arity + 1 :]
            del stack_labels[len(stack_labels) - arity :]
        else:
            stack_lefts.append(buffer)
            buffer += 1
            chain = 0
        stack_labels.append(label)
    return SpanSample(
        sentence,
        tags=_int32(tags),
        lefts=_int32(lefts),
        item_labels=_int32(item_labels),
        buffers=_int32(buffers),
        counts=_int32(counts),
        chains=_int32(chains),
        targets=_int32(targets[1:]).reshape(-1, 2),
    )


def collate_inputs(sentences: Sequence[SentenceArrays]) -> SpanInputs:
    """Combine sentences into the inputs of one run of the encoder."""
    lengths = _int64([len(sentence) for sentence in sentences])
    characters = np.concatenate([sentence.characters for sentence in sentences])
    forms, form = _distinct(characters)
    chunks = np.concatenate([sentence.chunks for sentence in sentences]).astype(np.int64)
    width = int(chunks.max(initial=0))
    pieces = np.zeros((len(chunks), width), dtype=np.int64)
    pieces[np.arange(width) < chunks[:, None]] = np.concatenate(
        [sentence.pieces for sentence in sentences]
    )
    ends = np.concatenate([sentence.ends for sentence in sentences]).astype(np.int64)
    first_chunk = _starts(_int64([len(sentence.chunks) for sentence in sentences]))
    if width:
        ends = (ends[:, :1] + np.repeat(first_chunk, lengths)[:, None]) * width + ends[:, 1:]
    columns = np.arange(int(lengths.max()) + 2)
    grid = np.where(columns <= lengths[:, None], _starts(lengths)[:, None] + 2 + columns, 0)
    grid[:, 0] = 1
    grid[np.arange(len(lengths)), lengths + 1] = 2
    reversal = np.where(columns <= lengths[:, None] + 1, lengths[:, None] + 1 - columns, columns)
    return SpanInputs(
        lengths=lengths,
        words=np.concatenate([sentence.words for sentence in sentences]).astype(np.int64),
        forms=forms,
        form=form,
        pieces=pieces,
        chunks=chunks,
        ends=ends,
        treebanks=_int64([sentence.treebank for sentence in sentences]),
        given=np.zeros(int(lengths.sum()), dtype=np.int64),
        grid=grid,
        reversal=reversal,
    )


def collate_samples(samples: Sequence[SpanSample], *, max_unary: int) -> SpanBatch:
    """Combine samples into a batch."""
    inputs = collate_inputs([sample.sentence for sample in samples])

    def joined(name: str) -> Ints:
        values: Ints = np.concatenate([getattr(sample, name) for sample in samples])
        return values.astype(np.int64)

    counts, item_labels, buffers = joined("counts"), joined("item_labels"), joined("buffers")
    chains, targets = joined("chains"), joined("targets")
    states = _int64([len(sample) for sample in samples])
    starts = _starts(counts)
    state = np.repeat(np.arange(len(counts)), counts)
    arity = np.arange(len(state)) - starts[state]
    first = np.repeat(inputs.fenceposts, states)  # first fencepost of each state's sentence
    top_label = item_labels[starts]
    return SpanBatch(
        inputs=inputs,
        tags=joined("tags"),
        candidates=Candidates(
            state=state,
            arity=arity,
            left=joined("lefts") + first[state],
            item_label=item_labels,
            kind=candidate_kinds(
                state,
                arity,
                top_label=top_label,
                chain=chains,
                depth=counts - 1,
                exhausted=buffers == np.repeat(inputs.lengths, states),
                max_unary=max_unary,
            ),
            right=buffers + first,
            top_label=top_label,
            chain=np.minimum(chains, max_unary),
            starts=starts,
        ),
        rows=starts + targets[:, 0],
        outputs=targets[:, 1],
    )


def _distinct(rows: npt.NDArray[np.uint16]) -> tuple[Ints, Ints]:
    """Return the distinct rows, and the index among them of each row."""
    if not rows.shape[1]:
        return np.zeros((0, 0), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    row_type = np.dtype((np.void, rows.shape[1] * rows.itemsize))
    keys = np.ascontiguousarray(rows).view(row_type).ravel()
    _, first, index = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first].astype(np.int64), index.astype(np.int64)


def _starts(counts: Ints) -> Ints:
    starts: Ints = np.cumsum(counts) - counts
    return starts


def _int64(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _int32(values: object) -> Ints32:
    return np.array(values, dtype=np.int32)
