"""Table 7: F1 on constituents by their number of children."""

from __future__ import annotations

from whorl.evaluation import Tally
from whorl.experiments import paper, plans
from whorl.experiments.report import (
    ExperimentReport,
    ReportTable,
    Spread,
    doubt_notes,
    format_figure,
    mark_best,
)
from whorl.experiments.request import ExperimentResults
from whorl.experiments.runs import Scores

__all__ = ["children"]

_COUNTS = range(1, 6)


def children(results: ExperimentResults) -> ExperimentReport:
    """Report F1 on constituents of one to five children, of static parsers, matched in two ways."""
    data: dict[str, object] = {}
    tables = []
    for title, alike, note in (
        ("Matched by label, span and number of children", True, _ALIKE),
        ("Matched by label and span", False, _SPAN),
    ):
        spreads = {
            setting.system: [_spread(results, setting, count, alike) for count in _COUNTS]
            for setting in results.available(plans.static_settings())
        }
        data["alike" if alike else "span"] = {
            system: [spread.to_dict() for spread in row] for system, row in spreads.items()
        }
        columns = [mark_best(list(column)) for column in zip(*spreads.values(), strict=True)]
        rows = [
            [paper.NAMES[system], *(column[n] for column in columns)]
            for n, system in enumerate(spreads)
        ]
        rows += [
            [f"paper, WSJ: {paper.NAMES[s]}", *map(format_figure, paper.CHILDREN[s])]
            for s in spreads
        ]
        rows.append(["gold constituents", *(f"{count:,}" for count in _gold(results))])
        header = ["system", *(f"#{count}" for count in _COUNTS)]
        tables.append(ReportTable(title, header, rows, [note, *doubt_notes(rows)]))
    return results.report("children", "F1 by number of children (Table 7)", tables, data)


_ALIKE = (
    "A constituent is right if gold has one of the same label, span and number of children. The "
    "paper does not say how it matched; each of its columns is below its F1 of 91.5 on all "
    "constituents, which fits this way, and is hardly possible the other way, where the columns "
    "average to that F1."
)
_SPAN = (
    "Recall over gold constituents of so many children, precision over predicted ones; label and "
    "span decide, as in EVALB."
)


def _spread(results: ExperimentResults, setting: plans.Setting, count: int, alike: bool) -> Spread:
    return results.spread(setting, "test", of=lambda scores: _tally(scores, count, alike=alike).f1)


def _tally(scores: Scores, count: int, *, alike: bool) -> Tally:
    rows = scores.alike if alike else scores.children
    return Tally(*rows.get(str(count), (0, 0, 0, 0)))


def _gold(results: ExperimentResults) -> list[int]:
    scores = results.of_setting(results.available(plans.static_settings())[0])[0].parsed["test"]
    return [_tally(scores, count, alike=False).gold for count in _COUNTS]
