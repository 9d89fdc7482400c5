"""Batches: the traces of many sentences as one set of index arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whorl.stack_lstm.trace import Composition, Trace

__all__ = ["Batch", "Level", "Sample", "collate"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence and a sequence of transitions, as arrays.

    Elements are numbered as in `Trace`. `symbols`, `arities` and `levels` describe the created
    elements; an opened label has arity and level 0. `targets` has a row of alternatives for each
    step, padded with -1.
    """

    words: Ints  # (words, 3): word, tag and vector
    transitions: Ints  # (steps,)
    masks: Ints  # (steps,): which set of legal transitions
    targets: Ints  # (steps, alternatives)
    tops: Ints  # (steps,)
    buffers: Ints  # (steps,)
    symbols: Ints  # (created,)
    arities: Ints  # (created,)
    levels: Ints  # (created,)
    children: Ints  # (sum of arities,)
    elements: Ints  # (nodes,)
    parents: Ints  # (nodes,)
    depths: Ints  # (nodes,)

    @classmethod
    def of(
        cls,
        words: Ints,
        trace: Trace,
        symbols: Sequence[int],
        transitions: Sequence[int],
        masks: Sequence[int],
        targets: Ints,
    ) -> Sample:
        """Turn a trace into arrays."""
        created = [new if isinstance(new, Composition) else None for new in trace.created]
        return cls(
            words=words,
            transitions=_ints(transitions),
            masks=_ints(masks),
            targets=targets,
            tops=_ints(trace.tops),
            buffers=_ints(trace.buffers),
            symbols=_ints(symbols),
            arities=_ints([0 if new is None else len(new.children) for new in created]),
            levels=_ints([0 if new is None else new.level for new in created]),
            children=_ints([child for new in created if new is not None for child in new.children]),
            elements=_ints(trace.elements),
            parents=_ints(trace.parents),
            depths=_ints(trace.depths),
        )


@dataclass(frozen=True, slots=True)
class Level:
    """The compositions of one level, those with most children first; children are element rows."""

    symbols: Ints  # (phrases,)
    arities: Ints  # (phrases,)
    children: Ints  # (all children,), phrase by phrase


@dataclass(frozen=True, slots=True)
class Batch:
    """Many samples.

    Element rows are all words, then all opened labels, then all compositions by level. Stack rows
    are the empty stack, then the nodes depth by depth; `depths` has for each depth the element rows
    and the positions of the parents within the previous depth.
    """

    lengths: Ints  # (sentences,)
    words: Ints  # (all words, 3)
    opened: Ints  # (all opened,): symbols
    levels: list[Level]
    depths: list[tuple[Ints, Ints]]
    steps: Ints  # (sentences,): number of transitions
    transitions: Ints  # (all steps,)
    masks: Ints  # (all steps,)
    targets: Ints  # (all steps, alternatives)
    tops: Ints  # (all steps,): stack rows
    buffers: Ints  # (all steps,): number of words left
    sentence: Ints  # (all steps,)

    @property
    def size(self) -> int:
        """The number of sentences."""
        return len(self.lengths)


def collate(samples: Sequence[Sample]) -> Batch:
    """Collate samples into a batch."""
    lengths = _ints([len(s.words) for s in samples])
    steps = _ints([len(s.transitions) for s in samples])
    created = _ints([len(s.symbols) for s in samples])
    symbols = np.concatenate([s.symbols for s in samples])
    arities = np.concatenate([s.arities for s in samples])
    levels = np.concatenate([s.levels for s in samples])
    is_open = arities == 0
    order = np.lexsort((-arities, levels))  # opened labels have level 0, so they come first
    rows = np.empty(len(order), dtype=np.int64)  # element row of each created element
    rows[order] = np.arange(len(order)) + lengths.sum()
    element_rows = _element_rows(lengths, created, rows)
    elements_before = _before(lengths + created)
    children = element_rows[_offset([s.children for s in samples], elements_before)]
    sentence = np.repeat(np.arange(len(samples)), steps)
    depths, node_rows = _by_depth(samples, element_rows, elements_before)
    nodes_before = _before(_ints([len(s.elements) for s in samples]))
    return Batch(
        lengths=lengths,
        words=np.concatenate([s.words for s in samples]),
        opened=symbols[order[: is_open.sum()]],
        levels=_by_level(order[is_open.sum() :], symbols, arities, levels, children),
        depths=depths,
        steps=steps,
        transitions=np.concatenate([s.transitions for s in samples]),
        masks=np.concatenate([s.masks for s in samples]),
        targets=_padded([s.targets for s in samples]),
        tops=node_rows[_offset([s.tops for s in samples], nodes_before)],
        buffers=lengths[sentence] - np.concatenate([s.buffers for s in samples]),
        sentence=sentence,
    )


def _element_rows(lengths: Ints, created: Ints, rows: Ints) -> Ints:
    """Return the row of every element, sentence by sentence, words before created elements."""
    pieces = []
    words = before = 0
    for length, count in zip(lengths.tolist(), created.tolist(), strict=True):
        pieces += [np.arange(words, words + length), rows[before : before + count]]
        words += length
        before += count
    return np.concatenate(pieces)


def _by_level(
    order: Ints, symbols: Ints, arities: Ints, levels: Ints, children: Ints
) -> list[Level]:
    starts = np.cumsum(arities) - arities
    result = []
    if len(order):
        cuts = np.flatnonzero(np.diff(levels[order])) + 1
        for chosen in np.split(order, cuts):
            widths = arities[chosen]
            places = np.repeat(starts[chosen] - _before(widths), widths) + np.arange(widths.sum())
            result.append(Level(symbols[chosen], widths, children[places]))
    return result


def _by_depth(
    samples: Sequence[Sample], element_rows: Ints, before: Ints
) -> tuple[list[tuple[Ints, Ints]], Ints]:
    """Return the nodes depth by depth, and the row of every node; empty stacks share row 0."""
    counts = _ints([len(s.depths) for s in samples])
    depth = np.concatenate([s.depths for s in samples])
    parent = _offset([s.parents for s in samples], _before(counts))
    offset = np.repeat(before, counts)
    element = np.concatenate([s.elements for s in samples]) + offset
    order = np.argsort(depth, kind="stable")
    starts = np.searchsorted(depth[order], np.arange(depth.max() + 2))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - starts[depth[order]]
    place[depth == 0] = 0
    rows = place + np.where(depth == 0, 0, starts[depth] - starts[1] + 1)
    result = []
    for start, end in zip(starts[1:-1].tolist(), starts[2:].tolist(), strict=True):
        chosen = order[start:end]
        result.append((element_rows[element[chosen]], place[parent[chosen]]))
    return result, rows


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _before(counts: Ints) -> Ints:
    """Return the sum of the counts before each."""
    return np.cumsum(counts) - counts


def _offset(pieces: Sequence[Ints], offsets: Ints) -> Ints:
    return np.concatenate(pieces) + np.repeat(offsets, [len(piece) for piece in pieces])


def _padded(targets: Sequence[Ints]) -> Ints:
    width = max(piece.shape[1] for piece in targets)
    return np.concatenate(
        [
            np.pad(piece, ((0, 0), (0, width - piece.shape[1])), constant_values=-1)
            for piece in targets
        ]
    )
