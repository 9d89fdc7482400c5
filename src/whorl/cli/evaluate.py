"""`whorl evaluate`: score trees against gold trees as EVALB does, and break the scores down."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import OnError, OnErrorOption, note, open_output, report_skipped
from whorl.cli.scorings import Scoring, left_out, retagged, scoring_table, scorings, title

if TYPE_CHECKING:
    from whorl.evaluation import Comparison, Parameters, Report, SentenceTrees

__all__ = ["By", "evaluate", "run"]

_BRACKETS = ("-LRB-", "-RRB-")
"""Tags of the Penn Treebank's punctuation that EVALB counts there too."""


class By(str, Enum):
    """The breakdowns of a table of scores."""

    children = "children"
    length = "length"
    label = "label"
    confusion = "confusion"
    error = "error"
    attachment = "attachment"
    scoring = "scoring"


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
    scoring: Annotated[
        Scoring,
        typer.Option(
            "--scoring",
            help="Leave out what EVALB does, nothing, or the treebank's own punctuation.",
        ),
    ] = Scoring.evalb,
    punctuation: Annotated[
        str | None,
        typer.Option(
            "--punctuation",
            metavar="TAGS",
            help="The tags of the treebank's punctuation, separated by spaces; by default those "
            "whose words in GOLD show it.",
        ),
    ] = None,
    gold_tags: Annotated[
        bool,
        typer.Option(
            "--gold-tags", help="Score PRED under the tags of GOLD, as development F1 is."
        ),
    ] = False,
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
    if params is not None and (scoring is not Scoring.evalb or by is By.scoring):
        raise typer.BadParameter("--params FILE says itself what is left out: omit --scoring")
    if by is By.scoring and against is not None:
        raise typer.BadParameter("--by scoring is about one parser: omit --against")
    run(
        gold,
        predicted,
        params=params,
        scoring=scoring,
        punctuation=punctuation,
        gold_tags=gold_tags,
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
    scoring: Scoring = Scoring.evalb,
    punctuation: str | None = None,
    gold_tags: bool = False,
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

    reference = _read(gold, on_error)
    rules_by_name = scorings(reference, punctuation)
    settings = _settings(params, rules_by_name[scoring], max_error)
    if params is None and by is not By.scoring:
        _say_what_is_left_out(scoring, rules_by_name)

    def parsed(path: str) -> list[SentenceTrees]:
        sentences = _read(path, on_error)
        return retagged(reference, sentences) if gold_tags else sentences

    trees = parsed(predicted)
    if by is By.scoring and not as_json:
        text = scoring_table(reference, trees, rules_by_name)
    else:
        report = _report(reference, trees, settings)
        comparison = None
        if against is not None:
            note(f"scoring {against}")
            other = _report(reference, parsed(against), settings)
            comparison = compare(report, other, resamples=resamples, seed=seed)
        if as_json:
            text = _json(report, comparison, scoring if params is None else None, rows=rows)
        elif comparison is not None:
            text = (_table(report, by) + "\n" if by else "") + _verdict(
                comparison, predicted, str(against)
            )
        else:
            text = _table(report, by) if by else report.evalb(rows=rows)
    with open_output(out) as file:
        file.write(text)


def _say_what_is_left_out(scoring: Scoring, ways: Mapping[Scoring, Parameters]) -> None:
    """Name what is left out, unless it is the punctuation that EVALB's rules are about."""
    tags = left_out(ways[scoring])
    if scoring is not Scoring.evalb:
        listed = f"left out are {' '.join(tags)}" if tags else "nothing is left out"
        note(f"{title(scoring)}: {listed}")
        return
    own = [tag for tag in left_out(ways[Scoring.without_punctuation]) if tag not in _BRACKETS]
    if own and not set(own) & set(tags):
        note(
            f"EVALB's rules leave out the punctuation of the Penn Treebank, but that of GOLD has "
            f"the tags {' '.join(own)}, which count: --by scoring compares"
        )


def _settings(path: str | None, chosen: Parameters, max_error: int | None) -> Parameters:
    from whorl.evaluation import Parameters

    settings = chosen if path is None else Parameters.read(path)
    return settings if max_error is None else replace(settings, max_error=max_error)


def _read(path: str, on_error: OnError) -> list[SentenceTrees]:
    from whorl.evaluation import read_sentences

    skipped = on_error.collector()
    sentences = read_sentences(path, skipped=skipped)
    report_skipped(skipped)
    return sentences


def _report(
    reference: list[SentenceTrees], parsed: list[SentenceTrees], settings: Parameters
) -> Report:
    """Score one file, and list the errors that EVALB lists on stderr."""
    from whorl.evaluation import evaluate as score

    report = score(reference, parsed, settings)
    for error in report.errors:
        print(error, file=sys.stderr)
    return report


def _json(
    report: Report, comparison: Comparison | None, scoring: Scoring | None, *, rows: bool
) -> str:
    import json

    name = None if scoring is None else title(scoring)
    document = {"scoring": name, **report.to_dict()}
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
