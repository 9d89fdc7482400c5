"""Greedy decoding of one sentence by itself: what `decode_greedy` does for many, without the cost of arrays."""

from __future__ import annotations

import math

import numpy as np

from whorl.span.candidates import PLAIN, REDUCE, WORD
from whorl.span.numpy_scorer import SpanScorer, scaled
from whorl.span.samples import Step

__all__ = ["decode_alone"]


def decode_alone(
    scorer: SpanScorer, length: int, fencepost: int, *, max_unary: int, window: int
) -> tuple[list[Step], list[float]]:
    """The best steps from the state in which the first word has been shifted, and the log-probability of each."""
    w = scorer.weights
    arities = np.minimum(np.arange(window + 1), w.arities - 1)
    kinds = np.full(window + 1, REDUCE)
    kinds[0] = PLAIN
    legal = w.legal[kinds]  # (candidates, 1 + labels)
    width = legal.shape[1]
    lefts = np.full(length + 1, fencepost)  # the stack, which grows to the right
    labels = np.full(length + 1, WORD)
    depth = buffer = 1
    chain = top = 0
    steps: list[Step] = []
    logs: list[float] = []
    while True:
        count = min(depth, window) + 1
        rows = np.empty(count, dtype=np.int64)
        rows[1:] = np.arange(depth - 1, depth - count, -1)
        rows[0] = depth - 1
        items = labels.take(rows)
        items *= w.arities
        items += arities[:count]
        hidden = scorer.left.take(lefts.take(rows), axis=0)  # (candidates, hidden)
        hidden += w.taken.take(items, axis=0)
        hidden += (
            scorer.right[fencepost + buffer] + w.standing[top * w.chains + min(chain, max_unary)]
        )
        scores = scaled(hidden, np.float32(0), w.out)
        scores += legal[:count]
        if buffer == length and (depth > 1 or top == WORD):
            scores[0] = -np.inf
        if chain >= max_unary:
            scores[1] = -np.inf
        place = int(scores.argmax())
        scores -= scores.flat[place]
        logs.append(-math.log(float(np.exp(scores, out=scores).sum())))
        taken, label = divmod(place, width)
        steps.append((taken, label))
        if taken == 0 and buffer == length:
            return steps, logs
        depth -= taken
        if taken == 0:
            lefts[depth] = fencepost + buffer
            buffer += 1
        labels[depth] = top = label
        chain = chain + 1 if taken == 1 else 0
        depth += 1
