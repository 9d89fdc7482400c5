"""Scoring a corpus: `evaluate`, and the report that it gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from whorl.errors import EvaluationError
from whorl.evaluation.breakdown import Breakdown, Confusion, Tally, break_down
from whorl.evaluation.evalb_format import evalb_text
from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.evaluation.rules import rules_of
from whorl.evaluation.sentence import SentenceScore, SentenceTrees, Status, compared, score_flat
from whorl.evaluation.totals import Totals

__all__ = ["Report", "evaluate"]


def evaluate(
    gold: Iterable[SentenceTrees], predicted: Iterable[SentenceTrees], params: Parameters = COLLINS
) -> Report:
    """Score predicted sentences against gold ones, as EVALB does.

    A sentence is a tree, or a sequence of trees, of which there may be none, or None where it could not be
    read. `EvaluationError` is raised where the two sides are not equally many, and where more sentences cannot
    be compared than `params.max_error` lets pass.
    """
    pairs = _paired(list(gold), list(predicted))
    rules = rules_of(params)
    scores: list[SentenceScore] = []
    errors: list[str] = []
    for number, (ours, theirs) in enumerate(pairs, start=1):
        score = score_flat(*compared(ours, theirs, rules), rules, number)
        scores.append(score)
        if score.message:
            errors.append(_numbered(score))
            _check(errors, params)
    return Report(params, tuple(scores), tuple(pairs))


class Report:
    """The scores of a corpus, sentence by sentence and summed up.

    The figures, in percent but for `crossing` (brackets a sentence), are those of all valid sentences, and
    `short` holds the same for sentences of at most `params.cutoff` words.
    """

    def __init__(
        self,
        params: Parameters,
        scores: tuple[SentenceScore, ...],
        pairs: tuple[tuple[SentenceTrees, SentenceTrees], ...],
    ) -> None:
        self.params = params
        self.scores = scores
        self.pairs = pairs

    @cached_property
    def all(self) -> Totals:
        """The sums over all sentences."""
        return Totals.of(self.scores)

    @cached_property
    def short(self) -> Totals:
        """The sums over the sentences of at most `params.cutoff` words."""
        return Totals.of(score for score in self.scores if score.length <= self.params.cutoff)

    @property
    def recall(self) -> float:
        """Matched brackets in 100 gold ones."""
        return self.all.recall

    @property
    def precision(self) -> float:
        """Matched brackets in 100 predicted ones."""
        return self.all.precision

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision; 0 where nothing matched."""
        return self.all.f1

    @property
    def exact(self) -> float:
        """Sentences in 100 whose brackets are all right."""
        return self.all.exact

    @property
    def crossing(self) -> float:
        """Crossing brackets in a sentence, on average."""
        return self.all.crossing

    @property
    def tagging(self) -> float:
        """Correct tags in 100 words."""
        return self.all.tagging

    @property
    def errors(self) -> list[str]:
        """Why sentences could not be compared, one line each, as EVALB prints them on standard error."""
        return [_numbered(score) for score in self.scores if score.message]

    def by_children(self, *, alike: bool = False) -> dict[int, Tally]:
        """Scores of constituents by their number of children, as in Table 7 of the paper.

        A constituent matches by label and span, as everywhere. Recall at k is over gold constituents of k
        children, precision at k over predicted ones of k children; the two of a matching pair may differ in
        theirs. With `alike` they must not: a constituent matches only one of as many children. Children are those in
        the tree as given, with words and phrases that the parameters delete.
        """
        return self._breakdown.alike if alike else self._breakdown.by_children

    def by_label(self) -> dict[str, Tally]:
        """Scores of constituents by label, functions and indices trimmed, the most frequent in gold first."""
        return self._breakdown.by_label

    def confusion(self) -> Confusion:
        """Which labels were given in place of which over the same span, and which were missed or spurious."""
        return self._breakdown.confusion

    def by_length(self, width: int = 10) -> dict[tuple[int, int], Totals]:
        """Scores of sentences by length, in bins of so many words, each named by its least and greatest length."""
        bins: dict[int, list[SentenceScore]] = {}
        for score in self.scores:
            bins.setdefault(max(score.length - 1, 0) // width, []).append(score)
        return {(n * width + 1, (n + 1) * width): Totals.of(bins[n]) for n in sorted(bins)}

    def evalb(self, *, rows: bool = True) -> str:
        """EVALB's standard output, byte for byte; without a row for each sentence if so asked."""
        return evalb_text(self.scores, self.all, self.short, self.params.cutoff, rows=rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values.

        ```
        parameters   {"max_error": 10, "cutoff": 40, "labelled": true, "delete": [LABEL…], …}
        all, short   {COUNT OR FIGURE: NUMBER}, the attributes of `Totals`; `short` is of at most `cutoff` words
        sentences    [{"number", "length", "status" (0 valid, 1 error, 2 skipped), "matched", "gold", "predicted",
                       "crossing", "words", "tags", "message"}]
        by_children  {"1": TALLY, "2": TALLY, …}
        by_length    {"1-10": as `all`, "11-20": …}
        by_label     {LABEL: TALLY}
        confusion    {"labels": [{"gold", "predicted", "count"}], "missed": {LABEL: N}, "spurious": {LABEL: N}}
        ```
        A TALLY is {"gold", "found", "predicted", "correct", "recall", "precision", "f1"}.
        """
        return {
            "parameters": self.params.to_dict(),
            "all": self.all.to_dict(),
            "short": self.short.to_dict(),
            "sentences": [
                {**score._asdict(), "status": int(score.status)} for score in self.scores
            ],
            "by_children": {str(n): tally.to_dict() for n, tally in self.by_children().items()},
            "by_length": {
                f"{a}-{b}": totals.to_dict() for (a, b), totals in self.by_length().items()
            },
            "by_label": {label: tally.to_dict() for label, tally in self.by_label().items()},
            "confusion": self.confusion().to_dict(),
        }

    @cached_property
    def _breakdown(self) -> Breakdown:
        scored = zip(self.scores, self.pairs, strict=True)
        return break_down(
            (pair for score, pair in scored if score.status is Status.VALID), rules_of(self.params)
        )

    def __repr__(self) -> str:
        return f"<Report {self.all.valid} sentences, F1 {self.f1:.2f}>"


def _paired(
    gold: Sequence[SentenceTrees], predicted: Sequence[SentenceTrees]
) -> list[tuple[SentenceTrees, SentenceTrees]]:
    if len(gold) != len(predicted):
        raise EvaluationError(
            f"gold holds {len(gold)} sentences and predicted holds {len(predicted)}: they must correspond one to one"
        )
    return list(zip(gold, predicted, strict=True))


def _numbered(score: SentenceScore) -> str:
    return f"{score.number} : {score.message}"


def _check(errors: list[str], params: Parameters) -> None:
    allowed = max(params.max_error + 1, 0)
    if len(errors) > allowed:
        listed = "\n".join(f"  {error}" for error in errors)
        raise EvaluationError(
            f"{len(errors)} sentences cannot be compared, and MAX_ERROR {params.max_error} lets no more than "
            f"{allowed} pass; to let more pass, raise MAX_ERROR in the parameter file or use "
            f"--max-error N:\n{listed}"
        )
