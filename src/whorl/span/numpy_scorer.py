"""The scores of the `span` network's transitions in NumPy: lookups, sums, and one small matrix.

The same numbers as `whorl.span.network` gives, arranged for speed. The norm is a factor for each
candidate and has no weights, so that it can be applied after the matrix; rows of item and arity are
added up for all pairs beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from whorl.span.candidates import PLAIN, REDUCE, Candidates
from whorl.span.scores import ArrayScorer, Best, Floats, best_of

__all__ = ["SpanScorer", "SpanWeights", "scaled"]

_EPSILON = 1e-6


class SpanWeights:
    """What scoring needs of a trained network, whatever the sentence."""

    NAMES = ("top.weight", "item.weight", "arity.weight", "chain.weight", "out.weight", "out.bias")

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        top, item, arity, chain, out, self.bias = (
            np.asarray(weights[name], dtype=np.float32) for name in self.NAMES
        )
        self.arities = len(arity)
        self.chains = len(chain)
        self.taken = (item[:, None, :] + arity[None, :, :]).reshape(
            -1, item.shape[1]
        )  # (items * arities, hidden)
        self.standing = (top[:, None, :] + chain[None, :, :]).reshape(
            -1, top.shape[1]
        )  # (tops * chains, hidden)
        self.out = np.ascontiguousarray(out.T)  # (hidden, 1 + labels)
        self.legal = np.full(
            (3, len(out)), -np.inf, dtype=np.float32
        )  # the bias where an output is legal
        self.legal[PLAIN, 0] = self.bias[0]
        self.legal[REDUCE, 1:] = self.bias[1:]


class SpanScorer(ArrayScorer):
    """The weights and one batch's tables: the rows of all fenceposts, as left and as right edges."""

    def __init__(self, weights: SpanWeights, left: Floats, right: Floats) -> None:
        self.weights = weights
        self.left = left
        self.right = right
        self._room = 0

    def scores(self, candidates: Candidates) -> Floats:
        """The scores of all outputs: (candidates, 1 + labels)."""
        scores = self._without_bias(candidates)
        scores += self.weights.bias
        return scores

    def best(self, candidates: Candidates) -> Best:
        """The best of all that is legal in each state."""
        scores = self._without_bias(candidates)
        scores += self.weights.legal.take(candidates.allowed, axis=0)
        return best_of(scores, candidates)

    def _without_bias(self, candidates: Candidates) -> Floats:
        c, w = candidates, self.weights
        states = self.right.take(c.right, axis=0)  # (states, hidden)
        states += w.standing.take(c.top * w.chains + c.chain, axis=0)
        hidden, added, zeros = self._scratch(len(c))  # (candidates, hidden) each
        self.left.take(
            c.left, axis=0, out=hidden, mode="clip"
        )  # which, unlike others, needs no copy
        w.taken.take(
            c.item * w.arities + np.minimum(c.taken, w.arities - 1), axis=0, out=added, mode="clip"
        )
        hidden += added
        states.take(c.state, axis=0, out=added, mode="clip")
        hidden += added
        return scaled(hidden, zeros, w.out)

    def _scratch(self, rows: int) -> list[Floats]:
        """Room for so many rows, used again at every step; the last part holds zeros."""
        if rows > self._room:
            self._room = 2 * rows
            width = self.left.shape[1]
            room = (self._room, width)
            self._held = [
                np.empty(room, np.float32),
                np.empty(room, np.float32),
                np.zeros(room, np.float32),
            ]
        return [held[:rows] for held in self._held]


def scaled(hidden: Floats, zeros: Floats | np.float32, out: Floats) -> Floats:
    """The scores of candidates without the bias, from their hidden vectors, which are used up."""
    scale = np.einsum("ch,ch->c", hidden, hidden)
    scale *= 1 / hidden.shape[1]
    scale += _EPSILON
    np.sqrt(scale, out=scale)
    np.maximum(hidden, zeros, out=hidden)  # many zeros are faster than one
    scores: Floats = hidden @ out
    scores /= scale[:, None]
    return scores
