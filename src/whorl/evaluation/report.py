"""Scoring a corpus: `evaluate` and its report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from whorl.errors import EvaluationError
from whorl.evaluation.breakdown import Breakdown, Confusion, Tally, break_down
from whorl.evaluation.errors import Attachment, ErrorKind
from whorl.evaluation.evalb_format import evalb_text
from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.evaluation.rules import rules_of
from whorl.evaluation.sentence import SentenceScore, SentenceTrees, Status, flatten_pair, score_flat
from whorl.evaluation.totals import Totals

__all__ = ["Report", "evaluate"]


def evaluate(
    gold: Iterable[SentenceTrees], predicted: Iterable[SentenceTrees], params: Parameters = COLLINS
) -> Report:
    """Score predicted sentences against gold ones like EVALB.

    A sentence is a tree, a sequence of any number of trees, or None if it could not be read. Raises
    `EvaluationError` if the two sides differ in number, or if more sentences cannot be compared
    than `params.max_error` allows.
    """
    pairs = _pair_up(list(gold), list(predicted))
    rules = rules_of(params)
    scores: list[SentenceScore] = []
    errors: list[str] = []
    for number, (ours, theirs) in enumerate(pairs, start=1):
        score = score_flat(*flatten_pair(ours, theirs, rules), rules, number)
        scores.append(score)
        if score.message:
            errors.append(_numbered(score))
            _check(errors, params)
    return Report(params, tuple(scores), tuple(pairs))


class Report:
    """The scores of a corpus, by sentence and in total.

    The figures are over all valid sentences, in percent except `crossing` (brackets per sentence).
    `short` holds those of sentences of at most `params.cutoff` words.
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
        """Matched brackets in percent of gold ones."""
        return self.all.recall

    @property
    def precision(self) -> float:
        """Matched brackets in percent of predicted ones."""
        return self.all.precision

    @property
    def f1(self) -> float:
        """The harmonic mean of recall and precision, 0 if nothing matched."""
        return self.all.f1

    @property
    def exact(self) -> float:
        """The percentage of sentences whose brackets are all correct."""
        return self.all.exact

    @property
    def crossing(self) -> float:
        """The average number of crossing brackets per sentence."""
        return self.all.crossing

    @property
    def tagging(self) -> float:
        """Correct tags in percent of words."""
        return self.all.tagging

    @property
    def errors(self) -> list[str]:
        """One line per sentence that cannot be compared, as EVALB prints it on standard error."""
        return [_numbered(score) for score in self.scores if score.message]

    def by_children(self, *, alike: bool = False) -> dict[int, Tally]:
        """Score constituents by their number of children, as in Table 7 of the paper.

        Constituents match by label and span, as everywhere. Recall at k is over gold constituents
        of k children, precision at k over predicted ones of k children; those of a matching pair
        may have different numbers, except with `alike`. Children are counted in the original
        tree, with the words and phrases that the parameters delete.
        """
        return self._breakdown.alike if alike else self._breakdown.by_children

    def by_label(self) -> dict[str, Tally]:
        """Score constituents by trimmed label, most frequent in gold first."""
        return self._breakdown.by_label

    def confusion(self) -> Confusion:
        """Return the labels confused over the same span, missed, or spurious."""
        return self._breakdown.confusion

    def errors_by_kind(self) -> dict[str, ErrorKind]:
        """Count missed and spurious constituents by kind: see `whorl.evaluation.errors.KINDS`."""
        return self._breakdown.errors

    def attachments(self) -> dict[str, Attachment]:
        """Count where matched constituents are attached, by gold label, most frequent first."""
        return self._breakdown.attachments

    def by_length(self, width: int = 10) -> dict[tuple[int, int], Totals]:
        """Score sentences by length, in bins of `width` words under (shortest, longest)."""
        bins: dict[int, list[SentenceScore]] = {}
        for score in self.scores:
            bins.setdefault(max(score.length - 1, 0) // width, []).append(score)
        return {(n * width + 1, (n + 1) * width): Totals.of(bins[n]) for n in sorted(bins)}

    def evalb(self, *, rows: bool = True) -> str:
        """Return EVALB's standard output, byte for byte; without `rows`, the summaries only."""
        return evalb_text(self.scores, self.all, self.short, self.params.cutoff, rows=rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values.

        ```
        parameters   {"max_error": 10, "cutoff": 40, "labelled": true, "delete": [LABEL…], …}
        all, short   {COUNT OR FIGURE: NUMBER}, the attributes of `Totals`;
                     `short` is over sentences of at most `cutoff` words
        sentences    [{"number", "length", "status" (0 valid, 1 error, 2 skipped), "matched",
                       "gold", "predicted", "crossing", "words", "tags", "message"}]
        by_children  {"1": TALLY, "2": TALLY, …}
        by_length    {"1-10": as `all`, "11-20": …}
        by_label     {LABEL: TALLY}
        confusion    {"labels": [{"gold", "predicted", "count"}],
                      "missed": {LABEL: N}, "spurious": {LABEL: N}}
        errors       {KIND: {"missed": N, "spurious": N}}, kinds as in `errors_by_kind`
        attachments  {LABEL: {"right", "higher", "lower", "beside", "total", "accuracy"}}
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
            "errors": {kind: dict(vars(counts)) for kind, counts in self.errors_by_kind().items()},
            "attachments": {
                label: counts.to_dict() for label, counts in self.attachments().items()
            },
        }

    @cached_property
    def _breakdown(self) -> Breakdown:
        scored = zip(self.scores, self.pairs, strict=True)
        return break_down(
            (pair for score, pair in scored if score.status is Status.VALID), rules_of(self.params)
        )

    def __repr__(self) -> str:
        return f"<Report {self.all.valid} sentences, F1 {self.f1:.2f}>"


def _pair_up(
    gold: Sequence[SentenceTrees], predicted: Sequence[SentenceTrees]
) -> list[tuple[SentenceTrees, SentenceTrees]]:
    if len(gold) != len(predicted):
        raise EvaluationError(
            f"gold holds {len(gold)} sentences and predicted holds {len(predicted)}: "
            "they must correspond one to one"
        )
    return list(zip(gold, predicted, strict=True))


def _numbered(score: SentenceScore) -> str:
    return f"{score.number} : {score.message}"


def _check(errors: list[str], params: Parameters) -> None:
    allowed = max(params.max_error + 1, 0)
    if len(errors) > allowed:
        listed = "\n".join(f"  {error}" for error in errors)
        raise EvaluationError(
            f"{len(errors)} sentences cannot be compared, and MAX_ERROR {params.max_error} allows "
            f"no more than {allowed}; to allow more, raise MAX_ERROR in the parameter file or use "
            f"--max-error N:\n{listed}"
        )
