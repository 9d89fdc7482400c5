"""Scores of constituents by number of children and by label, and which labels are taken for which."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from whorl.evaluation.flat import Flat
from whorl.evaluation.rules import Rules, trimmed
from whorl.evaluation.sentence import SentenceTrees, aligned, compared
from whorl.evaluation.totals import f_measure, percent
from whorl.trees import Tree

__all__ = ["Breakdown", "Confusion", "Tally", "break_down"]


@dataclass
class Tally:
    """The score of one kind of constituent.

    Of `gold` constituents of the kind, `found` are matched by a predicted one, of whatever kind; of `predicted`
    constituents of the kind, `correct` are matched by a gold one, of whatever kind.
    """

    gold: int = 0
    found: int = 0
    predicted: int = 0
    correct: int = 0

    @property
    def recall(self) -> float:
        """Found constituents in 100 gold ones."""
        return percent(self.found, self.gold)

    @property
    def precision(self) -> float:
        """Correct constituents in 100 predicted ones."""
        return percent(self.correct, self.predicted)

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision; 0 where both are."""
        return f_measure(self.recall, self.precision)

    def to_dict(self) -> dict[str, Any]:
        """The counts and the figures as JSON values."""
        return {**vars(self), "recall": self.recall, "precision": self.precision, "f1": self.f1}


@dataclass
class Confusion:
    """What became of the constituents that match nothing.

    `labels` counts `(gold, predicted)` labels over the same span, which pair up parents first; `missed` the
    labels of gold constituents that are left over, `spurious` those of predicted ones.
    """

    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    spurious: Counter[str] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, Any]:
        """The counts as JSON values, the most frequent first."""
        return {
            "labels": [
                {"gold": a, "predicted": b, "count": n} for (a, b), n in ranked(self.labels)
            ],
            "missed": dict(ranked(self.missed)),
            "spurious": dict(ranked(self.spurious)),
        }


@dataclass
class Breakdown:
    """All that is counted of constituents one by one, over valid sentences."""

    by_children: dict[int, Tally] = field(default_factory=dict)
    alike: dict[int, Tally] = field(default_factory=dict)
    """By children too, but matched only with constituents of as many children."""
    by_label: dict[str, Tally] = field(default_factory=dict)
    confusion: Confusion = field(default_factory=Confusion)

    def count(self, phrase: Tree, *, gold: bool, matched: bool, alike: bool) -> None:
        """Count one constituent, of the gold or of the predicted side."""
        arity = len(phrase.children)
        for tally, match in (
            (self.by_children.setdefault(arity, Tally()), matched),
            (self.alike.setdefault(arity, Tally()), alike),
            (self.by_label.setdefault(trimmed(phrase.label), Tally()), matched),
        ):
            if gold:
                tally.gold += 1
                tally.found += match
            else:
                tally.predicted += 1
                tally.correct += match

    def sort(self) -> None:
        """Put few children before many, and frequent labels before rare ones."""
        self.by_children = dict(sorted(self.by_children.items()))
        self.alike = dict(sorted(self.alike.items()))
        self.by_label = dict(
            sorted(self.by_label.items(), key=lambda item: (-item[1].gold, item[0]))
        )


def ranked(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """The most frequent first, and in alphabetical order where equally frequent."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def break_down(pairs: Iterable[tuple[SentenceTrees, SentenceTrees]], rules: Rules) -> Breakdown:
    """Go through the constituents of sentences that can be compared."""
    breakdown = Breakdown()
    for gold, predicted in pairs:
        _add(breakdown, gold, predicted, rules)
    breakdown.sort()
    return breakdown


def _add(breakdown: Breakdown, gold: SentenceTrees, predicted: SentenceTrees, rules: Rules) -> None:
    ours, theirs, _ = compared(gold, predicted, rules)
    matches = aligned(ours.brackets, theirs.brackets, rules)
    taken = set(matches)
    like = _alike(ours, theirs, rules)
    liked = set(like)
    unmatched: dict[tuple[int, int], deque[Tree]] = {}
    for j, (phrase, (left, right, _)) in enumerate(
        zip(theirs.phrases, theirs.brackets, strict=True)
    ):
        breakdown.count(phrase, gold=False, matched=j in taken, alike=j in liked)
        if j not in taken:
            unmatched.setdefault((left, right), deque()).append(phrase)
    confusion = breakdown.confusion
    for phrase, (left, right, _), match, same in zip(
        ours.phrases, ours.brackets, matches, like, strict=True
    ):
        breakdown.count(phrase, gold=True, matched=match is not None, alike=same is not None)
        if match is None:
            others = unmatched.get((left, right))
            if others:
                confusion.labels[trimmed(phrase.label), trimmed(others.popleft().label)] += 1
            else:
                confusion.missed[trimmed(phrase.label)] += 1
    for phrases in unmatched.values():
        confusion.spurious.update(trimmed(phrase.label) for phrase in phrases)


def _alike(gold: Flat, predicted: Flat, rules: Rules) -> list[int | None]:
    """What `aligned` gives where constituents match only those of as many children."""
    matches: list[int | None] = [None] * len(gold.brackets)
    ours, theirs = _by_arity(gold), _by_arity(predicted)
    for arity in ours.keys() & theirs.keys():
        found = aligned(
            [gold.brackets[i] for i in ours[arity]],
            [predicted.brackets[j] for j in theirs[arity]],
            rules,
        )
        for i, match in zip(ours[arity], found, strict=True):
            matches[i] = None if match is None else theirs[arity][match]
    return matches


def _by_arity(flat: Flat) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, phrase in enumerate(flat.phrases):
        places.setdefault(len(phrase.children), []).append(place)
    return places
