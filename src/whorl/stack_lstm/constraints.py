"""Constraints on the transitions of a stack-LSTM."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.constraints import Plan
from whorl.transitions import FINISH, SHIFT, Inventory, State, Transition
from whorl.transitions.constrained import ConstrainedNonBinary
from whorl.transitions.nonbinary import NonBinary, reduce

__all__ = ["ConstrainedInventory"]

_EDGE = 1e-3
"""What a reduce that is needed scores above the one whose score it gets, if both are legal."""

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
    nearest arity. It is added where it builds a phrase that is due and no transition of the
    inventory does; for the phrase over all words, where none even brings that nearer. So in every
    state some transition is legal, as in the system itself.
    """

    def __init__(self, inventory: Inventory, plans: Sequence[Plan | None]) -> None:
        self.transitions: list[Transition] = [*inventory.transitions]
        self._inventory = inventory
        self._numbers = dict(inventory.index)
        self._arities: dict[str, list[int]] = {}
        """By label, the arities in the inventory."""
        self._reduces: dict[int, dict[str, int]] = {}
        """By arity and label, the number in the inventory."""
        for number, (_, label, arity) in enumerate(inventory.transitions):
            if label is not None:
                self._arities.setdefault(label, []).append(arity)
                self._reduces.setdefault(arity, {})[label] = number
        max_unary = inventory.system.max_unary if isinstance(inventory.system, NonBinary) else 0
        self._systems = [
            None if plan is None else ConstrainedNonBinary(self._arities, plan, max_unary=max_unary)
            for plan in plans
        ]

    def log_probabilities(
        self, sentences: Sequence[int], states: Sequence[State], scores: Scores
    ) -> Scores:
        """Return the log-probabilities of all transitions so far: minus infinity for illegal ones.

        A row of scores is that of the inventory in one state of the given sentence. Constraints
        leave the log-probability of a transition as it is. Where a phrase is due and the best
        transition of all is illegal, those that bring it no nearer are left out.
        """
        legal = [self._legal(*pair) for pair in zip(sentences, states, strict=True)]
        logs = np.full((len(scores), len(self.transitions)), -np.inf, dtype=np.float32)
        for row, (sentence, state, (mask, others)) in enumerate(
            zip(sentences, states, legal, strict=True)
        ):
            plain = scores[row] + self._barred(state)
            favourite = int(plain.argmax())
            logs[row, : len(plain)] = plain
            for number, like in others:
                logs[row, number] = scores[row, like] + _EDGE
            logs[row] -= _log_sum_exp(logs[row])
            logs[row, : len(plain)][~mask] = -np.inf
            system = self._systems[sentence]
            if system is not None and not mask[favourite] and system.is_due(state):
                for number in np.flatnonzero(logs[row] > -np.inf).tolist():
                    if not system.advances(state, self.transitions[number]):
                        logs[row, number] = -np.inf
        return logs

    def _barred(self, state: State) -> Scores:
        """Return minus infinity for what is illegal without constraints, and 0 for all else."""
        inventory = self._inventory
        mask = inventory.masks[inventory.mask_number(state)]
        return np.where(mask, np.float32(0), np.float32(-np.inf))

    def _legal(self, sentence: int, state: State) -> _Legal:
        inventory, system = self._inventory, self._systems[sentence]
        if system is None:
            return _Legal(np.array(inventory.masks[inventory.mask_number(state)]), [])
        mask = np.zeros(len(inventory), dtype=np.bool_)
        for step in (SHIFT, FINISH):
            mask[inventory.index[step]] = system.is_legal(state, step)
        for arity in range(1, state.size + 1):
            numbers = self._reduces.get(arity, {})
            labels = system.legal_labels(state, arity)
            mask[[numbers[label] for label in labels if label in numbers]] = True
        others = self._missing(system, state, mask) if system.is_due(state) else []
        return _Legal(mask, [self._other(step) for step in others])

    def _missing(
        self, system: ConstrainedNonBinary, state: State, mask: npt.NDArray[np.bool_]
    ) -> list[Transition]:
        """Return the reduces that a state needs and the inventory lacks."""
        missing: dict[int, list[Transition]] = {}
        for arity in range(1, state.size + 1):
            if system.builds_required(state, arity):
                steps = [reduce(label, arity) for label in system.legal_labels(state, arity)]
                wanted = [step for step in steps if system.advances(state, step)]
                if not any(step in self._inventory.index for step in wanted):
                    missing[arity] = wanted
        if state.exhausted and state.size in missing:  # over all words
            known = (self.transitions[number] for number in np.flatnonzero(mask).tolist())
            if any(system.advances(state, step) for step in known):
                del missing[state.size]
        return [step for steps in missing.values() for step in steps]

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


def _log_sum_exp(values: Scores) -> float:
    best = float(values.max())
    return best + math.log(float(np.exp(values - best).sum()))
