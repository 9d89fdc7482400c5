"""Evaluation: the scores of EVALB, breakdowns, and significance tests."""

from whorl.evaluation.bootstrap import Comparison, bootstrap, compare
from whorl.evaluation.breakdown import Confusion, Tally
from whorl.evaluation.errors import Attachment, ErrorKind
from whorl.evaluation.files import read_sentences
from whorl.evaluation.gold_tags import with_gold_tags
from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.evaluation.report import Report, evaluate
from whorl.evaluation.scorings import (
    ALL_TOKENS,
    EVALB,
    SCORINGS,
    WITHOUT_PUNCTUATION,
    all_tokens,
    punctuation_tags,
    scorings,
    without_punctuation,
)
from whorl.evaluation.sentence import SentenceScore, SentenceTrees, Status, score_sentence
from whorl.evaluation.totals import Totals

__all__ = [
    "ALL_TOKENS",
    "COLLINS",
    "EVALB",
    "SCORINGS",
    "WITHOUT_PUNCTUATION",
    "Attachment",
    "Comparison",
    "Confusion",
    "ErrorKind",
    "Parameters",
    "Report",
    "SentenceScore",
    "SentenceTrees",
    "Status",
    "Tally",
    "Totals",
    "all_tokens",
    "bootstrap",
    "compare",
    "evaluate",
    "punctuation_tags",
    "read_sentences",
    "score_sentence",
    "scorings",
    "with_gold_tags",
    "without_punctuation",
]
