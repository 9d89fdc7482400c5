"""Greedy decoding of one sentence: as in a batch, without the overhead of arrays of states."""

from __future__ import annotations

import math

import numpy as np

from whorl.span.candidates import REDUCE, SHIFT_OR_FINISH, WORD
from whorl.span.decoding.derivation import Derivation
from whorl.span.numpy_scorer import NumpyScorer, unbiased_scores
from whorl.span.samples import Step
from whorl.span.scores import Floats, check_finite

__all__ = ["decode_one"]


def decode_one(
    scorer: NumpyScorer,
    length: int,
    fencepost: int,
    *,
    max_unary: int,
    window: int,
    arities: bool = False,
) -> Derivation:
    """Decode the sentence of this length whose first fencepost is the given row."""
    w = scorer.weights
    arity_rows = np.minimum(np.arange(window + 1), w.arities - 1)
    kinds = np.full(window + 1, REDUCE)
    kinds[0] = SHIFT_OR_FINISH
    legal_bias = w.legal_bias[kinds]  # (candidates, 1 + labels)
    outputs = legal_bias.shape[1]
    lefts = np.full(length + 1, fencepost)  # of the stack, which grows to the right
    labels = np.full(length + 1, WORD)
    depth = buffer = 1
    chain = top_label = 0
    steps: list[Step] = []
    logs: list[float] = []
    shares: list[Floats] = []  # of each step: exponentials of all scores
    while True:
        count = min(depth, window) + 1
        rows = np.empty(count, dtype=np.int64)  # the lowest item of each candidate, in the stack
        rows[1:] = np.arange(depth - 1, depth - count, -1)
        rows[0] = depth - 1
        pairs = labels.take(rows)
        pairs *= w.arities
        pairs += arity_rows[:count]
        hidden = scorer.left.take(lefts.take(rows), axis=0)  # (candidates, hidden)
        hidden += w.item_arity.take(pairs, axis=0)
        state = w.top_chain[top_label * w.chains + min(chain, max_unary)]
        hidden += scorer.right[fencepost + buffer] + state
        scores = unbiased_scores(hidden, np.float32(0), w.out)
        scores += legal_bias[:count]
        if buffer == length and (depth > 1 or top_label == WORD):
            scores[0] = -np.inf
        if chain >= max_unary:
            scores[1] = -np.inf
        place = int(scores.argmax())
        best = float(scores.flat[place])
        check_finite(best)
        scores -= best
        logs.append(-math.log(float(np.exp(scores, out=scores).sum())))
        arity, label = divmod(place, outputs)
        steps.append((arity, label))
        if arities:
            shares.append(scores)
        if arity == 0 and buffer == length:
            return Derivation.after_initial_shift(steps, logs, _arities(shares))
        depth -= arity
        if arity == 0:
            lefts[depth] = fencepost + buffer
            buffer += 1
        labels[depth] = top_label = label
        chain = chain + 1 if arity == 1 else 0
        depth += 1


def _arities(shares: list[Floats]) -> Floats | None:
    """Sum the exponentials of scores over the outputs of each arity, at all steps."""
    if not shares:
        return None
    sums: Floats = np.concatenate(shares).sum(axis=1)
    return sums
