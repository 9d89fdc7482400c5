"""Scores of spaCy's examples: EVALB's figures, against reference trees."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from spacy.tokens import Doc
from spacy.training import Example

from whorl.errors import EvaluationError
from whorl.evaluation import COLLINS, SentenceTrees, evaluate
from whorl.integrations.spacy.attributes import has_parse
from whorl.integrations.spacy.constituents import SPACE_TAG
from whorl.trees import Tree

__all__ = ["score_trees"]

_PARAMETERS = replace(COLLINS, delete=COLLINS.delete | {SPACE_TAG}, max_error=sys.maxsize)
_FIGURES = {
    "trees_p": "precision",
    "trees_r": "recall",
    "trees_f": "f1",
    "trees_exact": "exact",
    "trees_tag_acc": "tagging",
}


def score_trees(examples: Iterable[Example], *, prefix: str = "", **_: Any) -> dict[str, Any]:
    """Score the trees of predicted documents as EVALB does, on spaCy's scale from 0 to 1.

    Examples whose reference has no trees do not count; without any, all scores are None. Where the
    two documents have different sentences, brackets are compared over the whole document.
    `trees_errors` counts what EVALB does not compare: sentences of which different words are
    punctuation.
    """
    gold: list[SentenceTrees] = []
    predicted: list[SentenceTrees] = []
    for example in examples:
        if has_parse(example.reference, prefix):
            for ours, theirs in _pair_up(example, prefix):
                gold.append(ours)
                predicted.append(theirs)
    if not gold:
        return dict.fromkeys((*_FIGURES, "trees_errors", "trees_per_type"))
    report = evaluate(gold, predicted, _PARAMETERS)
    scores: dict[str, Any] = {
        key: getattr(report, figure) / 100 for key, figure in _FIGURES.items()
    }
    scores["trees_errors"] = len(report.errors)
    scores["trees_per_type"] = {
        label: {"p": tally.precision / 100, "r": tally.recall / 100, "f": tally.f1 / 100}
        for label, tally in report.by_label().items()
    }
    return scores


def _pair_up(example: Example, prefix: str) -> Iterable[tuple[SentenceTrees, SentenceTrees]]:
    """Pair the trees of two documents, by sentence if they have the same, else all at once."""
    _check_words(example)
    gold, predicted = (_trees(doc, prefix) for doc in (example.reference, example.predicted))
    if _lengths(gold) == _lengths(predicted):
        return zip(gold, predicted, strict=True)
    return [(gold, predicted)]


def _trees(doc: Doc, prefix: str) -> list[Tree]:
    trees: list[Tree] = doc._.get(f"{prefix}trees")
    return trees


def _lengths(trees: Iterable[Tree]) -> list[int]:
    return [tree.right - tree.left for tree in trees]


def _check_words(example: Example) -> None:
    """Raise `EvaluationError` unless both documents have the same tokens."""
    gold, predicted = (
        [token.text for token in doc if not token.text.isspace()]
        for doc in (example.reference, example.predicted)
    )
    if gold != predicted:
        pairs = zip_longest(gold, predicted)
        ours, theirs = next((ours, theirs) for ours, theirs in pairs if ours != theirs)
        raise EvaluationError(
            f"the tokens of the reference and of the predicted document differ, first in {ours!r} "
            f"and {theirs!r} of {example.reference.text!r:.60}: trees can be compared only over "
            "the same tokens"
        )
