"""Effects: what a transition does, in terms that name no transition system.

A system turns each transition into an effect; a scorer, such as a network's stack, consumes
effects. So one network serves every system, and neither imports the other.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

__all__ = ["Effect", "Kind", "Marker"]


class Kind(IntEnum):
    """The four things that can happen to a stack and a buffer."""

    SHIFT = 0
    OPEN = 1
    REDUCE = 2
    FINISH = 3

    # Effects are looked up at every step, and the hash of an enumeration is slow.
    __hash__ = int.__hash__


class Marker(IntEnum):
    """Where the open phrase lies among the items that a reduce takes from the stack."""

    NONE = 0
    BEFORE_CHILDREN = 1
    AFTER_FIRST_CHILD = 2

    __hash__ = int.__hash__


class Effect(NamedTuple):
    """Shift a word; open a phrase; reduce `arity` items under a label; or finish.

    `label` is the phrase's, None for shift and finish. `marker` says whether the reduce also takes
    an open phrase from the stack, and where it lies. `head` is the index of the head child where
    the system knows it.
    """

    kind: Kind
    label: str | None = None
    arity: int = 0
    marker: Marker = Marker.NONE
    head: int | None = None

    @property
    def takes(self) -> int:
        """The number of items that a reduce takes: its children, and the open phrase if any."""
        return self.arity + (self.marker is not Marker.NONE)
