"""Beam search: several hypotheses per sentence, side by side in one array of states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.span.candidates import Candidates, Ints
from whorl.span.constraints import ConstraintTables
from whorl.span.decoding.derivation import Derivation, EncodedBatch
from whorl.span.samples import Step
from whorl.span.scores import Floats, Scorer, log_probabilities, mask_illegal, restrict
from whorl.span.states import WINDOW, States

__all__ = ["decode_beam"]

_Doubles = npt.NDArray[np.float64]


class _Node(NamedTuple):
    """One step of a hypothesis, linked to the step before."""

    previous: int
    step: Step
    score: float
    arities: Floats | None  # the probabilities of all arities in the state before


class _Hypotheses:
    """The unfinished hypotheses of a batch, sorted by sentence, and the finished ones."""

    def __init__(self, states: States, sentences: int) -> None:
        self.states = states
        # every sentence starts with SHIFT
        self.nodes = [_Node(-1, (0, 0), 0.0, np.ones(1, dtype=np.float32))]
        self.last = [0] * sentences  # node of each state
        self.score = np.zeros(sentences, dtype=np.float64)
        self.finished: list[list[tuple[float, int]]] = [[] for _ in range(sentences)]

    def extend(
        self,
        state: Ints,
        arity: Ints,
        label: Ints,
        logs: Floats,
        arities: Sequence[Floats | None],
    ) -> None:
        """Extend these states by these transitions; states that do not occur are dropped.

        `arities` has the probabilities of all arities in each state, or None.
        """
        self.score = self.score[state] + logs
        steps = zip(arity.tolist(), label.tolist(), strict=True)
        first = len(self.nodes)
        self.nodes += [
            _Node(self.last[previous], step, score, arities[previous])
            for previous, step, score in zip(state.tolist(), steps, logs.tolist(), strict=True)
        ]
        states = self.states.keep(state)
        unfinished = states.apply(arity, label)
        for row in np.setdiff1d(np.arange(len(states)), unfinished).tolist():
            self.finished[int(states.sentence[row])].append((float(self.score[row]), first + row))
        self.states = states.keep(unfinished)
        self.score = self.score[unfinished]
        self.last = (unfinished + first).tolist()

    def thresholds(self, n_best: int) -> _Doubles:
        """Return the score of each sentence's `n_best`-th finished hypothesis, -inf for none."""
        ranked = [sorted((score for score, _ in nodes), reverse=True) for nodes in self.finished]
        return np.array(
            [scores[n_best - 1] if len(scores) >= n_best else -np.inf for scores in ranked]
        )

    def best(self, sentence: int, n_best: int) -> list[Derivation]:
        """Return the best finished hypotheses of a sentence, best first."""
        ranked = sorted(self.finished[sentence], reverse=True)
        return [self._trace_back(node) for _, node in ranked[:n_best]]

    def _trace_back(self, node: int) -> Derivation:
        steps, scores, shares = [], [], []
        while node >= 0:
            node, step, score, arities = self.nodes[node]
            steps.append(step)
            scores.append(score)
            if arities is not None:
                shares.append(arities)
        complete = np.concatenate(shares[::-1]) if len(shares) == len(steps) else None
        return Derivation(steps[::-1], scores[::-1], complete)


def decode_beam(
    scorer: Scorer,
    batch: EncodedBatch,
    *,
    max_unary: int,
    beam: int,
    n_best: int = 1,
    window: int = WINDOW,
    arities: bool = False,
    constraints: ConstraintTables | None = None,
) -> list[list[Derivation]]:
    """Return the best derivations of each sentence that a beam of this width finds, best first.

    Log-probabilities only decrease, so hypotheses below the `n_best`-th finished one are dropped.
    """
    count = len(batch.lengths)
    states = States(batch.lengths, batch.fenceposts, max_unary=max_unary, constraints=constraints)
    hypotheses = _Hypotheses(states, count)
    while len(hypotheses.states):
        candidates = hypotheses.states.candidates(window)
        logs = log_probabilities(mask_illegal(scorer.scores(candidates), candidates), candidates)
        shares: Sequence[Floats | None] = [None] * len(hypotheses.states)
        if arities:  # up to the window, which constraints may exceed
            parts = np.split(np.exp(logs).sum(axis=1), candidates.starts[1:])
            shares = [part[: window + 1] for part in parts]
        if candidates.restriction is not None:
            restrict(logs, candidates, candidates.restriction)
        totals = logs + hypotheses.score[candidates.state][:, None]
        thresholds = hypotheses.thresholds(n_best)
        row, output = _select(totals, candidates, hypotheses.states.sentence, thresholds, beam)
        state, arity = candidates.state[row], candidates.arity[row]
        hypotheses.extend(state, arity, output, logs[row, output], shares)
    return [hypotheses.best(sentence, n_best) for sentence in range(count)]


def _select(
    totals: _Doubles, candidates: Candidates, sentence: Ints, thresholds: _Doubles, beam: int
) -> tuple[Ints, Ints]:
    """Return rows and outputs of each sentence's `beam` best totals above its threshold."""
    width = totals.shape[1]
    first = np.flatnonzero(np.diff(sentence, prepend=-1))  # the first state of each sentence
    starts = candidates.starts[first]
    ends = np.append(starts[1:], len(candidates))
    selected = []
    for start, end, threshold in zip(
        starts.tolist(), ends.tolist(), thresholds[sentence[first]].tolist(), strict=True
    ):
        flat = totals[start:end].ravel()
        best = np.argpartition(-flat, beam)[:beam] if beam < len(flat) else np.arange(len(flat))
        selected.append(start * width + np.sort(best[flat[best] > threshold]))
    places: Ints = np.concatenate(selected)
    return places // width, places % width
