"""What the steps of a parse say about each phrase that they built."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from whorl.trees import Leaf, Tree

__all__ = ["WINDOW", "Evidence", "gather_evidence"]

WINDOW = 128
"""The largest arity considered when parsing. The widest phrase in thirteen treebanks has 89."""

_SMALLEST = 1e-300  # probabilities below are taken for this one, whose logarithm is finite


class Evidence(NamedTuple):
    """Log-probabilities of the steps around one phrase, and its size."""

    step: float
    """Of the reduce that built the phrase."""
    weakest: float
    """Of the least probable step after the shift of its first word, up to that reduce."""
    rest: float
    """Of all other steps of the sentence together."""
    words: int
    children: int
    survival: float
    """Of taking no step that would have ruled the phrase out; `step` where arities are unknown."""


def gather_evidence(
    tree: Tree, steps: Sequence[float], arities: Sequence[float] | None = None
) -> list[Evidence | None]:
    """Return the evidence for each of `tree.phrases()`; None for a root that no step built.

    `steps` has the log-probability of each step. `arities` has, for each step one after the other,
    numbers proportional to the probabilities of SHIFT (or FINISH) and of reducing 1, 2, … items
    under any label, up to the whole stack or `WINDOW`.

    Exactly one sequence of transitions builds a tree: from left to right, each word is shifted and
    each phrase reduced right after its last child; FINISH comes last. So the walk below, which
    visits words and finished phrases in that order, counts steps and needs no transitions. For
    `(S (NP (PRP It)) (VP (VBZ works)))`:

        step  transition  parts after it, as first step and weakest step since
        0     SHIFT It    (0, -)
        1     REDUCE NP   (0, 1)             NP: step 1, weakest 1, rest 0 2 3 4 5
        2     SHIFT works (0, 1) (2, -)
        3     REDUCE VP   (0, 1) (2, 3)      VP: step 3, weakest 3, rest 0 1 2 4 5
        4     REDUCE S    (0, least of 1-4)  S: step 4, weakest least of 1-4, rest 0 5
        5     FINISH

    The shift of a first word belongs to no phrase, since it says nothing about what the word
    begins; the shifts of later words do. Under a root that was put above the tree, the walk reaches
    FINISH before the root.
    """
    evidence: list[Evidence | None] = []
    survivors = None if arities is None else _Survivors(arities)
    sums = list(accumulate(steps, initial=0.0))
    # Of each node whose parent is unfinished: its first step, and the weakest step since.
    parts: list[tuple[int, float]] = []
    pending: list[Tree | Leaf | tuple[Tree, int]] = [tree]  # a pair is a phrase to be finished
    step = 0
    while pending:
        node = pending.pop()
        if type(node) is Tree:
            pending.append((node, len(evidence)))
            pending.extend(node.children[::-1])
            evidence.append(None)
        elif type(node) is tuple:
            if step == len(steps) - 1:
                break
            phrase, index = node
            children = parts[-len(phrase.children) :]
            del parts[-len(phrase.children) :]
            first = children[0][0]
            weakest = min(
                steps[step],
                *(weakest for _, weakest in children),
                *(steps[shift] for shift, _ in children[1:]),
            )
            rest = min(sums[-1] - (sums[step + 1] - sums[first + 1]), 0.0)
            survival = steps[step]
            if survivors is not None:
                survival = survivors.reduce(len(phrase.children), steps[step])
            words = phrase.right - phrase.left
            evidence[index] = Evidence(
                steps[step], weakest, rest, words, len(phrase.children), survival
            )
            parts.append((first, weakest))
            step += 1
        else:
            if survivors is not None:
                survivors.shift()
            parts.append((step, 0.0))
            step += 1
    return evidence


class _Survivors:
    """How probable it is that phrases to come have not been ruled out.

    A phrase over `[left, right)` begins with the stack item whose left edge is `left`. A step rules
    it out in two ways. It reduces that item together with items below it before the phrase is
    built; or it shifts once `right` has been reached. Every other step leaves the phrase possible,
    whatever else it builds. So two products follow each item of the stack: of the probabilities
    that steps since its first word did not reach below it, and of the probabilities, given that,
    that steps since the last SHIFT were not another SHIFT.
    """

    def __init__(self, arities: Sequence[float]) -> None:
        self._arities = list(arities)
        self._next = 0  # place of the next step's arities
        self._kept: list[float] = []
        self._stayed: list[float] = []

    def shift(self) -> None:
        """Take a SHIFT: phrases that end before the new word are complete, or never will be."""
        totals = self._next_totals()
        # The item on top is reached by arity 1, that at the bottom by the largest.
        self._kept = list(map(mul, self._kept, totals[:0:-1]))
        self._kept.append(1.0)
        self._stayed = [1.0] * len(self._kept)

    def reduce(self, arity: int, step: float) -> float:
        """Take a reduce of this log-probability; return the survival of the phrase it builds."""
        totals = self._next_totals()
        first = len(self._kept) - arity
        shifting = totals[0]
        # Reduces of fewer items lie within the phrase.
        ruling = 1 - (totals[arity - 1] - shifting)
        before = max(self._kept[first] * self._stayed[first], _SMALLEST)
        survival = math.log(before) + step - math.log(max(ruling, _SMALLEST))
        reaching = totals[: arity - 1 : -1]  # the totals up to each item that remains, bottom first
        del self._kept[first + 1 :], self._stayed[first + 1 :]
        self._kept = list(map(mul, self._kept, reaching))
        self._stayed = [
            stayed * (1 - shifting / total)
            for stayed, total in zip(self._stayed, reaching, strict=True)
        ]
        return min(survival, 0.0)

    def _next_totals(self) -> list[float]:
        """Return for each arity the probability of it or a smaller one, SHIFT included."""
        start, depth = self._next, len(self._kept)
        self._next += min(depth, WINDOW) + 1
        totals = list(accumulate(self._arities[start : self._next]))
        whole = totals[-1] or 1.0
        totals = [total / whole or _SMALLEST for total in totals]
        if depth > WINDOW:
            totals += totals[-1:] * (depth - WINDOW)
        return totals
