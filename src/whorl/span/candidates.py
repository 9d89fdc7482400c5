"""Candidates: every transition that could follow in many states of the non-binary system, as index arrays.

A state of that system, as far as the `span` network looks, is a buffer position and a stack of
items, each with a left edge and a label. Its candidates are numbered by how many items they take: 0
is SHIFT, or FINISH where the buffer is empty, and k is the reduce of the k topmost items, whatever
its label.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["BLOCKED", "PLAIN", "REDUCE", "WORD", "Candidates", "Ints", "allowed"]

Ints = npt.NDArray[np.int64]

WORD = 0
"""The label of an item that is a word; phrases have labels from 1 on."""

BLOCKED, PLAIN, REDUCE = range(3)
"""What a candidate may be: nothing, as it is not legal; SHIFT or FINISH; a reduce under any label."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Some states' candidates, those of one state in a row, from 0 items up."""

    state: Ints  # (candidates,): which state
    taken: Ints  # (candidates,): how many items
    left: Ints  # (candidates,): row of the left edge among all fenceposts
    item: Ints  # (candidates,): label of the lowest item taken
    allowed: Ints  # (candidates,)
    right: Ints  # (states,): row of the buffer position among all fenceposts
    top: Ints  # (states,): label of the topmost item
    chain: Ints  # (states,): how many unary phrases stand over one another there
    starts: Ints  # (states,): where each state's candidates begin

    def __len__(self) -> int:
        return len(self.state)


def allowed(
    state: Ints,
    taken: Ints,
    *,
    top: Ints,
    chain: Ints,
    depth: Ints,
    exhausted: npt.NDArray[np.bool_],
    max_unary: int,
) -> Ints:
    """Which candidates are legal, as the non-binary system says; the last four are the states'."""
    plain = ~exhausted | ((depth == 1) & (top != WORD))
    kinds = np.where(taken == 0, np.where(plain, PLAIN, BLOCKED)[state], REDUCE)
    kinds[(taken == 1) & (chain >= max_unary)[state]] = BLOCKED
    return kinds
