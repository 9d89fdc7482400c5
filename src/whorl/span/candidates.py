"""Candidates: the transitions that can follow each of many states, as index arrays.

The span network sees a state of the non-binary system as a buffer position and a stack of items,
each with a left edge and a label. A candidate is identified by its arity: 0 is SHIFT, or FINISH
when the buffer is empty, and k is a reduce of the k topmost items under any label.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = [
    "BLOCKED",
    "REDUCE",
    "SHIFT_OR_FINISH",
    "WORD",
    "Candidates",
    "Ints",
    "Restriction",
    "candidate_kinds",
]

Ints = npt.NDArray[np.int64]

WORD = 0
"""The label number of a stack item that is a word; phrase labels start at 1."""

BLOCKED, SHIFT_OR_FINISH, REDUCE = range(3)
"""The kind of a candidate; a blocked one is illegal."""


@dataclass(frozen=True, slots=True)
class Restriction:
    """The legal candidates, and outputs of candidates, that constraints make illegal.

    In some states a phrase is due: no word may be shifted before it is built. An output is idle
    if it brings such a state no nearer to that phrase, although it is legal.
    """

    blocked: Ints  # (blocked,): rows of candidates
    limited: Ints  # (limited,): rows of candidates, some of whose labels are illegal or idle
    illegal: npt.NDArray[np.bool_]  # (limited, 1 + labels)
    due: npt.NDArray[np.bool_]  # (states,)
    idle_rows: Ints  # (idle,): rows of candidates that are idle with any label
    idle: npt.NDArray[np.bool_]  # (limited, 1 + labels), the illegal ones among them


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of some states; those of one state are consecutive, by increasing arity."""

    state: Ints  # (candidates,): index of the state
    arity: Ints  # (candidates,): number of items reduced; 0 is SHIFT or FINISH
    left: Ints  # (candidates,): row of the left edge among all fenceposts
    item_label: Ints  # (candidates,): label of the lowest item reduced
    kind: Ints  # (candidates,): BLOCKED, SHIFT_OR_FINISH or REDUCE
    right: Ints  # (states,): row of the buffer position among all fenceposts
    top_label: Ints  # (states,): label of the topmost item
    chain: Ints  # (states,): length of the unary chain that ends at the topmost item
    starts: Ints  # (states,): row of each state's first candidate
    restriction: Restriction | None = None  # what constraints exclude, if there are any

    def __len__(self) -> int:
        return len(self.state)


def candidate_kinds(
    state: Ints,
    arity: Ints,
    *,
    top_label: Ints,
    chain: Ints,
    depth: Ints,
    exhausted: npt.NDArray[np.bool_],
    max_unary: int,
) -> Ints:
    """Return the kind of each candidate; the keyword arrays hold one value per state."""
    can_proceed = ~exhausted | ((depth == 1) & (top_label != WORD))  # by SHIFT or by FINISH
    proceed_kinds = np.where(can_proceed, SHIFT_OR_FINISH, BLOCKED)
    kinds = np.where(arity == 0, proceed_kinds[state], REDUCE)
    kinds[(arity == 1) & (chain >= max_unary)[state]] = BLOCKED
    return kinds
