"""Scores of candidates: which are legal, how probable they are, and which is best, per state."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.span.candidates import BLOCKED, SHIFT_OR_FINISH, Candidates, Ints

__all__ = [
    "Decisions",
    "Floats",
    "Scorer",
    "check_finite",
    "decide",
    "first_best",
    "log_probabilities",
    "mask_illegal",
    "normalisers",
]

Floats = npt.NDArray[np.float32]


class Decisions(NamedTuple):
    """One decision per state: a candidate's row, one of its outputs, and their log-probability."""

    row: Ints  # (states,)
    output: Ints  # (states,)
    log_probability: Floats  # (states,)
    arities: Floats | None = None  # (candidates,): proportional to the probability of each


class Scorer(ABC):
    """A network that has encoded the sentences of a batch and scores their transitions."""

    @abstractmethod
    def scores(self, candidates: Candidates) -> Floats:
        """Score all outputs of each candidate: (candidates, 1 + labels); 0 is SHIFT or FINISH."""

    def best(self, candidates: Candidates, *, arities: bool = False) -> Decisions:
        """Return the best legal transition of each state, and the `arities` if they are wanted."""
        scores = mask_illegal(self.scores(candidates), candidates)
        return decide(scores, candidates, arities=arities)


def check_finite(score: float) -> None:
    """Raise `ModelError` if a state's best score is not finite, which only bad weights cause."""
    if not math.isfinite(score):
        raise ModelError("the model's scores are not finite numbers: its weights are damaged")


def decide(scores: Floats, candidates: Candidates, *, arities: bool = False) -> Decisions:
    """Return the best output of each state. `scores` must be masked and is overwritten."""
    width = scores.shape[1]
    flat = scores.ravel()  # all outputs of a state are consecutive
    starts = candidates.starts * width
    best = np.maximum.reduceat(flat, starts)
    check_finite(float(best.sum()))
    scores -= best[candidates.state][:, None]
    hits = np.flatnonzero(flat == 0)
    place = hits[np.searchsorted(hits, starts)]
    np.exp(flat, out=flat)
    if not arities:
        sums = np.add.reduceat(flat, starts)
        return Decisions(place // width, place % width, -np.log(sums))
    shares: Floats = scores @ np.ones(width, dtype=np.float32)  # faster than a sum over an axis
    sums = np.add.reduceat(shares, candidates.starts)
    return Decisions(place // width, place % width, -np.log(sums), shares)


def mask_illegal(scores: Floats, candidates: Candidates) -> Floats:
    """Set the scores of illegal outputs to minus infinity, in place."""
    scores[candidates.kind != SHIFT_OR_FINISH, 0] = -np.inf
    scores[candidates.starts, 1:] = -np.inf
    blocked = candidates.kind == BLOCKED
    if blocked.any():
        scores[blocked] = -np.inf
    return scores


def normalisers(scores: Floats, candidates: Candidates) -> Floats:
    """Return the log-sum-exp of each state's masked scores: (states,)."""
    best = np.maximum.reduceat(scores.max(axis=1), candidates.starts)
    check_finite(float(best.sum()))
    shares = np.exp(scores - best[candidates.state][:, None]).sum(axis=1)
    sums: Floats = np.add.reduceat(shares, candidates.starts)
    return np.log(sums) + best


def log_probabilities(scores: Floats, candidates: Candidates) -> Floats:
    """Return the log-probabilities of all outputs of all candidates, from masked scores."""
    return scores - normalisers(scores, candidates)[candidates.state][:, None]


def first_best(values: Floats, candidates: Candidates) -> Ints:
    """Return the row of each state's highest value, the first of several; (candidates,) in."""
    best = np.maximum.reduceat(values, candidates.starts)
    hits = np.flatnonzero(values == best[candidates.state])
    rows: Ints = hits[np.searchsorted(hits, candidates.starts)]
    return rows
