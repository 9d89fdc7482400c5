"""How well a finished model parses gold sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from whorl.evaluation import COLLINS, Parameters, evaluate
from whorl.parser import Parser
from whorl.training.loop import tag_accuracy, with_gold_tags
from whorl.trees import Tree
from whorl.trees.cleaning import ROOTS

__all__ = ["Scores", "score_parser"]

_ALL_TOKENS = Parameters(delete=ROOTS)
"""Nothing is left out but the root: labels of this set are no words' tags."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The accuracy of a parser on gold sentences, with the tags it predicts, in percent."""

    sentences: int
    f1: float
    """Labelled brackets with every token, punctuation included."""
    f1_evalb: float
    """Labelled brackets as EVALB counts them for the Penn Treebank (`COLLINS.prm`)."""
    exact: float
    """Sentences whose brackets are all right, every token included."""
    tags: float

    def to_dict(self) -> dict[str, float]:
        """Return the figures by name, for JSON."""
        return asdict(self)


def score_parser(parser: Parser, gold: Sequence[Tree]) -> Scores:
    """Parse the words of gold trees, and compare under gold tags, which say what is punctuation."""
    parsed = [parse for parse in parser.pipe([tree.words() for tree in gold]) if parse is not None]
    retagged = list(map(with_gold_tags, gold, parsed))
    every_token = evaluate(gold, retagged, _ALL_TOKENS)
    return Scores(
        sentences=len(gold),
        f1=every_token.f1,
        f1_evalb=evaluate(gold, retagged, COLLINS).f1,
        exact=every_token.exact,
        tags=100 * tag_accuracy(gold, parsed),
    )
