"""Batched decoding with a `span` scorer: greedy, or led by an oracle. No PyTorch here: a scorer gives arrays.

All sentences of a batch go in step, and what happens to each is kept as numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from whorl.span.candidates import Candidates, Ints
from whorl.span.numpy_scorer import SpanScorer
from whorl.span.samples import Step
from whorl.span.scores import Best, Floats, masked, normaliser
from whorl.span.single_sentence import decode_alone
from whorl.span.states import WINDOW, States

__all__ = ["Choice", "Choose", "Derivation", "EncodedBatch", "Scorer", "decode_greedy"]


_FEW = 4  # sentences, up to which one after another is faster than all in step


class Scorer(Protocol):
    """A network with the sentences of a batch read."""

    def scores(self, candidates: Candidates) -> Floats:
        """The scores of all outputs for each candidate: (candidates, 1 + labels); 0 is SHIFT or FINISH."""

    def best(self, candidates: Candidates) -> Best:
        """The best of all that is legal in each state."""


class EncodedBatch(Protocol):
    """Where the sentences of an encoded batch are among its fenceposts."""

    @property
    def lengths(self) -> Ints:
        """The number of words of each sentence."""

    @property
    def fenceposts(self) -> Ints:
        """The row of each sentence's first fencepost."""


class Choice(NamedTuple):
    """Of each state the candidate chosen, by its row, and its output."""

    row: Ints  # (states,)
    output: Ints  # (states,)


Choose = Callable[[States, Candidates, Floats], Choice]
"""Choose for every state, given the scores; those of what is not legal are minus infinity."""


class Derivation(NamedTuple):
    """What happened to one sentence: its steps, FINISH among them, and the log-probability of each."""

    steps: list[Step]
    scores: list[float]

    @property
    def score(self) -> float:
        """The log-probability of the whole."""
        return sum(self.scores)


def decode_greedy(
    scorer: Scorer,
    inputs: EncodedBatch,
    *,
    max_unary: int,
    window: int = WINDOW,
    choose: Choose | None = None,
) -> list[Derivation]:
    """Follow the best transitions, or those that `choose` says, to the end of each sentence."""
    if choose is None and len(inputs.lengths) <= _FEW and isinstance(scorer, SpanScorer):
        return [
            _begun(*decode_alone(scorer, length, first, max_unary=max_unary, window=window))
            for length, first in zip(
                inputs.lengths.tolist(), inputs.fenceposts.tolist(), strict=True
            )
        ]
    states = States(inputs.lengths, inputs.fenceposts, max_unary=max_unary)
    history: list[tuple[Ints, Ints, Ints, Floats]] = []
    while len(states):
        candidates = states.candidates(window)
        chosen = (
            scorer.best(candidates) if choose is None else _led(choose, scorer, states, candidates)
        )
        taken = candidates.taken[chosen.row]
        history.append((states.sentence, taken, chosen.output, chosen.log))
        going = states.apply(taken, chosen.output)
        if len(going) < len(states):
            states = states.keep(going)
    return _group_by_sentence(history, len(inputs.lengths))


def _led(choose: Choose, scorer: Scorer, states: States, candidates: Candidates) -> Best:
    scores = masked(scorer.scores(candidates), candidates)
    row, output = choose(states, candidates, scores)
    return Best(row, output, scores[row, output] - normaliser(scores, candidates))


def _group_by_sentence(
    history: list[tuple[Ints, Ints, Ints, Floats]], count: int
) -> list[Derivation]:
    """From what happened at each step to what happened to each sentence; all begin with SHIFT."""
    sentence, taken, label, logs = (np.concatenate(column) for column in zip(*history, strict=True))
    order = np.argsort(sentence, kind="stable")
    bounds = np.searchsorted(sentence[order], np.arange(count + 1))
    steps = list(zip(taken[order].tolist(), label[order].tolist(), strict=True))
    scores = logs[order].tolist()
    return [
        _begun(steps[start:end], scores[start:end])
        for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]


def _begun(steps: list[Step], scores: list[float]) -> Derivation:
    """What happened, with the SHIFT that leaves no choice before it."""
    return Derivation([(0, 0), *steps], [0.0, *scores])
