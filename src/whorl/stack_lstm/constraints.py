"""Constraints on the transitions of a stack-LSTM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.constraints import Plan
from whorl.transitions import FINISH, SHIFT, Inventory, State, Transition
from whorl.transitions.constrained import ConstrainedNonBinary
from whorl.transitions.nonbinary import NonBinary, reduce

__all__ = ["ConstrainedInventory"]

Scores = npt.NDArray[np.float32]


class _Legal(NamedTuple):
    """The legal transitions of a state: which of the inventory, and which others."""

    mask: npt.NDArray[np.bool_]
    others: list[tuple[int, int]]
    """Their numbers, and those of the transitions whose scores they get."""


class ConstrainedInventory:
    """The inventory of a model for a batch of sentences, some of which have constraints.

    A constraint may require a reduce that the inventory lacks, such as NP#12. Such a transition
    gets a number after those of the inventory, and the score of the one with the same label and the
    nearest arity. It is legal where it builds a required phrase and no transition of the inventory
    with this arity is, or for the phrase over all words where no other transition is legal. So
    there is a legal transition in every state, as in the system itself.
    """

    def __init__(self, inventory: Inventory, plans: Sequence[Plan | None]) -> None:
        self.transitions: list[Transition] = [*inventory.transitions]
        self._inventory = inventory
        self._numbers = dict(inventory.index)
        self._arities: dict[str, list[int]] = {}
        """By label, the arities in the inventory."""
        for _, label, arity in inventory.transitions:
            if label is not None:
                self._arities.setdefault(label, []).append(arity)
        max_unary = inventory.system.max_unary if isinstance(inventory.system, NonBinary) else 0
        self._systems = [
            None if plan is None else ConstrainedNonBinary(self._arities, plan, max_unary=max_unary)
            for plan in plans
        ]

    def mask(self, sentences: Sequence[int], states: Sequence[State], scores: Scores) -> Scores:
        """Return the scores of all transitions so far, minus infinity for those not legal.

        A row holds the scores of the inventory in one state of the given sentence.
        """
        legal = [self._legal(*pair) for pair in zip(sentences, states, strict=True)]
        masked = np.full((len(scores), len(self.transitions)), -np.inf, dtype=np.float32)
        for row, (mask, others) in enumerate(legal):
            masked[row, : len(mask)][mask] = scores[row][mask]
            for number, like in others:
                masked[row, number] = scores[row, like]
        return masked

    def _legal(self, sentence: int, state: State) -> _Legal:
        inventory, system = self._inventory, self._systems[sentence]
        if system is None:
            return _Legal(np.array(inventory.masks[inventory.mask_number(state)]), [])
        mask = np.zeros(len(inventory), dtype=np.bool_)
        for step in (SHIFT, FINISH):
            mask[inventory.index[step]] = system.is_legal(state, step)
        missing: dict[int, list[Transition]] = {}
        for arity in range(1, state.size + 1):
            steps = [reduce(label, arity) for label in system.legal_labels(state, arity)]
            numbers = [inventory.index[step] for step in steps if step in inventory.index]
            mask[numbers] = True
            if steps and not numbers and system.builds_required(state, arity):
                missing[arity] = steps
        if state.exhausted and mask.any():  # the phrase over all words is required of every tree
            missing.pop(state.size, None)
        return _Legal(mask, [self._other(step) for steps in missing.values() for step in steps])

    def _other(self, transition: Transition) -> tuple[int, int]:
        """Return the number of a transition that the inventory lacks, and of the one most like it.

        Of two arities as near, the smaller one is meant.
        """
        number = self._numbers.setdefault(transition, len(self.transitions))
        if number == len(self.transitions):
            self.transitions.append(transition)
        _, label, arity = transition
        arities = sorted(self._arities[str(label)])
        nearest = min(arities, key=lambda known: abs(known - arity))
        return number, self._inventory.index[reduce(str(label), nearest)]
