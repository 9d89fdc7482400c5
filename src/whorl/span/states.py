"""States of the non-binary system for many sentences at once, as arrays.

`whorl.transitions.NonBinary` is the definition. This is the same system for scorers that work on
whole batches; the tests check that the two agree.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from whorl.engine.evidence import WINDOW
from whorl.span.candidates import WORD, Candidates, Ints, candidate_kinds
from whorl.span.constraints import ConstraintTables

__all__ = ["WINDOW", "States"]


class States:
    """One state per row; stacks grow to the right. `keep` drops states that have finished."""

    __slots__ = (
        "buffer",
        "chain",
        "constraints",
        "depth",
        "first",
        "labels",
        "lefts",
        "lengths",
        "max_unary",
        "progress",
        "sentence",
    )

    def __init__(
        self,
        lengths: Ints,
        fenceposts: Ints,
        *,
        max_unary: int,
        constraints: ConstraintTables | None = None,
    ) -> None:
        count, longest = len(lengths), int(lengths.max())
        self.sentence: Ints = np.arange(count)
        self.lengths = lengths
        self.first = fenceposts  # row of each sentence's first fencepost
        self.max_unary = max_unary
        self.buffer = np.ones(count, dtype=np.int64)  # the first transition is always SHIFT
        self.depth = np.ones(count, dtype=np.int64)
        self.chain = np.zeros(count, dtype=np.int64)
        self.lefts = np.zeros((count, longest), dtype=np.int64)
        self.labels = np.full((count, longest), WORD, dtype=np.int64)
        self.constraints = constraints
        if constraints is not None:
            self.progress = constraints.first_progress()  # of the goals of the topmost items

    def __len__(self) -> int:
        return len(self.sentence)

    def keep(self, rows: Ints) -> States:
        """Return copies of the states in these rows; a row may occur several times."""
        kept = object.__new__(States)
        kept.max_unary = self.max_unary
        for name in ("sentence", "lengths", "first", "buffer", "depth", "chain", "lefts", "labels"):
            setattr(kept, name, getattr(self, name)[rows])
        kept.constraints = self.constraints
        if self.constraints is not None:
            kept.progress = self.progress[rows]
        return kept

    def candidates(self, window: int = WINDOW) -> Candidates:
        """Return the candidates of every state, with arities up to `window`.

        Constraints may require wider phrases, so their sentences have candidates of every arity.
        """
        if self.constraints is None:
            return self._candidates(window)
        candidates = self._candidates(self.constraints.windows(self.sentence, window))
        restriction = self.constraints.restriction(
            candidates, self.sentence, self.first, self.buffer, self.progress
        )
        return replace(candidates, restriction=restriction)

    def _candidates(self, window: int | Ints) -> Candidates:
        rows = np.arange(len(self))
        counts = np.minimum(self.depth, window) + 1
        starts = np.cumsum(counts) - counts
        state = np.repeat(rows, counts)
        arity = np.arange(len(state)) - starts[state]
        position = self.depth[state] - np.maximum(arity, 1)  # of the lowest item, in the stack
        flat = state * self.lefts.shape[1] + position
        item_label = self.labels.ravel()[flat]
        top_label = item_label[starts]
        return Candidates(
            state=state,
            arity=arity,
            left=self.lefts.ravel()[flat] + self.first[state],
            item_label=item_label,
            kind=candidate_kinds(
                state,
                arity,
                top_label=top_label,
                chain=self.chain,
                depth=self.depth,
                exhausted=self.buffer == self.lengths,
                max_unary=self.max_unary,
            ),
            right=self.buffer + self.first,
            top_label=top_label,
            chain=np.minimum(self.chain, self.max_unary),
            starts=starts,
        )

    def apply(self, arity: Ints, label: Ints) -> Ints:
        """Apply one legal transition to each state; return the rows of the unfinished states."""
        shifts = arity == 0
        finishes = shifts & (self.buffer == self.lengths)
        rows = np.flatnonzero(~finishes)
        arity, label, shifts = arity[rows], label[rows], shifts[rows]
        depth = self.depth[rows] - arity  # of the items that remain below the new one
        left = np.where(
            shifts, self.buffer[rows], self.lefts[rows, np.minimum(depth, self.lefts.shape[1] - 1)]
        )
        self.lefts[rows, depth] = left
        self.labels[rows, depth] = np.where(shifts, WORD, label)
        self.depth[rows] = depth + 1
        self.buffer[rows] += shifts
        self.chain[rows] = np.where(arity == 1, self.chain[rows] + 1, 0)
        if self.constraints is not None:
            self.progress[rows] = self.constraints.progress(
                self.sentence[rows], left, self.buffer[rows], arity, label, self.progress[rows]
            )
        return rows
