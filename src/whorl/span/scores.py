"""Scores of candidates: which are legal, how probable they are, and which is best, per state."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.span.candidates import BLOCKED, SHIFT_OR_FINISH, Candidates, Ints, Restriction

__all__ = [
    "Decisions",
    "Floats",
    "Scorer",
    "check_finite",
    "decide",
    "decide_restricted",
    "first_best",
    "log_probabilities",
    "mask_illegal",
    "normalisers",
    "restrict",
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
        if candidates.restriction is not None:
            return decide_restricted(scores, candidates, candidates.restriction, arities=arities)
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


def restrict(logs: Floats, candidates: Candidates, restriction: Restriction) -> Floats:
    """Set the log-probabilities of outputs that constraints exclude to minus infinity, in place.

    Where a phrase is due and the best output of all is excluded, idle outputs are left out too. The
    network cannot know that it must build that phrase, and would rather put one phrase of one child
    after another on the topmost item.
    """
    favourites, _ = _best_places(logs, candidates.starts)
    _exclude(logs, restriction.limited, restriction.illegal)
    logs[restriction.blocked] = -np.inf
    thwarted = restriction.due & (logs.ravel()[favourites] == -np.inf)
    if thwarted.any():
        idle, limited = restriction.idle_rows, restriction.limited
        logs[idle[thwarted[candidates.state[idle]]]] = -np.inf
        rows = thwarted[candidates.state[limited]]
        _exclude(logs, limited[rows], restriction.idle[rows])
    return logs


def _exclude(logs: Floats, rows: Ints, excluded: npt.NDArray[np.bool_]) -> None:
    logs[rows] = np.where(excluded, np.float32(-np.inf), logs[rows])


def decide_restricted(
    scores: Floats, candidates: Candidates, restriction: Restriction, *, arities: bool = False
) -> Decisions:
    """Return the best output of each state that constraints allow, from masked scores.

    Its log-probability, and those of arities, are those among all outputs.
    """
    logs = log_probabilities(scores, candidates)
    shares: Floats | None = np.exp(logs).sum(axis=1) if arities else None
    logs = restrict(logs, candidates, restriction)
    places, best = _best_places(logs, candidates.starts)
    check_finite(float(best.sum()))
    width = scores.shape[1]
    return Decisions(places // width, places % width, best, shares)


def _best_places(scores: Floats, starts: Ints) -> tuple[Ints, Floats]:
    """Return the place of each state's best output, the first of several, and its score."""
    flat = scores.ravel()
    first = starts * scores.shape[1]
    best: Floats = np.maximum.reduceat(flat, first)
    hits = np.flatnonzero(flat == np.repeat(best, np.diff(first, append=len(flat))))
    places: Ints = hits[np.searchsorted(hits, first)]
    return places, best


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
