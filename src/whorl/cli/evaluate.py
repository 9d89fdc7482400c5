"""`whorl evaluate`: score trees against gold trees as EVALB does, and break the scores down."""

from __future__ import annotations

import sys
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import OnError, OnErrorOption, note, open_output, report_skipped

if TYPE_CHECKING:
    from whorl.evaluation import Comparison, Parameters, Report, SentenceTrees

__all__ = ["By", "evaluate", "run"]


class By(str, Enum):
    """The breakdowns of a table of scores."""

    children = "children"
    length = "length"
    label = "label"
    confusion = "confusion"
    error = "error"
    attachment = "attachment"


def evaluate(
    gold: Annotated[
        str,
        typer.Argument(metavar="GOLD", help="Gold trees, one per line; - is standard input."),
    ],
    predicted: Annotated[
        str, typer.Argument(metavar="PRED", help="Parsed trees of the same sentences.")
    ],
    *,
    params: Annotated[
        str | None,
        typer.Option(
            "--params", metavar="FILE", help="An EVALB parameter file; COLLINS.prm by default."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    by: Annotated[
        By | None, typer.Option("--by", help="Print a table of scores by this property instead.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="PRED2", help="Compare with these trees by a paired bootstrap."
        ),
    ] = None,
    max_error: Annotated[
        int | None,
        typer.Option(
            "--max-error",
            metavar="N",
            help="Override MAX_ERROR: stop when more than N+1 sentences fail.",
        ),
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Leave out the rows of single sentences.")
    ] = False,
    resamples: Annotated[
        int, typer.Option("--resamples", min=1, help="Resamples of the bootstrap.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the bootstrap.")] = 1,
    on_error: OnErrorOption = OnError.stop,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="FILE", help="The file to write; standard output by default."
        ),
    ] = None,
) -> None:
    """Score trees against gold trees, with the figures and the output of EVALB.

    Files have one tree per line; if the first line leaves a bracket open, trees may span lines.
    Sentences that cannot be compared are listed on stderr.
    """
    if [gold, predicted, against].count("-") > 1:
        raise typer.BadParameter("only one of the files can be standard input (-)")
    run(
        gold,
        predicted,
        params=params,
        as_json=as_json,
        by=by,
        against=against,
        max_error=max_error,
        rows=not summary,
        resamples=resamples,
        seed=seed,
        on_error=on_error,
        out=out,
    )


def run(
    gold: str,
    predicted: str,
    *,
    params: str | None = None,
    as_json: bool = False,
    by: By | None = None,
    against: str | None = None,
    max_error: int | None = None,
    rows: bool = True,
    resamples: int = 10_000,
    seed: int = 1,
    on_error: OnError = OnError.stop,
    out: str | None = None,
) -> None:
    """Read and score the files, and write the result."""
    from whorl.evaluation import compare

    settings = _settings(params, max_error)
    reference = _read(gold, on_error)
    report = _report(reference, predicted, settings, on_error)
    comparison = None
    if against is not None:
        note(f"scoring {against}")
        other = _report(reference, against, settings, on_error)
        comparison = compare(report, other, resamples=resamples, seed=seed)
    if as_json:
        text = _json(report, comparison, rows=rows)
    elif comparison is not None:
        text = (_table(report, by) + "\n" if by else "") + _verdict(
            comparison, predicted, str(against)
        )
    else:
        text = _table(report, by) if by else report.evalb(rows=rows)
    with open_output(out) as file:
        file.write(text)


def _settings(path: str | None, max_error: int | None) -> Parameters:
    from whorl.evaluation import COLLINS, Parameters

    settings = COLLINS if path is None else Parameters.read(path)
    return settings if max_error is None else replace(settings, max_error=max_error)


def _read(path: str, on_error: OnError) -> list[SentenceTrees]:
    from whorl.evaluation import read_sentences

    skipped = on_error.collector()
    sentences = read_sentences(path, skipped=skipped)
    report_skipped(skipped)
    return sentences


def _report(
    reference: list[SentenceTrees], path: str, settings: Parameters, on_error: OnError
) -> Report:
    """Score one file, and list the errors that EVALB lists on stderr."""
    from whorl.evaluation import evaluate as score

    report = score(reference, _read(path, on_error), settings)
    for error in report.errors:
        print(error, file=sys.stderr)
    return report


def _json(report: Report, comparison: Comparison | None, *, rows: bool) -> str:
    import json

    document = report.to_dict()
    if not rows:
        del document["sentences"]
    if comparison is not None:
        document["comparison"] = comparison.to_dict()
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _table(report: Report, by: By) -> str:
    if by is By.confusion:
        return _confusion_table(report)
    if by is By.error:
        return _error_table(report)
    if by is By.attachment:
        return _attachment_table(report)
    if by is By.length:
        rows = [
            (
                f"{low}-{high}",
                str(t.valid),
                f"{t.recall:.2f}",
                f"{t.precision:.2f}",
                f"{t.f1:.2f}",
                f"{t.exact:.2f}",
            )
            for (low, high), t in report.by_length().items()
        ]
        return _aligned([("words", "sentences", "recall", "precision", "F1", "exact"), *rows])
    tallies = report.by_children() if by is By.children else report.by_label()
    lines = [
        (
            str(name),
            str(t.gold),
            str(t.predicted),
            f"{t.recall:.2f}",
            f"{t.precision:.2f}",
            f"{t.f1:.2f}",
        )
        for name, t in tallies.items()
    ]
    return _aligned([(by.value, "gold", "predicted", "recall", "precision", "F1"), *lines])


def _confusion_table(report: Report) -> str:
    """Return a line for each confusion of labels; `-` is no constituent over the span."""
    confusion = report.confusion().to_dict()
    lines = [(entry["gold"], entry["predicted"], entry["count"]) for entry in confusion["labels"]]
    lines += [(label, "-", count) for label, count in confusion["missed"].items()]
    lines += [("-", label, count) for label, count in confusion["spurious"].items()]
    lines.sort(key=lambda line: -line[2])
    return _aligned(
        [("gold", "predicted", "count"), *((a, b, str(count)) for a, b, count in lines)]
    )


def _error_table(report: Report) -> str:
    kinds = report.errors_by_kind().items()
    lines = [(kind, str(counts.missed), str(counts.spurious)) for kind, counts in kinds]
    return _aligned([("error", "missed", "spurious"), *lines])


def _attachment_table(report: Report) -> str:
    lines = [
        (label, *map(str, (a.total, a.right, a.higher, a.lower, a.beside)), f"{a.accuracy:.2f}")
        for label, a in report.attachments().items()
    ]
    header = ("attachment", "both", "right", "higher", "lower", "beside", "accuracy")
    return _aligned([header, *lines])


def _aligned(rows: list[tuple[str, ...]]) -> str:
    from whorl.reporting.tables import align_columns

    return "".join(f"{line}\n" for line in align_columns(rows))


def _verdict(comparison: Comparison, first: str, second: str) -> str:
    c = comparison
    figures = _aligned(
        [
            (f"F1 of {first}", f"{c.f1:.2f}"),
            (f"F1 of {second}", f"{c.other_f1:.2f}"),
            ("difference", f"{c.difference:+.2f}"),
            ("95 % interval, from", f"{c.low:+.2f}"),
            ("95 % interval, to", f"{c.high:+.2f}"),
            ("p-value (two-sided)", f"{c.p_value:.4f}"),
        ]
    )
    return (
        f"{figures}Paired bootstrap: {c.resamples} resamples of {c.sentences} sentences, "
        f"seed {c.seed}; {c.left_out} sentences not valid for both left out.\n"
    )
