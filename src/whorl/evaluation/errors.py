"""Kinds of errors, and where phrases are attached, after Kummerfeld, Hall, Curran, Klein (2012).

Their classes follow from the moves that repair a tree. Here each constituent is judged as it is, so
the counts add up to EVALB's and do not depend on an order of repairs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from whorl.evaluation.crossing import find_crossing
from whorl.evaluation.figures import percent
from whorl.evaluation.flat import Bracket, Flat
from whorl.evaluation.rules import Rules, trimmed
from whorl.trees import Leaf, Tree

__all__ = ["KINDS", "Attachment", "ErrorKind", "attachments", "error_kinds"]

KINDS = ("label", "unary", "coordination", "crossing", "level")
"""The kinds of errors; a constituent has the first that fits.

| kind | a constituent that matches nothing, and |
| --- | --- |
| label | is paired with one of another label over the same words |
| unary | covers the same words as some constituent of the other tree |
| coordination | has a conjunction among its children |
| crossing | crosses a constituent of the other tree |
| level | fits into the other tree, which lacks it |
"""

_CONJUNCTIONS = frozenset({"CC", "CONJP"})


@dataclass
class ErrorKind:
    """How many gold constituents of a kind of error were missed, and predicted ones are wrong."""

    missed: int = 0
    spurious: int = 0


@dataclass
class Attachment:
    """Where the constituents of a label are attached that both trees have.

    Counted are those that follow a word or phrase within their parent, in both trees. Their place
    is the first word of the parent, and its label.
    """

    right: int = 0
    higher: int = 0
    """The predicted parent begins earlier than the gold parent."""
    lower: int = 0
    """It begins later."""
    beside: int = 0
    """It begins at the same word, under another label."""

    @property
    def total(self) -> int:
        """The number of constituents counted."""
        return self.right + self.higher + self.lower + self.beside

    @property
    def accuracy(self) -> float:
        """Those attached at the right place, in percent."""
        return percent(self.right, self.total)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the accuracy as JSON values."""
        return {**vars(self), "total": self.total, "accuracy": self.accuracy}


def error_kinds(
    gold: Flat, predicted: Flat, matches: Sequence[int | None], kinds: dict[str, ErrorKind]
) -> None:
    """Add a sentence's errors to the counts by kind; `matches` is that of `align`."""
    taken = {match for match in matches if match is not None}
    missed = [i for i, match in enumerate(matches) if match is None]
    spurious = [j for j in range(len(predicted.brackets)) if j not in taken]
    confused = _pair_spans(
        [gold.brackets[i] for i in missed], [predicted.brackets[j] for j in spurious]
    )
    for kind in _kinds(gold, missed, confused[0], predicted.brackets):
        kinds.setdefault(kind, ErrorKind()).missed += 1
    for kind in _kinds(predicted, spurious, confused[1], gold.brackets):
        kinds.setdefault(kind, ErrorKind()).spurious += 1


def attachments(
    gold: Flat,
    predicted: Flat,
    matches: Sequence[int | None],
    by_label: dict[str, Attachment],
    rules: Rules,
) -> None:
    """Add the attachments of a sentence's matched constituents to the counts by gold label."""
    ours, theirs = _parents(gold.brackets), _parents(predicted.brackets)
    for i, j in enumerate(matches):
        if j is None or (one := ours[i]) is None or (other := theirs[j]) is None:
            continue
        left = gold.brackets[i][0]
        (gold_left, _, gold_key), (other_left, _, other_key) = (
            gold.brackets[one],
            predicted.brackets[other],
        )
        if left in (gold_left, other_left):
            continue
        place = by_label.setdefault(trimmed(gold.phrases[i].label), Attachment())
        if other_left != gold_left:
            place.higher += other_left < gold_left
            place.lower += other_left > gold_left
        elif other_key in rules.equals(gold_key):
            place.right += 1
        else:
            place.beside += 1


def _pair_spans(gold: Sequence[Bracket], predicted: Sequence[Bracket]) -> tuple[set[int], set[int]]:
    """Pair brackets over the same words, parents first; return the places of the paired ones."""
    free: dict[tuple[int, int], deque[int]] = {}
    for place, (left, right, _) in enumerate(predicted):
        free.setdefault((left, right), deque()).append(place)
    ours, theirs = set(), set()
    for place, (left, right, _) in enumerate(gold):
        if others := free.get((left, right)):
            ours.add(place)
            theirs.add(others.popleft())
    return ours, theirs


def _kinds(
    flat: Flat, wrong: Sequence[int], confused: set[int], others: Sequence[Bracket]
) -> Iterator[str]:
    """Yield the kind of each wrong bracket; the places of paired ones are in `confused`."""
    if not wrong:
        return
    spans = {bracket[:2] for bracket in others}
    brackets = [flat.brackets[index] for index in wrong]
    crossing = find_crossing(others, brackets, len(flat.words))
    for place, index in enumerate(wrong):
        if place in confused:
            yield "label"
        elif brackets[place][:2] in spans:
            yield "unary"
        elif _has_conjunction(flat.phrases[index]):
            yield "coordination"
        else:
            yield "crossing" if crossing[place] else "level"


def _has_conjunction(phrase: Tree) -> bool:
    return any(
        (child.tag if isinstance(child, Leaf) else trimmed(child.label)) in _CONJUNCTIONS
        for child in phrase.children
    )


def _parents(brackets: Sequence[Bracket]) -> list[int | None]:
    """Return the index of each bracket's parent, None for the outermost; parents come first."""
    parents: list[int | None] = []
    open_brackets: list[int] = []
    for index, (left, _, _) in enumerate(brackets):
        while open_brackets and brackets[open_brackets[-1]][1] <= left:
            open_brackets.pop()
        parents.append(open_brackets[-1] if open_brackets else None)
        open_brackets.append(index)
    return parents
