"""The scores of transitions in NumPy: table lookups, sums, and one small matrix product.

The numbers are those of `whorl.span.network`, computed in an order chosen for speed. The norm is
one factor per candidate and has no weights, so it can follow the matrix product. The rows of every
pair of item label and arity, and of every pair of top label and chain length, are summed once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from whorl.span.candidates import REDUCE, SHIFT_OR_FINISH, Candidates
from whorl.span.scores import Decisions, Floats, Scorer, decide

__all__ = ["NumpyScorer", "ScorerWeights", "unbiased_scores"]

_EPSILON = 1e-6


class ScorerWeights:
    """The weights of a trained network that scoring needs, whatever the sentence."""

    NAMES = ("top.weight", "item.weight", "arity.weight", "chain.weight", "out.weight", "out.bias")

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        top, item, arity, chain, out, self.bias = (
            np.asarray(weights[name], dtype=np.float32) for name in self.NAMES
        )
        self.arities = len(arity)
        self.chains = len(chain)
        self.item_arity = _pair_sums(item, arity)  # (labels * arities, hidden)
        self.top_chain = _pair_sums(top, chain)  # (labels * chains, hidden)
        self.out = np.ascontiguousarray(out.T)  # (hidden, 1 + labels)
        # By kind of candidate: the bias of a legal output, minus infinity for an illegal one.
        self.legal_bias = np.full((3, len(out)), -np.inf, dtype=np.float32)
        self.legal_bias[SHIFT_OR_FINISH, 0] = self.bias[0]
        self.legal_bias[REDUCE, 1:] = self.bias[1:]


class NumpyScorer(Scorer):
    """Weights, and the tables of one batch: a row per fencepost, as left and as right edge."""

    def __init__(self, weights: ScorerWeights, left: Floats, right: Floats) -> None:
        self.weights = weights
        self.left = left
        self.right = right
        self._capacity = 0

    def scores(self, candidates: Candidates) -> Floats:
        """See `Scorer`."""
        scores = self._unbiased(candidates)
        scores += self.weights.bias
        return scores

    def best(self, candidates: Candidates, *, arities: bool = False) -> Decisions:
        """See `Scorer`."""
        if candidates.restriction is not None:
            return super().best(candidates, arities=arities)
        scores = self._unbiased(candidates)
        scores += self.weights.legal_bias.take(candidates.kind, axis=0)
        return decide(scores, candidates, arities=arities)

    def _unbiased(self, candidates: Candidates) -> Floats:
        c, w = candidates, self.weights
        states = self.right.take(c.right, axis=0)  # (states, hidden)
        states += w.top_chain.take(c.top_label * w.chains + c.chain, axis=0)
        hidden, added, zeros = self._buffers(len(c))  # (candidates, hidden) each
        # Only with mode="clip" does `take` write to `out` without a copy.
        self.left.take(c.left, axis=0, out=hidden, mode="clip")
        pairs = c.item_label * w.arities + np.minimum(c.arity, w.arities - 1)
        w.item_arity.take(pairs, axis=0, out=added, mode="clip")
        hidden += added
        states.take(c.state, axis=0, out=added, mode="clip")
        hidden += added
        return unbiased_scores(hidden, zeros, w.out)

    def _buffers(self, rows: int) -> list[Floats]:
        """Return three buffers of this many rows, reused at every step; the last holds zeros."""
        if rows > self._capacity:
            self._capacity = 2 * rows
            shape = (self._capacity, self.left.shape[1])
            empty = [np.empty(shape, np.float32) for _ in range(2)]
            self._allocated = [*empty, np.zeros(shape, np.float32)]
        return [buffer[:rows] for buffer in self._allocated]


def unbiased_scores(hidden: Floats, zeros: Floats | np.float32, out: Floats) -> Floats:
    """Score candidates from their hidden vectors, which are overwritten; the bias is left out."""
    scale = np.einsum("ch,ch->c", hidden, hidden)
    scale *= 1 / hidden.shape[1]
    scale += _EPSILON
    np.sqrt(scale, out=scale)
    np.maximum(hidden, zeros, out=hidden)  # an array of zeros is faster than a scalar
    scores: Floats = hidden @ out
    scores /= scale[:, None]
    return scores


def _pair_sums(some: Floats, others: Floats) -> Floats:
    """Return the sums of all pairs of rows: (some * others, hidden)."""
    sums: Floats = (some[:, None, :] + others[None, :, :]).reshape(-1, some.shape[1])
    return sums
