"""Batched decoding with a `span` scorer: greedy, or led by an oracle. No PyTorch here: a scorer gives arrays.

All sentences of a batch go in step, and what happens to each is kept as numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from whorl.data.candidates import BLOCKED, PLAIN, Candidates, Ints
from whorl.data.span_samples import SpanInputs, Step
from whorl.decoding.states import WINDOW, States

__all__ = [
    "Choice",
    "Choose",
    "Floats",
    "Followed",
    "Scorer",
    "decode_spans",
    "first_best",
    "log_probabilities",
    "masked",
]

Floats = npt.NDArray[np.float32]


class Scorer(Protocol):
    """A network with the sentences of a batch read."""

    def scores(self, candidates: Candidates) -> Floats:
        """The scores of all outputs for each candidate: (candidates, 1 + labels); 0 is SHIFT or FINISH."""


class Choice(NamedTuple):
    """Of each state the candidate chosen, by its row, and its output."""

    row: Ints  # (states,)
    output: Ints  # (states,)


Choose = Callable[[States, Candidates, Floats], Choice]
"""Choose for every state, given the scores; those of what is not legal are minus infinity."""


class Followed(NamedTuple):
    """What happened to one sentence: its steps, FINISH among them, and the log-probability of each."""

    steps: list[Step]
    scores: list[float]

    @property
    def score(self) -> float:
        """The log-probability of the whole."""
        return sum(self.scores)


def decode_spans(
    scorer: Scorer, inputs: SpanInputs, *, max_unary: int, window: int = WINDOW, choose: Choose | None = None
) -> list[Followed]:
    """Follow the best transitions, or those that `choose` says, to the end of each sentence."""
    choose = choose or _best
    states = States(inputs.lengths, inputs.fenceposts, max_unary=max_unary)
    history: list[tuple[Ints, Ints, Ints, Floats]] = []
    while len(states):
        candidates = states.candidates(window)
        scores = masked(scorer.scores(candidates), candidates)
        chosen = choose(states, candidates, scores)
        taken = candidates.taken[chosen.row]
        logs = scores[chosen.row, chosen.output] - normaliser(scores, candidates)
        history.append((states.sentence, taken, chosen.output, logs))
        going = states.apply(taken, chosen.output)
        if len(going) < len(states):
            states = states.keep(going)
    return _sorted_out(history, len(inputs.lengths))


def masked(scores: Floats, candidates: Candidates) -> Floats:
    """Make what is not legal impossible, in place."""
    scores[candidates.allowed != PLAIN, 0] = -np.inf
    scores[candidates.starts, 1:] = -np.inf
    blocked = candidates.allowed == BLOCKED
    if blocked.any():
        scores[blocked] = -np.inf
    return scores


def normaliser(scores: Floats, candidates: Candidates) -> Floats:
    """Of each state the log of the sum of its candidates' exponentials."""
    tops = np.maximum.reduceat(scores.max(axis=1), candidates.starts)
    sums = np.add.reduceat(np.exp(scores - tops[candidates.state][:, None]).sum(axis=1), candidates.starts)
    found: Floats = np.log(sums) + tops
    return found


def log_probabilities(scores: Floats, candidates: Candidates) -> Floats:
    """The log-probabilities of all outputs of all candidates, from scores that were masked."""
    return scores - normaliser(scores, candidates)[candidates.state][:, None]


def first_best(values: Floats, candidates: Candidates) -> Ints:
    """Of each state the first row with the highest of these values, (candidates,)."""
    best = np.maximum.reduceat(values, candidates.starts)
    hits = np.flatnonzero(values == best[candidates.state])
    first = np.searchsorted(hits, candidates.starts)
    found: Ints = hits[first]
    return found


def _best(_: States, candidates: Candidates, scores: Floats) -> Choice:
    row = first_best(scores.max(axis=1), candidates)
    return Choice(row, scores[row].argmax(axis=1))


def _sorted_out(history: list[tuple[Ints, Ints, Ints, Floats]], count: int) -> list[Followed]:
    """From what happened at each step to what happened to each sentence; all begin with SHIFT."""
    sentence, taken, label, logs = (np.concatenate(column) for column in zip(*history, strict=True))
    order = np.argsort(sentence, kind="stable")
    bounds = np.searchsorted(sentence[order], np.arange(count + 1))
    steps = list(zip(taken[order].tolist(), label[order].tolist(), strict=True))
    scores = logs[order].tolist()
    return [
        Followed([(0, 0), *steps[start:end]], [0.0, *scores[start:end]])
        for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
