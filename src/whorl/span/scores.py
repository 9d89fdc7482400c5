"""From scores to choices: what is legal, how probable it is, and what is best, for many states at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.span.candidates import BLOCKED, PLAIN, Candidates, Ints

__all__ = [
    "ArrayScorer",
    "Best",
    "Floats",
    "best_of",
    "first_best",
    "log_probabilities",
    "masked",
    "normaliser",
]

Floats = npt.NDArray[np.float32]


class Best(NamedTuple):
    """Of each state the best candidate, by its row, its output, and their log-probability."""

    row: Ints  # (states,)
    output: Ints  # (states,)
    log: Floats  # (states,)


class ArrayScorer(ABC):
    """A network with the sentences of a batch read, whose scores are arrays."""

    @abstractmethod
    def scores(self, candidates: Candidates) -> Floats:
        """The scores of all outputs for each candidate: (candidates, 1 + labels); 0 is SHIFT or FINISH."""

    def best(self, candidates: Candidates) -> Best:
        """The best of all that is legal in each state."""
        return best_of(masked(self.scores(candidates), candidates), candidates)


def best_of(scores: Floats, candidates: Candidates) -> Best:
    """The best of each state, from scores that were masked, which are used up."""
    width = scores.shape[1]
    flat = scores.ravel()  # the outputs of a state's candidates, one after another
    starts = candidates.starts * width
    scores -= np.maximum.reduceat(flat, starts)[candidates.state][:, None]
    hits = np.flatnonzero(flat == 0)
    place = hits[np.searchsorted(hits, starts)]
    np.exp(flat, out=flat)
    return Best(place // width, place % width, -np.log(np.add.reduceat(flat, starts)))


def masked(scores: Floats, candidates: Candidates) -> Floats:
    """Make what is not legal impossible, in place."""
    scores[candidates.allowed != PLAIN, 0] = -np.inf
    scores[candidates.starts, 1:] = -np.inf
    blocked = candidates.allowed == BLOCKED
    if blocked.any():
        scores[blocked] = -np.inf
    return scores


def normaliser(scores: Floats, candidates: Candidates) -> Floats:
    """Of each state the log of the sum of its candidates' exponentials, from scores that were masked."""
    tops = np.maximum.reduceat(scores.max(axis=1), candidates.starts)
    sums = np.add.reduceat(
        np.exp(scores - tops[candidates.state][:, None]).sum(axis=1), candidates.starts
    )
    found: Floats = np.log(sums) + tops
    return found


def log_probabilities(scores: Floats, candidates: Candidates) -> Floats:
    """The log-probabilities of all outputs of all candidates, from scores that were masked."""
    return scores - normaliser(scores, candidates)[candidates.state][:, None]


def first_best(values: Floats, candidates: Candidates) -> Ints:
    """Of each state the first row with the highest of these values, (candidates,)."""
    best = np.maximum.reduceat(values, candidates.starts)
    hits = np.flatnonzero(values == best[candidates.state])
    found: Ints = hits[np.searchsorted(hits, candidates.starts)]
    return found
