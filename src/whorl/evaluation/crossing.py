"""Crossing brackets, found in linear time."""

from __future__ import annotations

from collections.abc import Sequence

from whorl.evaluation.flat import Bracket

__all__ = ["count_crossing", "find_crossing"]


def count_crossing(gold: Sequence[Bracket], predicted: Sequence[Bracket], words: int) -> int:
    """Count the predicted brackets that cross a gold bracket.

    Both sides must be trees: no bracket crosses another of its own side, and `gold` lists parents
    first.
    """
    spans = {bracket[:2] for bracket in gold}
    suspects = [bracket for bracket in predicted if bracket[:2] not in spans]
    return sum(find_crossing(gold, suspects, words)) if suspects else 0


def find_crossing(
    brackets: Sequence[Bracket], suspects: Sequence[Bracket], words: int
) -> list[bool]:
    """Tell for each suspect whether it crosses a bracket; brackets are a tree, parents first.

    A bracket that crosses another begins or ends strictly inside it. Of the brackets strictly
    around a fencepost, the innermost reaches least far, so it is the only one to check.
    """
    lefts, rights = _innermost(brackets, words)
    return [rights[left] < right or lefts[right] > left for left, right, _ in suspects]


def _innermost(gold: Sequence[Bracket], words: int) -> tuple[list[int], list[int]]:
    """Return the ends of the innermost bracket strictly around each fencepost.

    Where there is none, they are -1 and `words + 1`.
    """
    lefts = [-1] * (words + 1)
    rights = [words + 1] * (words + 1)
    around: list[Bracket] = []
    following = iter(gold)
    bracket = next(following, None)
    for post in range(1, words):
        while bracket is not None and bracket[0] < post:
            around.append(bracket)
            bracket = next(following, None)
        while around and around[-1][1] <= post:
            around.pop()
        if around:
            lefts[post], rights[post], _ = around[-1]
    return lefts, rights
