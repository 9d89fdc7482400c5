"""Significance of the difference between two parsers: a paired bootstrap over sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from whorl.errors import EvaluationError
from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.evaluation.report import Report, evaluate
from whorl.evaluation.sentence import SentenceScore, SentenceTrees, Status
from whorl.evaluation.totals import Totals

__all__ = ["Comparison", "bootstrap", "compare"]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two parsers compared on the `sentences` sentences that are valid for both.

    `difference` is the first F1 minus the second, and `low` to `high` its 95 % interval. `p_value`
    is two-sided: the probability of a difference at least as large if the parsers were equally
    good.
    """

    f1: float
    other_f1: float
    difference: float
    low: float
    high: float
    p_value: float
    sentences: int
    left_out: int
    resamples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON values under the attributes' names."""
        return dict(vars(self))


def bootstrap(
    gold: Iterable[SentenceTrees],
    first: Iterable[SentenceTrees],
    second: Iterable[SentenceTrees],
    params: Parameters = COLLINS,
    *,
    resamples: int = 10_000,
    seed: int = 1,
) -> Comparison:
    """Score two parsers and compare them; see `compare`."""
    reference = list(gold)
    reports = evaluate(reference, first, params), evaluate(reference, second, params)
    return compare(*reports, resamples=resamples, seed=seed)


def compare(first: Report, second: Report, *, resamples: int = 10_000, seed: int = 1) -> Comparison:
    """Compare two reports on the same gold sentences.

    Each resample draws as many sentences as there are, with replacement and the same ones for both
    parsers, and computes F1 over all their brackets. The interval is the middle 95 % of the
    differences. The p-value takes their spread around the observed difference as the spread around
    no difference (Berg-Kirkpatrick, Burkett and Klein, 2012). It counts the observed sample among
    the resamples, so it is never 0.
    """
    if resamples < 1:
        raise EvaluationError(f"a bootstrap needs at least 1 resample, not {resamples}")
    pairs = _valid_pairs(first, second)
    f1 = Totals.of(a for a, _ in pairs).f1
    other_f1 = Totals.of(b for _, b in pairs).f1
    differences = sorted(_differences(pairs, resamples, Random(seed)))
    difference = f1 - other_f1
    as_large = sum(abs(drawn - difference) >= abs(difference) for drawn in differences)
    return Comparison(
        f1=f1,
        other_f1=other_f1,
        difference=difference,
        low=differences[int(0.025 * resamples)],
        high=differences[resamples - 1 - int(0.025 * resamples)],
        p_value=(as_large + 1) / (resamples + 1),
        sentences=len(pairs),
        left_out=len(first.scores) - len(pairs),
        resamples=resamples,
        seed=seed,
    )


def _valid_pairs(first: Report, second: Report) -> list[tuple[SentenceScore, SentenceScore]]:
    if len(first.scores) != len(second.scores):
        raise EvaluationError(
            f"the reports are on {len(first.scores)} and {len(second.scores)} sentences: "
            "they must be on the same ones"
        )
    both = zip(first.scores, second.scores, strict=True)
    pairs = [(a, b) for a, b in both if a.status is Status.VALID and b.status is Status.VALID]
    if not pairs:
        raise EvaluationError("no sentence is valid for both parsers: there is nothing to compare")
    return pairs


def _differences(
    pairs: list[tuple[SentenceScore, SentenceScore]], resamples: int, random: Random
) -> list[float]:
    """Return the difference in F1 on each resample.

    F1 needs two sums per parser: matched brackets, and brackets of both sides. The four counts of
    a sentence are packed into one integer, wide enough that sums do not overflow, so that one
    `sum` adds up all four.
    """
    counts = [(a.matched, a.gold + a.predicted, b.matched, b.gold + b.predicted) for a, b in pairs]
    width = (len(counts) * max(map(max, counts))).bit_length()
    packed = [a | b << width | c << 2 * width | d << 3 * width for a, b, c, d in counts]
    mask = (1 << width) - 1
    size = len(packed)
    differences = []
    for _ in range(resamples):
        total = sum(random.choices(packed, k=size))
        first = _f1(total & mask, total >> width & mask)
        differences.append(first - _f1(total >> 2 * width & mask, total >> 3 * width))
    return differences


def _f1(matched: int, brackets: int) -> float:
    return 200.0 * matched / brackets if brackets else 0.0
