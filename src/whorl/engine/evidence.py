"""What the steps of a parse say about each phrase that they built."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from whorl.trees import Leaf, Tree

__all__ = ["Evidence", "gather"]


class Evidence(NamedTuple):
    """About one phrase: log-probabilities of steps, and its size."""

    step: float
    """Of the reduce that built it."""
    weakest: float
    """Of the least probable step from its first word to that reduce."""
    rest: float
    """Of all other steps of the sentence together."""
    words: int
    children: int


def gather(tree: Tree, steps: Sequence[float]) -> list[Evidence | None]:
    """The evidence for each of `tree.phrases()`; None for a root that was put above the tree, which no step built.

    A tree is built by one sequence of transitions and no other: from left to right, each word is
    shifted, each phrase reduced after its last child, and FINISH comes last. So steps need no
    names.
    """
    found: list[Evidence | None] = []
    sums = list(accumulate(steps, initial=0.0))
    parts: list[
        tuple[int, float]
    ] = []  # of each node whose parent is open: its first step, and its weakest after that
    pending: list[Tree | Leaf | tuple[Tree, int]] = [tree]
    at = 0
    while pending:
        node = pending.pop()
        if type(node) is Tree:
            pending.append((node, len(found)))
            pending.extend(node.children[::-1])
            found.append(None)
        elif type(node) is tuple:
            if at == len(steps) - 1:
                break
            phrase, place = node
            children = parts[-len(phrase.children) :]
            del parts[-len(phrase.children) :]
            first = children[0][0]
            weakest = min(
                steps[at],
                *(part for _, part in children),
                *(steps[shift] for shift, _ in children[1:]),
            )
            rest = min(sums[-1] - (sums[at + 1] - sums[first + 1]), 0.0)
            found[place] = Evidence(
                steps[at], weakest, rest, phrase.right - phrase.left, len(phrase.children)
            )
            parts.append((first, weakest))
            at += 1
        else:
            parts.append((at, 0.0))
            at += 1
    return found
