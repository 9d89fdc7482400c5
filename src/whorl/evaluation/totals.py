"""Counts summed over sentences, and EVALB's figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from whorl.evaluation.figures import f_measure, percent
from whorl.evaluation.sentence import SentenceScore, Status

__all__ = ["Totals"]


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Sums over sentences; all but the first three are over valid sentences only.

    `no_crossing_sentences` and `two_or_less_sentences` count the sentences with no and with at
    most two crossing brackets. Figures are percentages, except `crossing`, an average per sentence.
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
        """Sum the scores of some sentences."""
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
        """The number of sentences scored."""
        return self.sentences - self.errors - self.skipped

    @property
    def recall(self) -> float:
        """Matched brackets in percent of gold ones."""
        return percent(self.matched, self.gold)

    @property
    def precision(self) -> float:
        """Matched brackets in percent of predicted ones."""
        return percent(self.matched, self.predicted)

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision, 0 if nothing matched."""
        return f_measure(self.recall, self.precision)

    @property
    def exact(self) -> float:
        """The percentage of sentences whose brackets are all correct."""
        return percent(self.exact_sentences, self.valid)

    @property
    def crossing(self) -> float:
        """The average number of crossing brackets per sentence."""
        return self.crossing_brackets / self.valid if self.valid else 0.0

    @property
    def no_crossing(self) -> float:
        """The percentage of sentences without a crossing bracket."""
        return percent(self.no_crossing_sentences, self.valid)

    @property
    def two_or_less(self) -> float:
        """The percentage of sentences with at most two crossing brackets."""
        return percent(self.two_or_less_sentences, self.valid)

    @property
    def tagging(self) -> float:
        """Correct tags in percent of words."""
        return percent(self.tags, self.words)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and figures as JSON values under the attributes' names."""
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
