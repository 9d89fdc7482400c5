"""States of the non-binary system for many sentences at once, as arrays.

`whorl.transitions.NonBinary` is the definition; this is the same system for a scorer that asks for
a whole batch. The tests hold the two against each other.
"""

from __future__ import annotations

import numpy as np

from whorl.span.candidates import WORD, Candidates, Ints, allowed

__all__ = ["WINDOW", "States"]

WINDOW = 128
"""The most items that a reduce takes when parsing; the widest phrase in thirteen treebanks has 89 children."""


class States:
    """Stacks grow to the right. A state that has finished is taken out by `keep`."""

    __slots__ = (
        "buffer",
        "chain",
        "depth",
        "first",
        "labels",
        "lefts",
        "lengths",
        "max_unary",
        "sentence",
    )

    def __init__(self, lengths: Ints, fenceposts: Ints, *, max_unary: int) -> None:
        count, longest = len(lengths), int(lengths.max())
        self.sentence: Ints = np.arange(count)
        self.lengths = lengths
        self.first = fenceposts
        self.max_unary = max_unary
        self.buffer = np.ones(count, dtype=np.int64)  # the first transition is always SHIFT
        self.depth = np.ones(count, dtype=np.int64)
        self.chain = np.zeros(count, dtype=np.int64)
        self.lefts = np.zeros((count, longest), dtype=np.int64)
        self.labels = np.full((count, longest), WORD, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.sentence)

    def keep(self, chosen: Ints) -> States:
        """Some of the states, or some of them several times: they share nothing with these."""
        kept = object.__new__(States)
        kept.max_unary = self.max_unary
        for name in ("sentence", "lengths", "first", "buffer", "depth", "chain", "lefts", "labels"):
            setattr(kept, name, getattr(self, name)[chosen])
        return kept

    def candidates(self, window: int = WINDOW) -> Candidates:
        """What could follow in each state, of reduces those that take no more items than the window."""
        rows = np.arange(len(self))
        counts = np.minimum(self.depth, window) + 1
        starts = np.cumsum(counts) - counts
        state = np.repeat(rows, counts)
        taken = np.arange(len(state)) - starts[state]
        place = self.depth[state] - np.maximum(taken, 1)
        width = self.lefts.shape[1]
        flat = state * width + place
        item = self.labels.ravel()[flat]
        top = item[starts]
        return Candidates(
            state=state,
            taken=taken,
            left=self.lefts.ravel()[flat] + self.first[state],
            item=item,
            allowed=allowed(
                state,
                taken,
                top=top,
                chain=self.chain,
                depth=self.depth,
                exhausted=self.buffer == self.lengths,
                max_unary=self.max_unary,
            ),
            right=self.buffer + self.first,
            top=top,
            chain=np.minimum(self.chain, self.max_unary),
            starts=starts,
        )

    def apply(self, taken: Ints, label: Ints) -> Ints:
        """Apply to each state a legal candidate under a label; the rows of the states that have not finished."""
        shifts = taken == 0
        going = ~(shifts & (self.buffer == self.lengths))
        rows = np.flatnonzero(going)
        taken, label, shifts = taken[rows], label[rows], shifts[rows]
        depth = self.depth[rows] - taken  # of what stays
        left = np.where(
            shifts, self.buffer[rows], self.lefts[rows, np.minimum(depth, self.lefts.shape[1] - 1)]
        )
        self.lefts[rows, depth] = left
        self.labels[rows, depth] = np.where(shifts, WORD, label)
        self.depth[rows] = depth + 1
        self.buffer[rows] += shifts
        self.chain[rows] = np.where(taken == 1, self.chain[rows] + 1, 0)
        return rows
