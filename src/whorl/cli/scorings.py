"""The ways of scoring of `whorl evaluate`: which tokens count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whorl.evaluation import Parameters, SentenceTrees

__all__ = ["Scoring", "left_out", "retagged", "scoring_table", "scorings", "title"]


class Scoring(str, Enum):
    """Which tokens count."""

    evalb = "evalb"
    all_tokens = "all-tokens"
    without_punctuation = "without-punctuation"


def scorings(gold: list[SentenceTrees], punctuation: str | None) -> dict[Scoring, Parameters]:
    """Return the parameters of each way of scoring."""
    from whorl.evaluation import punctuation_tags
    from whorl.evaluation import scorings as parameters_of
    from whorl.evaluation.sentence import forest_of
    from whorl.trees import Tree

    trees = (tree for sentence in gold for tree in forest_of(sentence) if isinstance(tree, Tree))
    tags = punctuation_tags(trees) if punctuation is None else punctuation.split()
    return dict(zip(Scoring, parameters_of(tags).values(), strict=True))


def title(scoring: Scoring) -> str:
    """Return the name of a way of scoring."""
    from whorl.evaluation import SCORINGS

    return dict(zip(Scoring, SCORINGS, strict=True))[scoring]


def left_out(settings: Parameters) -> list[str]:
    """Return the tags whose words are left out; empty elements are no words."""
    from whorl.trees.cleaning import ROOTS, TRACE

    return sorted(settings.delete - ROOTS - {TRACE})


def retagged(reference: list[SentenceTrees], parsed: list[SentenceTrees]) -> list[SentenceTrees]:
    """Return the sentences with gold tags; those of other words stay as they are."""
    from whorl.evaluation import with_gold_tags
    from whorl.evaluation.sentence import forest_of
    from whorl.trees import Tree

    def retag(gold: SentenceTrees, sentence: SentenceTrees) -> SentenceTrees:
        match forest_of(gold), forest_of(sentence):
            case [Tree() as ours], [Tree() as theirs] if ours.words() == theirs.words():
                return with_gold_tags(ours, theirs)
        return sentence

    return [*map(retag, reference, parsed), *parsed[len(reference) :]]


def scoring_table(
    reference: list[SentenceTrees],
    parsed: list[SentenceTrees],
    ways: Mapping[Scoring, Parameters],
) -> str:
    """Return a line for each way of scoring, with the tags whose words it leaves out."""
    from whorl.evaluation import evaluate as score
    from whorl.reporting.tables import align_columns

    rows: list[tuple[str, ...]] = [
        ("scoring", "sentences", "errors", "recall", "precision", "F1", "exact")
    ]
    tags = ["left out"]
    for way, params in ways.items():
        report = score(reference, parsed, replace(params, max_error=len(reference)))
        totals = report.all
        figures = (totals.recall, totals.precision, totals.f1, totals.exact)
        counts = (str(totals.valid), str(totals.errors))
        rows.append((title(way), *counts, *(f"{figure:.2f}" for figure in figures)))
        tags.append(" ".join(left_out(params)) or "nothing")
    lines = zip(align_columns(rows), tags, strict=True)
    return "".join(f"{line}  {listed}\n" for line, listed in lines)
