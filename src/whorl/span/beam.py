"""Beam search with a `span` scorer: several ways of parsing each sentence, side by side in one array of states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.span.candidates import Candidates, Ints
from whorl.span.greedy import Derivation, EncodedBatch, Scorer
from whorl.span.samples import Step
from whorl.span.scores import Floats, log_probabilities, masked
from whorl.span.states import WINDOW, States

__all__ = ["decode_beam"]

_Doubles = npt.NDArray[np.float64]


class _Node(NamedTuple):
    """A step of one way of parsing, after another."""

    before: int
    step: Step
    score: float


class _Ways:
    """The ways of parsing that are being followed, sorted by sentence, and those that have come to an end."""

    def __init__(self, states: States, count: int) -> None:
        self.states = states
        self.nodes = [_Node(-1, (0, 0), 0.0)]  # all sentences begin with SHIFT
        self.last = [0] * count
        self.score = np.zeros(count, dtype=np.float64)
        self.ended: list[list[tuple[float, int]]] = [[] for _ in range(count)]

    def go_on(self, state: Ints, taken: Ints, label: Ints, logs: Floats) -> None:
        """Follow these steps from these states; where none is followed from a state, it is left behind."""
        self.score = self.score[state] + logs
        steps = zip(taken.tolist(), label.tolist(), strict=True)
        first = len(self.nodes)
        self.nodes += [
            _Node(self.last[before], step, score)
            for before, step, score in zip(state.tolist(), steps, logs.tolist(), strict=True)
        ]
        states = self.states.keep(state)
        going = states.apply(taken, label)
        for row in np.setdiff1d(np.arange(len(states)), going).tolist():
            self.ended[int(states.sentence[row])].append((float(self.score[row]), first + row))
        self.states = states.keep(going)
        self.score = self.score[going]
        self.last = (going + first).tolist()

    def bars(self, wanted: int) -> _Doubles:
        """Of each sentence the score below which nothing is of use: that of the last ending that is wanted."""
        scores = [sorted((score for score, _ in ended), reverse=True) for ended in self.ended]
        return np.array(
            [found[wanted - 1] if len(found) >= wanted else -np.inf for found in scores]
        )

    def best(self, sentence: int, wanted: int) -> list[Derivation]:
        """The best ways to the end of a sentence, best first."""
        return [
            self._traced(node) for _, node in sorted(self.ended[sentence], reverse=True)[:wanted]
        ]

    def _traced(self, node: int) -> Derivation:
        steps, scores = [], []
        while node >= 0:
            node, step, score = self.nodes[node]
            steps.append(step)
            scores.append(score)
        return Derivation(steps[::-1], scores[::-1])


def decode_beam(
    scorer: Scorer,
    inputs: EncodedBatch,
    *,
    max_unary: int,
    beam: int,
    n_best: int = 1,
    window: int = WINDOW,
) -> list[list[Derivation]]:
    """The best ways of parsing each sentence that a beam of this width finds, best first.

    Log-probabilities only fall, so what is below the last ending that is wanted can be dropped.
    """
    count = len(inputs.lengths)
    ways = _Ways(States(inputs.lengths, inputs.fenceposts, max_unary=max_unary), count)
    while len(ways.states):
        candidates = ways.states.candidates(window)
        logs = log_probabilities(masked(scorer.scores(candidates), candidates), candidates)
        totals = logs + ways.score[candidates.state][:, None]
        row, output = _chosen(totals, candidates, ways.states.sentence, ways.bars(n_best), beam)
        ways.go_on(candidates.state[row], candidates.taken[row], output, logs[row, output])
    return [ways.best(sentence, n_best) for sentence in range(count)]


def _chosen(
    totals: _Doubles, candidates: Candidates, sentence: Ints, bars: _Doubles, beam: int
) -> tuple[Ints, Ints]:
    """Of each sentence the best candidates and outputs, as many as the beam is wide, that are above its bar."""
    width = totals.shape[1]
    first = np.flatnonzero(
        np.diff(sentence, prepend=-1)
    )  # the first state of each sentence that goes on
    starts = candidates.starts[first]
    ends = np.append(starts[1:], len(candidates))
    found = []
    for start, end, bar in zip(
        starts.tolist(), ends.tolist(), bars[sentence[first]].tolist(), strict=True
    ):
        flat = totals[start:end].ravel()
        best = np.argpartition(-flat, beam)[:beam] if beam < len(flat) else np.arange(len(flat))
        found.append(start * width + np.sort(best[flat[best] > bar]))
    places: Ints = np.concatenate(found)
    return places // width, places % width
