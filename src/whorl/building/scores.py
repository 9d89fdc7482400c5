"""How well a finished model parses gold sentences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

from whorl.evaluation import (
    ALL_TOKENS,
    EVALB,
    WITHOUT_PUNCTUATION,
    evaluate,
    scorings,
    with_gold_tags,
)
from whorl.parser import Parser
from whorl.training.loop import tag_accuracy
from whorl.trees import Tree

__all__ = ["BEAM", "Scores", "score_parser"]

BEAM = 4
"""Hypotheses of a sentence, in the score with a beam."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The accuracy of a parser on gold sentences, with the tags it predicts, in percent."""

    sentences: int
    f1: float
    """Labelled brackets with every token, punctuation included."""
    f1_beam: float
    """The same of trees parsed with a beam of `BEAM`; all other figures are of greedy parsing."""
    f1_evalb: float
    """Labelled brackets as EVALB counts them for the Penn Treebank (`COLLINS.prm`)."""
    f1_without_punctuation: float
    """Labelled brackets without the treebank's own punctuation."""
    exact: float
    """Sentences whose brackets are all right, every token included."""
    tags: float

    def to_dict(self) -> dict[str, float]:
        """Return the figures by name, for JSON."""
        return asdict(self)


def score_parser(parser: Parser, gold: Sequence[Tree], punctuation: Collection[str]) -> Scores:
    """Parse the words of gold trees, and compare under gold tags, which say what is punctuation."""
    parsed = _parse(parser, gold)
    retagged = list(map(with_gold_tags, gold, parsed))
    searched = list(map(with_gold_tags, gold, _parse(parser, gold, beam=BEAM)))
    all_tokens = scorings(punctuation)[ALL_TOKENS]
    reports = {
        name: evaluate(gold, retagged, parameters)
        for name, parameters in scorings(punctuation).items()
    }
    return Scores(
        sentences=len(gold),
        f1=reports[ALL_TOKENS].f1,
        f1_beam=evaluate(gold, searched, all_tokens).f1,
        f1_evalb=reports[EVALB].f1,
        f1_without_punctuation=reports[WITHOUT_PUNCTUATION].f1,
        exact=reports[ALL_TOKENS].exact,
        tags=100 * tag_accuracy(gold, parsed),
    )


def _parse(parser: Parser, gold: Sequence[Tree], *, beam: int = 1) -> list[Tree]:
    parses = parser.pipe([tree.words() for tree in gold], beam=beam)
    return [tree for tree in parses if tree is not None]
