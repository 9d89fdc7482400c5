"""EVALB's report, byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from whorl.evaluation.sentence import SentenceScore
from whorl.evaluation.totals import Totals

__all__ = ["evalb_text"]

_RULE = "=" * 76
_HEAD = f"""\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
{_RULE}
"""
_ROW = "%4d  %3d    %d  %6.2f %6.2f   %3d    %3d  %3d    %3d   %4d  %4d   %6.2f\n"
_BRACKETS = "                %6.2f %6.2f %6d %5d %5d  %5d"
_WORDS = "  %5d %5d   %6.2f\n"
_SUMMARY = """\

-- %s --
Number of sentence        = %6d
Number of Error sentence  = %6d
Number of Skip  sentence  = %6d
Number of Valid sentence  = %6d
Bracketing Recall         = %6.2f
Bracketing Precision      = %6.2f
Bracketing FMeasure       = %6.2f
Complete match            = %6.2f
Average crossing          = %6.2f
No crossing               = %6.2f
2 or less crossing        = %6.2f
Tagging accuracy          = %6.2f
"""


def evalb_text(
    scores: Sequence[SentenceScore], total: Totals, short: Totals, cutoff: int, *, rows: bool
) -> str:
    """Return the whole report; without `rows`, only the summaries."""
    summaries = f"=== Summary ===\n{_summary('All', total)}{_summary(f'len<={cutoff}', short)}"
    if not rows:
        return summaries
    return f"{_HEAD}{''.join(map(_row, scores))}{_RULE}\n{_total(total)}{summaries}"


def _row(score: SentenceScore) -> str:
    return _ROW % (
        score.number,
        score.length,
        score.status,
        score.recall,
        score.precision,
        score.matched,
        score.gold,
        score.predicted,
        score.crossing,
        score.words,
        score.tags,
        score.tagging,
    )


def _total(total: Totals) -> str:
    """Return the line of sums; EVALB omits its first part if either side has no brackets."""
    figures = (
        total.recall,
        total.precision,
        total.matched,
        total.gold,
        total.predicted,
        total.crossing_brackets,
    )
    brackets = _BRACKETS % figures if total.gold and total.predicted else ""
    return brackets + _WORDS % (total.words, total.tags, total.tagging)


def _summary(title: str, totals: Totals) -> str:
    return _SUMMARY % (
        title,
        totals.sentences,
        totals.errors,
        totals.skipped,
        totals.valid,
        totals.recall,
        totals.precision,
        # C divides 0 by 0 here and prints `nan` or `-nan`, as the machine has it; we print `nan`.
        totals.f1 if totals.matched else nan,
        totals.exact,
        totals.crossing,
        totals.no_crossing,
        totals.two_or_less,
        totals.tagging,
    )
