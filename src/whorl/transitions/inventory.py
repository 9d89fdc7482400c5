"""The inventory of a model: its numbered transitions, with fast masks of the legal ones."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Hashable, Iterable

from whorl.errors import TransitionError
from whorl.transitions.base import State, System, Transition

__all__ = ["Inventory"]

# Held while a mask gets its number: threads share parsers.
_LOCK = threading.Lock()
if hasattr(os, "register_at_fork"):
    # No process may fork while another thread holds the lock.
    os.register_at_fork(
        before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release
    )


class Inventory:
    """The numbered transitions of one system, closed so that no state is a dead end.

    Which transitions are legal depends on a state's signature only, so each mask is computed once.
    """

    def __init__(self, system: System, transitions: Iterable[Transition]) -> None:
        self.system = system
        self.transitions = tuple(dict.fromkeys(transitions))
        self.index = {transition: number for number, transition in enumerate(self.transitions)}
        self.masks: list[tuple[bool, ...]] = []
        """For each set of legal transitions met so far, whether each transition is in it."""
        self._mask_numbers: dict[tuple[bool, ...], int] = {}
        self._numbers: dict[Hashable, int] = {}

    @classmethod
    def of(cls, system: System, sequences: Iterable[Iterable[Transition]]) -> Inventory:
        """Collect the transitions of some sequences, most frequent first, and close the set."""
        counts = Counter(transition for sequence in sequences for transition in sequence)
        if not counts:
            raise TransitionError("no transitions for an inventory: the treebank is empty")
        ordered = sorted(counts, key=lambda transition: (-counts[transition], str(transition)))
        return cls(system, [*ordered, *system.closure(ordered)])

    def __len__(self) -> int:
        return len(self.transitions)

    def mask_number(self, state: State) -> int:
        """Return the index into `masks` of the state's legal transitions."""
        signature = self.system.signature(state)
        number = self._numbers.get(signature)
        if number is None:
            mask = tuple(self.system.is_legal(state, transition) for transition in self.transitions)
            if not any(mask):
                raise TransitionError(
                    f"no transition of the inventory is legal: {self.system.describe(state)}"
                )
            with _LOCK:
                number = self._mask_numbers.setdefault(mask, len(self.masks))
                if number == len(self.masks):
                    self.masks.append(mask)
            self._numbers[signature] = number
        return number

    def to_list(self) -> list[str]:
        """Return the names of the transitions, for a file."""
        return [str(transition) for transition in self.transitions]

    @classmethod
    def from_list(cls, system: System, names: Iterable[str]) -> Inventory:
        """Undo `to_list`."""
        return cls(system, [system.parse(name) for name in names])
