"""Figure 10: parsing time against sentence length, with linear and quadratic fits (§7.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whorl.errors import BracketError
from whorl.experiments import paper, plans
from whorl.experiments.fit import Fit, fit
from whorl.experiments.models import TrainedParser, load_trained
from whorl.experiments.report import ExperimentReport, ReportTable
from whorl.experiments.request import ExperimentResults
from whorl.parser import Tokens
from whorl.reporting.chart import Panel, scatter_panels
from whorl.reporting.timing import best_of_each, one_torch_thread, torch_gflops
from whorl.trees import iter_trees

__all__ = ["length", "read_long_sentences"]


def length(results: ExperimentResults) -> ExperimentReport:
    """Time each system on every test sentence and every extra long one; fit and draw."""
    request = results.request
    extra = read_long_sentences(request.long) if request.long else []
    points: dict[str, list[tuple[float, float]]] = {}
    with one_torch_thread():
        core = torch_gflops()
        for name, model in load_trained(results, plans.static_settings()).items():
            results.log(f"length: {name}")
            points[name] = _time_sentences(model, extra, request.rounds)
    fits = {name: (fit(timed, 1), fit(timed, 2)) for name, timed in points.items()}
    lengths = sorted({x for timed in points.values() for x, _ in timed})
    longest = lengths[-1]
    rows = [_row(name, *fits[name], longest) for name in points]
    table = ReportTable("Fits", _HEADER, rows, [_note(results, len(extra), core)])
    panels = {
        paper.NAMES[name]: Panel(
            points[name],
            {
                "linear": [(x, line(x)) for x in lengths],
                "quadratic": [(x, parabola(x)) for x in lengths],
            },
        )
        for name, (line, parabola) in fits.items()
    }
    picture = scatter_panels(
        panels,
        title=f"Running time against length: {request.treebank}",
        x_label="words",
        y_label="milliseconds",
    )
    data: dict[str, Any] = {
        "gflops": core,
        "systems": {
            name: {
                "linear": {"coefficients": line.coefficients, "r2": line.r2},
                "quadratic": {"coefficients": parabola.coefficients, "r2": parabola.r2},
                "quadratic_share": parabola.top_share(longest),
                "points": points[name],
            }
            for name, (line, parabola) in fits.items()
        },
    }
    return results.report(
        "length", "Running time against length (Figure 10)", [table], data, {"length.svg": picture}
    )


def read_long_sentences(path: str) -> list[list[str]]:
    """Read the sentences of a file: trees, or one sentence of words per line."""
    text = Path(path).read_text(encoding="utf-8")
    first = next((line for line in text.split("\n") if line.strip()), "")
    if first.startswith("("):
        try:
            return [tree.words() for tree in iter_trees(path)]
        except BracketError:
            if "))" in first.replace(" ", ""):
                raise
    return [words for line in text.split("\n") if (words := line.split())]


def _time_sentences(
    model: TrainedParser, extra: list[list[str]], rounds: int
) -> list[tuple[float, float]]:
    """Return length and milliseconds of each sentence; tagging is done before and not timed."""
    tagged = [tree.leaves() for tree in model.parser.pipe(extra) if tree is not None]
    sentences: list[Tokens] = [*model.sentences, *tagged]
    best_of_each(model.parser.parse, sentences[:3])  # the first calls also warm up
    times = best_of_each(model.parser.parse, sentences, rounds=rounds)
    return [
        (float(len(sentence)), 1000 * seconds)
        for sentence, seconds in zip(sentences, times, strict=True)
    ]


_HEADER = ["system", "ms a word", "linear R²", "quadratic R²", "longest", "quadratic term there"]


def _row(name: str, line: Fit, parabola: Fit, longest: float) -> list[str]:
    share = f"{100 * parabola.top_share(longest):.1f} %"
    return [
        paper.NAMES[name],
        f"{line.coefficients[1]:.3f}",
        f"{line.r2:.4f}",
        f"{parabola.r2:.4f}",
        f"{longest:.0f}",
        share,
    ]


def _note(results: ExperimentResults, extra: int, core: float) -> str:
    test = next(iter(results.results.values())).treebank["test"].trees
    more = f" and {extra} long ones" if extra else ""
    return (
        f"{test} test sentences{more}, each parsed alone on one core "
        f"({core:.0f} GFLOP/s in sgemm), the best of {results.request.rounds} rounds. R² is the "
        "share of the variance that a least-squares fit explains; the last column is the share of "
        "the fitted time at the longest length that the quadratic term makes up. The paper calls "
        "the growth linear and gives no figures."
    )
