"""Counts summed over sentences, and the figures that EVALB makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from whorl.evaluation.sentence import SentenceScore, Status

__all__ = ["Totals", "f_measure", "percent"]


def percent(part: int, whole: int) -> float:
    """How many in a hundred; 0 of nothing."""
    return 100.0 * part / whole if whole else 0.0


def f_measure(recall: float, precision: float) -> float:
    """The harmonic mean of recall and precision; 0 where both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Sums over sentences; all but the first three are over valid sentences alone.

    `no_crossing` and `two_or_less` count the sentences with no, and with at most two, crossing brackets.
    Figures are in percent, but for `crossing`, which is an average per sentence.
    """

    sentences: int = 0
    errors: int = 0
    skipped: int = 0
    matched: int = 0
    gold: int = 0
    predicted: int = 0
    exact_sentences: int = 0
    crossing_brackets: int = 0
    no_crossing_sentences: int = 0
    two_or_less_sentences: int = 0
    words: int = 0
    tags: int = 0

    @classmethod
    def of(cls, scores: Iterable[SentenceScore]) -> Totals:
        """Sum up the scores of some sentences."""
        every = list(scores)
        valid = [score for score in every if score.status is Status.VALID]
        return cls(
            sentences=len(every),
            errors=sum(score.status is Status.ERROR for score in every),
            skipped=sum(score.status is Status.SKIPPED for score in every),
            matched=sum(score.matched for score in valid),
            gold=sum(score.gold for score in valid),
            predicted=sum(score.predicted for score in valid),
            exact_sentences=sum(score.exact for score in valid),
            crossing_brackets=sum(score.crossing for score in valid),
            no_crossing_sentences=sum(score.crossing == 0 for score in valid),
            two_or_less_sentences=sum(score.crossing <= 2 for score in valid),
            words=sum(score.words for score in valid),
            tags=sum(score.tags for score in valid),
        )

    @property
    def valid(self) -> int:
        """How many sentences were scored."""
        return self.sentences - self.errors - self.skipped

    @property
    def recall(self) -> float:
        """Matched brackets in 100 gold ones."""
        return percent(self.matched, self.gold)

    @property
    def precision(self) -> float:
        """Matched brackets in 100 predicted ones."""
        return percent(self.matched, self.predicted)

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision; 0 where nothing matched."""
        return f_measure(self.recall, self.precision)

    @property
    def exact(self) -> float:
        """Sentences in 100 whose brackets are all right."""
        return percent(self.exact_sentences, self.valid)

    @property
    def crossing(self) -> float:
        """Crossing brackets in a sentence, on average."""
        return self.crossing_brackets / self.valid if self.valid else 0.0

    @property
    def no_crossing(self) -> float:
        """Sentences in 100 without a crossing bracket."""
        return percent(self.no_crossing_sentences, self.valid)

    @property
    def two_or_less(self) -> float:
        """Sentences in 100 with at most two crossing brackets."""
        return percent(self.two_or_less_sentences, self.valid)

    @property
    def tagging(self) -> float:
        """Correct tags in 100 words."""
        return percent(self.tags, self.words)

    def to_dict(self) -> dict[str, Any]:
        """The counts and the figures as JSON values, under the attributes' names."""
        return {**vars(self), **{name: getattr(self, name) for name in _FIGURES}}


_FIGURES = (
    "valid",
    "recall",
    "precision",
    "f1",
    "exact",
    "crossing",
    "no_crossing",
    "two_or_less",
    "tagging",
)
