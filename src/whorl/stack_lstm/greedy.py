"""Greedy decoding over arrays of states: the non-binary system and the stack-LSTM network, a batch in step.

`driver` does the same for any system, state by state, in Python objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.span.candidates import WORD, Ints
from whorl.span.parsing import build_tree
from whorl.span.states import States
from whorl.stack_lstm.batch_network import BatchedStackLSTM, StackLSTMRun
from whorl.stack_lstm.stacks import EffectTable
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.transitions import FINISH, SHIFT, Inventory, NonBinary
from whorl.trees import Leaf, Tree

__all__ = ["Derivation", "Legality", "decode_greedy"]

_SHIFT, _FINISH, _NEITHER = range(3)


class Derivation(NamedTuple):
    """What happened to one sentence: the numbers of its transitions, their log-probability, and the tree they built."""

    transitions: list[int]
    score: float
    tree: Tree


class Legality:
    """Which transitions are legal: a table, and the row of each state in it.

    A row stands for a depth, no more than the widest reduce takes; for SHIFT, FINISH or neither
    being legal; and for whether a unary reduce is.
    """

    def __init__(self, inventory: Inventory) -> None:
        self.taken: Ints = np.array([transition.arity for transition in inventory.transitions])
        self._widest = int(self.taken.max())
        finish = np.arange(len(inventory)) == inventory.index[FINISH]
        row = np.arange(6 * (self._widest + 1))[:, None]
        depth, plain, unary = row // 6, row // 2 % 3, row % 2 == 1
        reduces = (self.taken <= depth) & ((self.taken > 1) | unary)
        plains = np.where(finish, plain == _FINISH, plain == _SHIFT)
        self.table: npt.NDArray[np.bool_] = np.where(
            self.taken > 0, reduces, plains
        )  # (rows, transitions)

    def rows(self, states: States) -> Ints:
        """The row of each state."""
        top = states.labels[np.arange(len(states)), states.depth - 1]
        ends = np.where((states.depth == 1) & (top != WORD), _FINISH, _NEITHER)
        plain = np.where(states.buffer < states.lengths, _SHIFT, ends)
        found: Ints = (
            6 * np.minimum(states.depth, self._widest)
            + 2 * plain
            + (states.chain < states.max_unary)
        )
        return found


class _Transitions:
    """All that decoding asks of an inventory's transitions: legality, effects and labels."""

    def __init__(self, encoder: StackLSTMVocabulary, system: NonBinary) -> None:
        transitions = encoder.inventory.transitions
        self.legality = Legality(encoder.inventory)
        self.table = EffectTable(encoder.symbols)
        self.effects: Ints = np.array(
            [self.table.number(system.effect_of(transition)) for transition in transitions]
        )
        self.labels = [str(transition.label) for transition in transitions]
        legal = torch.from_numpy(self.legality.table)
        self.masks = torch.zeros(legal.shape).masked_fill_(~legal, -torch.inf)


class _Step(NamedTuple):
    """What some sentences did at one step: a transition each, and its log-probability."""

    sentence: Ints
    transition: Ints
    score: npt.NDArray[np.float32]


def decode_greedy(
    decoder: BatchedStackLSTM,
    encoder: StackLSTMVocabulary,
    sentences: Sequence[Sequence[Leaf]],
    system: NonBinary,
) -> list[Derivation]:
    """Follow the best transitions to the end of each sentence."""
    known = _Transitions(encoder, system)
    placed = [system.initial(leaves).leaves for leaves in sentences]
    run = decoder.begin([encoder.sentence(leaves) for leaves in placed], known.table, shared=False)
    states = States(run.lengths, np.zeros_like(run.lengths), max_unary=system.max_unary)
    history = list(_steps(run, states, known, encoder.inventory.index[SHIFT]))
    return _group_by_sentence(history, placed, known)


def _group_by_sentence(
    history: list[_Step], sentences: Sequence[Sequence[Leaf]], known: _Transitions
) -> list[Derivation]:
    """From what happened at each step to what happened to each sentence."""
    sentence, transition, score = (np.concatenate(column) for column in zip(*history, strict=True))
    order = np.argsort(sentence, kind="stable")
    ends = np.cumsum(np.bincount(sentence)).tolist()
    numbers, taken, scores = (
        values[order].tolist() for values in (transition, known.legality.taken[transition], score)
    )
    found = []
    for leaves, start, end in zip(sentences, [0, *ends[:-1]], ends, strict=True):
        own = numbers[start:end]
        tree = build_tree(
            leaves, zip(taken[start:end], [number + 1 for number in own], strict=True), known.labels
        )
        found.append(Derivation(own, sum(scores[start:end]), tree))
    return found


def _steps(run: StackLSTMRun, states: States, known: _Transitions, shift: int) -> Iterator[_Step]:
    """Step after step until all have finished; the first is a SHIFT, as the states have it."""
    masks, legality = known.masks.to(run.device), known.legality
    going = np.arange(len(states))
    step = _Step(going, np.full(len(going), shift), np.zeros(len(going), dtype=np.float32))
    yield step
    while len(going):
        transitions = step.transition[going]
        run.advance(going, transitions, known.effects[transitions])
        scores = run.scores()
        scores += masks.index_select(0, torch.from_numpy(legality.rows(states)).to(run.device))
        step = _best(states.sentence, scores)
        yield step
        going = states.apply(legality.taken[step.transition], step.transition + 1)
        if len(going) < len(states):
            states = states.keep(going)


def _best(sentence: Ints, scores: Tensor) -> _Step:
    best, which = scores.log_softmax(dim=1).max(dim=1)
    return _Step(sentence, which.cpu().numpy(), best.cpu().numpy())
