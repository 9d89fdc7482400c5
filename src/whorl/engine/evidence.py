"""What the steps of a parse say about each phrase that they built."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from whorl.trees import Leaf, Tree

__all__ = ["Evidence", "gather_evidence"]


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


def gather_evidence(tree: Tree, steps: Sequence[float]) -> list[Evidence | None]:
    """Return the evidence for each of `tree.phrases()`; None for a root that no step built.

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
            evidence[index] = Evidence(
                steps[step], weakest, rest, phrase.right - phrase.left, len(phrase.children)
            )
            parts.append((first, weakest))
            step += 1
        else:
            parts.append((step, 0.0))
            step += 1
    return evidence
