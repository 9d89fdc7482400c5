"""The scores of the `span` network's transitions in NumPy: lookups, sums, and one small matrix.

The same numbers as `whorl.models.span` gives, arranged for speed. The norm is a factor for each candidate and has no
weights, so that it can be applied after the matrix; rows of item and arity are added up for all pairs beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from whorl.data.candidates import Candidates
from whorl.runtime.choices import ArrayScorer, Floats

__all__ = ["SpanScorer", "SpanWeights"]

_EPSILON = 1e-6


class SpanWeights:
    """What scoring needs of a trained network, whatever the sentence."""

    NAMES = ("top.weight", "item.weight", "arity.weight", "chain.weight", "out.weight", "out.bias")

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        top, item, arity, chain, out, self.bias = (np.asarray(weights[name], dtype=np.float32) for name in self.NAMES)
        self.arities = len(arity)
        self.chains = len(chain)
        self.taken = (item[:, None, :] + arity[None, :, :]).reshape(-1, item.shape[1])  # (items * arities, hidden)
        self.standing = (top[:, None, :] + chain[None, :, :]).reshape(-1, top.shape[1])  # (tops * chains, hidden)
        self.out = np.ascontiguousarray(out.T)  # (hidden, 1 + labels)


class SpanScorer(ArrayScorer):
    """The weights and one batch's tables: the rows of all fenceposts, as left and as right edges."""

    def __init__(self, weights: SpanWeights, left: Floats, right: Floats) -> None:
        self.weights = weights
        self.left = left
        self.right = right

    def scores(self, candidates: Candidates) -> Floats:
        """The scores of all outputs: (candidates, 1 + labels)."""
        c, w = candidates, self.weights
        states = self.right.take(c.right, axis=0)  # (states, hidden)
        states += w.standing.take(c.top * w.chains + c.chain, axis=0)
        hidden = self.left.take(c.left, axis=0)  # (candidates, hidden)
        hidden += w.taken.take(c.item * w.arities + np.minimum(c.taken, w.arities - 1), axis=0)
        hidden += states.take(c.state, axis=0)
        squares = np.einsum("ch,ch->c", hidden, hidden)
        np.maximum(hidden, 0, out=hidden)
        scores: Floats = hidden @ w.out
        scores *= (1 / np.sqrt(squares / hidden.shape[1] + _EPSILON))[:, None]
        scores += w.bias
        return scores
