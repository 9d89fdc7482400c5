"""Scores of constituents by number of children and by label, and the confusion of labels."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from whorl.evaluation.errors import KINDS, Attachment, ErrorKind, attachments, error_kinds
from whorl.evaluation.figures import f_measure, percent
from whorl.evaluation.flat import Flat
from whorl.evaluation.rules import Rules, trimmed
from whorl.evaluation.sentence import SentenceTrees, align, flatten_pair
from whorl.trees import Tree

__all__ = ["Breakdown", "Confusion", "Tally", "break_down"]


@dataclass
class Tally:
    """The score of one kind of constituent.

    Of the `gold` constituents of the kind, `found` match a predicted one of any kind; of the
    `predicted` ones of the kind, `correct` match a gold one of any kind.
    """

    gold: int = 0
    found: int = 0
    predicted: int = 0
    correct: int = 0

    @property
    def recall(self) -> float:
        """Matched constituents in percent of gold ones."""
        return percent(self.found, self.gold)

    @property
    def precision(self) -> float:
        """Matched constituents in percent of predicted ones."""
        return percent(self.correct, self.predicted)

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision, 0 if both are 0."""
        return f_measure(self.recall, self.precision)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and figures as JSON values."""
        return {**vars(self), "recall": self.recall, "precision": self.precision, "f1": self.f1}


@dataclass
class Confusion:
    """The constituents that match nothing.

    `labels` counts pairs of a gold and a predicted label over the same span, paired parents first.
    `missed` counts the labels of the remaining gold constituents, `spurious` of the predicted ones.
    """

    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    spurious: Counter[str] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as JSON values, most frequent first."""
        return {
            "labels": [
                {"gold": a, "predicted": b, "count": n} for (a, b), n in ranked(self.labels)
            ],
            "missed": dict(ranked(self.missed)),
            "spurious": dict(ranked(self.spurious)),
        }


@dataclass
class Breakdown:
    """Counts over the constituents of valid sentences."""

    by_children: dict[int, Tally] = field(default_factory=dict)
    alike: dict[int, Tally] = field(default_factory=dict)
    """By children too, but matching only constituents with equally many children."""
    by_label: dict[str, Tally] = field(default_factory=dict)
    confusion: Confusion = field(default_factory=Confusion)
    errors: dict[str, ErrorKind] = field(default_factory=dict)
    attachments: dict[str, Attachment] = field(default_factory=dict)

    def count(self, phrase: Tree, *, gold: bool, matched: bool, alike: bool) -> None:
        """Count one constituent of the gold or the predicted side."""
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
        """Order by number of children, by falling frequency of labels, and by kind of error."""
        self.errors = {kind: self.errors[kind] for kind in KINDS if kind in self.errors}
        self.attachments = dict(
            sorted(self.attachments.items(), key=lambda item: (-item[1].total, item[0]))
        )
        self.by_children = dict(sorted(self.by_children.items()))
        self.alike = dict(sorted(self.alike.items()))
        self.by_label = dict(
            sorted(self.by_label.items(), key=lambda item: (-item[1].gold, item[0]))
        )


def ranked(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """Order by falling frequency, then alphabetically."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def break_down(pairs: Iterable[tuple[SentenceTrees, SentenceTrees]], rules: Rules) -> Breakdown:
    """Count the constituents of sentences that can be compared."""
    breakdown = Breakdown()
    for gold, predicted in pairs:
        _add(breakdown, gold, predicted, rules)
    breakdown.sort()
    return breakdown


def _add(breakdown: Breakdown, gold: SentenceTrees, predicted: SentenceTrees, rules: Rules) -> None:
    ours, theirs, _ = flatten_pair(gold, predicted, rules)
    matches = align(ours.brackets, theirs.brackets, rules)
    taken = set(matches)
    error_kinds(ours, theirs, matches, breakdown.errors)
    attachments(ours, theirs, matches, breakdown.attachments, rules)
    alike = _align_alike(ours, theirs, rules)
    taken_alike = set(alike)
    unmatched: dict[tuple[int, int], deque[Tree]] = {}
    for j, (phrase, (left, right, _)) in enumerate(
        zip(theirs.phrases, theirs.brackets, strict=True)
    ):
        breakdown.count(phrase, gold=False, matched=j in taken, alike=j in taken_alike)
        if j not in taken:
            unmatched.setdefault((left, right), deque()).append(phrase)
    confusion = breakdown.confusion
    for phrase, (left, right, _), match, same in zip(
        ours.phrases, ours.brackets, matches, alike, strict=True
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


def _align_alike(gold: Flat, predicted: Flat, rules: Rules) -> list[int | None]:
    """Align constituents only with those of equally many children."""
    matches: list[int | None] = [None] * len(gold.brackets)
    ours, theirs = _by_arity(gold), _by_arity(predicted)
    for arity in ours.keys() & theirs.keys():
        pairs = align(
            [gold.brackets[i] for i in ours[arity]],
            [predicted.brackets[j] for j in theirs[arity]],
            rules,
        )
        for i, match in zip(ours[arity], pairs, strict=True):
            matches[i] = None if match is None else theirs[arity][match]
    return matches


def _by_arity(flat: Flat) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, phrase in enumerate(flat.phrases):
        places.setdefault(len(phrase.children), []).append(place)
    return places
