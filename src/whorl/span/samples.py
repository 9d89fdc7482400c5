"""What the `span` network learns from: sentences and the states of their sequences, as arrays made once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whorl.span.candidates import Candidates, Ints, allowed

__all__ = [
    "Sentence",
    "SpanBatch",
    "SpanInputs",
    "SpanSample",
    "Step",
    "collate_inputs",
    "collate_spans",
    "follow",
]

Small = npt.NDArray[np.int32]
Step = tuple[int, int]
"""How many items are taken, and the label's number; (0, 0) is SHIFT or FINISH."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's words; what a model does not use is empty. Pieces come in chunks, each with marks at both ends."""

    words: Small  # (words, 2): word and vector
    characters: npt.NDArray[np.uint16]  # (words, width)
    pieces: Small  # (pieces,): all chunks, one after another
    chunks: Small  # (chunks,): the pieces of each
    ends: Small  # (words, 3): chunk, and the places in it of the first and the last piece
    treebank: int = 0

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class SpanSample:
    """A sentence with the states that one sequence goes through, all but the first, which leaves no choice."""

    sentence: Sentence
    tags: Small  # (words,)
    lefts: Small  # (candidates,): left edge of the lowest item taken
    items: Small  # (candidates,): its label
    buffers: Small  # (states,)
    counts: Small  # (states,): candidates
    chains: Small  # (states,)
    targets: Small  # (states, 2): the right candidate, and the label's number

    def __len__(self) -> int:
        return len(self.buffers)


@dataclass(frozen=True, slots=True)
class SpanInputs:
    """Many sentences for an encoder.

    `grid` places words into (sentences, longest + 2), with a mark before and after each sentence:
    row 0 of the words is padding, 1 and 2 are the marks, and words follow. `turned` are the places
    from a sentence's end to its beginning.
    """

    lengths: Ints  # (sentences,)
    words: Ints  # (all words, 2)
    forms: Ints  # (different words, width): characters
    form: Ints  # (all words,): which of them
    pieces: Ints  # (chunks, pieces), padded
    chunks: Ints  # (chunks,): lengths
    ends: Ints  # (all words, 2): places of first and last pieces in the flattened `pieces`
    treebanks: Ints  # (sentences,)
    grid: Ints  # (sentences, longest + 2)
    turned: Ints  # (sentences, longest + 2)

    @property
    def places(self) -> Ints:
        """Where all words stand in the flattened grid."""
        return np.flatnonzero(self.grid > 2)

    @property
    def fenceposts(self) -> Ints:
        """The row of each sentence's first fencepost, all sentences being padded to the longest."""
        found: Ints = np.arange(len(self.lengths)) * (self.grid.shape[1] - 1)
        return found


@dataclass(frozen=True, slots=True)
class SpanBatch:
    """Many samples."""

    inputs: SpanInputs
    tags: Ints  # (all words,)
    candidates: Candidates
    rows: Ints  # (states,): the right candidate
    outputs: Ints  # (states,): and what it is: 0 SHIFT or FINISH, or a label's number

    @property
    def size(self) -> int:
        """The number of sentences."""
        return len(self.inputs.lengths)

    @property
    def steps(self) -> int:
        """The number of decisions."""
        return len(self.rows)


def follow(
    sentence: Sentence, tags: Sequence[int], steps: Sequence[Step], targets: Sequence[Step]
) -> SpanSample:
    """Follow a sequence, FINISH and all, over a sentence; each step has a target, which may be another."""
    lefts: list[int] = []
    items: list[int] = []
    buffers, counts, chains = [], [], []
    stack_lefts: list[int] = []
    stack_labels: list[int] = []
    buffer = chain = 0
    for taken, label in steps:
        if stack_lefts:
            depth = len(stack_lefts)
            lefts.append(stack_lefts[-1])
            items.append(stack_labels[-1])
            lefts += stack_lefts[::-1]
            items += stack_labels[::-1]
            buffers.append(buffer)
            counts.append(depth + 1)
            chains.append(chain)
        if taken:
            chain = chain + 1 if taken == 1 else 0
            del stack_lefts[len(stack_lefts) - taken + 1 :]
            del stack_labels[len(stack_labels) - taken :]
        else:
            stack_lefts.append(buffer)
            buffer += 1
            chain = 0
        stack_labels.append(label)
    return SpanSample(
        sentence,
        tags=_small(tags),
        lefts=_small(lefts),
        items=_small(items),
        buffers=_small(buffers),
        counts=_small(counts),
        chains=_small(chains),
        targets=_small(targets[1:]).reshape(-1, 2),
    )


def collate_inputs(sentences: Sequence[Sentence]) -> SpanInputs:
    """Put sentences together."""
    lengths = _long([len(sentence) for sentence in sentences])
    characters = np.concatenate([sentence.characters for sentence in sentences])
    forms, form = _different(characters)
    chunks = np.concatenate([sentence.chunks for sentence in sentences]).astype(np.int64)
    width = int(chunks.max(initial=0))
    pieces = np.zeros((len(chunks), width), dtype=np.int64)
    pieces[np.arange(width) < chunks[:, None]] = np.concatenate(
        [sentence.pieces for sentence in sentences]
    )
    ends = np.concatenate([sentence.ends for sentence in sentences]).astype(np.int64)
    first_chunk = _before(_long([len(sentence.chunks) for sentence in sentences]))
    if width:
        ends = (ends[:, :1] + np.repeat(first_chunk, lengths)[:, None]) * width + ends[:, 1:]
    columns = np.arange(int(lengths.max()) + 2)
    grid = np.where(columns <= lengths[:, None], _before(lengths)[:, None] + 2 + columns, 0)
    grid[:, 0] = 1
    grid[np.arange(len(lengths)), lengths + 1] = 2
    turned = np.where(columns <= lengths[:, None] + 1, lengths[:, None] + 1 - columns, columns)
    return SpanInputs(
        lengths=lengths,
        words=np.concatenate([sentence.words for sentence in sentences]).astype(np.int64),
        forms=forms,
        form=form,
        pieces=pieces,
        chunks=chunks,
        ends=ends,
        treebanks=_long([sentence.treebank for sentence in sentences]),
        grid=grid,
        turned=turned,
    )


def collate_spans(samples: Sequence[SpanSample], *, max_unary: int) -> SpanBatch:
    """Put samples together."""
    inputs = collate_inputs([sample.sentence for sample in samples])
    counts = np.concatenate([sample.counts for sample in samples]).astype(np.int64)
    states = _long([len(sample) for sample in samples])
    starts = _before(counts)
    state = np.repeat(np.arange(len(counts)), counts)
    taken = np.arange(len(state)) - starts[state]
    items = np.concatenate([sample.items for sample in samples]).astype(np.int64)
    buffers = np.concatenate([sample.buffers for sample in samples]).astype(np.int64)
    chain = np.concatenate([sample.chains for sample in samples]).astype(np.int64)
    first = np.repeat(inputs.fenceposts, states)  # of each state's sentence
    top = items[starts]
    exhausted = buffers == np.repeat(inputs.lengths, states)
    targets = np.concatenate([sample.targets for sample in samples]).astype(np.int64)
    return SpanBatch(
        inputs=inputs,
        tags=np.concatenate([sample.tags for sample in samples]).astype(np.int64),
        candidates=Candidates(
            state=state,
            taken=taken,
            left=np.concatenate([sample.lefts for sample in samples]) + first[state],
            item=items,
            allowed=allowed(
                state,
                taken,
                top=top,
                chain=chain,
                depth=counts - 1,
                exhausted=exhausted,
                max_unary=max_unary,
            ),
            right=buffers + first,
            top=top,
            chain=np.minimum(chain, max_unary),
            starts=starts,
        ),
        rows=starts + targets[:, 0],
        outputs=targets[:, 1],
    )


def _different(rows: npt.NDArray[np.uint16]) -> tuple[Ints, Ints]:
    """The different rows, and which of them each is."""
    if not rows.shape[1]:
        return np.zeros((0, 0), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    whole = (
        np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    )
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    return rows[first].astype(np.int64), which.astype(np.int64)


def _before(counts: Ints) -> Ints:
    found: Ints = np.cumsum(counts) - counts
    return found


def _long(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _small(values: object) -> Small:
    return np.array(values, dtype=np.int32)
