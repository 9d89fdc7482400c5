"""Evaluation: the scores of EVALB, breakdowns, and significance tests."""

from whorl.evaluation.bootstrap import Comparison, bootstrap, compare
from whorl.evaluation.breakdown import Confusion, Tally
from whorl.evaluation.errors import Attachment, ErrorKind
from whorl.evaluation.files import read_sentences
from whorl.evaluation.parameters import COLLINS, Parameters
from whorl.evaluation.report import Report, evaluate
from whorl.evaluation.sentence import SentenceScore, SentenceTrees, Status, score_sentence
from whorl.evaluation.totals import Totals

__all__ = [
    "COLLINS",
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
    "bootstrap",
    "compare",
    "evaluate",
    "read_sentences",
    "score_sentence",
]
