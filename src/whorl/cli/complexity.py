"""`whorl complexity`: the measures of the L2 Syntactic Complexity Analyzer.

Annotations are evaluated here, not postponed: Typer would evaluate them one by one, which is slow.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from whorl.cli.choices import Newline
from whorl.cli.common import OnError, OnErrorOption, guarded, open_output
from whorl.cli.options import (
    BatchOption,
    ConventionOption,
    DeviceOption,
    HyphensOption,
    JobsOption,
    ModelOption,
    NewlineOption,
    TokensOption,
)
from whorl.errors import TextError

if TYPE_CHECKING:
    from whorl.complexity import Counts

__all__ = ["complexity"]

_DECIMALS = 4  # as in the published analyzer
_TABLE_DECIMALS = 2
_TABLES = {
    "Structures": ("W", "S", "VP", "C", "T", "DC", "CT", "CP", "CN"),
    "Length and subordination": ("MLS", "MLT", "MLC", "C/S", "C/T", "CT/T", "DC/C", "DC/T"),
    "Coordination and particular structures": ("T/S", "CP/T", "CP/C", "VP/T", "CN/T", "CN/C"),
}
_TEXTS = "*.txt"
_NAME = "Filename"


@guarded
def complexity(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|FOLDER|-]...",
            help="Texts, or folders of .txt files; - is standard input, which is also the default.",
        ),
    ] = None,
    *,
    trees: Annotated[
        bool,
        typer.Option("--trees", help="The input is bracketed trees, or the folders of treebanks."),
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    mean: Annotated[
        bool | None,
        typer.Option(
            "--mean/--no-mean",
            show_default="yes, except in CSV",
            help="Add the mean over several files.",
        ),
    ] = None,
    model: ModelOption = None,
    tokens: TokensOption = False,
    newline: NewlineOption = Newline.space,
    hyphens: HyphensOption = None,
    batch: BatchOption = None,
    jobs: JobsOption = 1,
    convention: ConventionOption = None,
    device: DeviceOption = "cpu",
    on_error: OnErrorOption = OnError.stop,
    out: Annotated[
        str, typer.Option("--out", "-o", help="The file to write; standard output by default.")
    ] = "-",
) -> None:
    """Measure the syntactic complexity of texts, as the L2 Syntactic Complexity Analyzer does.

    Counts words, sentences, verb phrases, clauses, T-units, dependent clauses, complex T-units,
    coordinate phrases and complex nominals, and prints the fourteen indices of Lu (2010).
    """
    from whorl.cli.measuring import measure_text, measure_trees
    from whorl.cli.parsing import ParsingOptions

    if as_csv and as_json:
        raise typer.BadParameter("--csv and --json exclude each other")
    if trees:
        counts = measure_trees(inputs or [], on_error)
    else:
        parsing = ParsingOptions(
            model, device, convention, tokens, newline, hyphens, batch=batch, jobs=jobs
        )
        counts = measure_text(_texts(inputs or []), parsing)
    with_mean = (not as_csv if mean is None else mean) and len(counts) > 1
    with open_output(out) as file:
        if as_json:
            _write_json(counts, file, with_mean=with_mean)
        elif as_csv:
            _write_csv(counts, file, with_mean=with_mean)
        else:
            _write_tables(counts, file, with_mean=with_mean)


def _texts(inputs: Sequence[str]) -> list[str]:
    """Return the inputs with the texts of a folder in its place."""
    files = []
    for name in inputs:
        folder = Path(name)
        if not folder.is_dir():
            files.append(name)
            continue
        below = sorted(str(path) for path in folder.rglob(_TEXTS) if path.is_file())
        if not below:
            raise TextError(f"{name}: no texts found; expected files {_TEXTS} below it")
        files += below
    return files


def _rows(
    counts: "Mapping[str, Counts]", *, with_mean: bool
) -> list[tuple[str, Mapping[str, float]]]:
    """Return the measures of each file, and last their mean."""
    from whorl.complexity import mean_measures

    rows: list[tuple[str, Mapping[str, float]]]
    rows = [(name, {**file.as_dict(), **file.indices()}) for name, file in counts.items()]
    return [*rows, ("mean", mean_measures(list(counts.values())))] if with_mean else rows


def _show(value: float, decimals: int = _DECIMALS) -> str:
    return str(value) if isinstance(value, int) else f"{value:.{decimals}f}"


def _write_csv(counts: "Mapping[str, Counts]", file: IO[str], *, with_mean: bool) -> None:
    import csv

    rows = _rows(counts, with_mean=with_mean)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_NAME, *rows[0][1]])
    writer.writerows([name, *map(_show, measures.values())] for name, measures in rows)


def _write_json(counts: "Mapping[str, Counts]", file: IO[str], *, with_mean: bool) -> None:
    import json

    records = [
        {"source": name, **{key: round(value, _DECIMALS) for key, value in measures.items()}}
        for name, measures in _rows(counts, with_mean=with_mean)
    ]
    result: dict[str, Any] = {"files": records[: len(counts)]}
    if with_mean:
        del records[-1]["source"]
        result["mean"] = records[-1]
    file.write(json.dumps(result, ensure_ascii=False, indent=2) + "\n")


def _write_tables(counts: "Mapping[str, Counts]", file: IO[str], *, with_mean: bool) -> None:
    from whorl.cli.tables import write_table

    rows = _rows(counts, with_mean=with_mean)
    for number, (title, keys) in enumerate(_TABLES.items()):
        if number:
            file.write("\n")
        cells = [
            (name, *(_show(measures[key], _TABLE_DECIMALS) for key in keys))
            for name, measures in rows
        ]
        write_table(title, ("file", *keys), cells, file)
