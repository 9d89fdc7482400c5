"""`whorl reproduce`: the paper's experiments, for any treebank."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.tables import show_table
from whorl.errors import ExperimentError
from whorl.threads import thread_variables

if TYPE_CHECKING:
    from whorl.experiments.runner import Watcher

__all__ = ["reproduce"]


@guarded
def reproduce(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="exploration, accuracy, speed, children, length or all; or the paper's 2, 3, 4, 5, 7, figure10.",
        ),
    ],
    recipe: Annotated[
        str | None,
        typer.Argument(
            metavar="[RECIPE]",
            help="A recipe by name, such as stack-lstm, or a TOML file; flags override it.",
        ),
    ] = None,
    *,
    train_trees: Annotated[
        str | None, typer.Option("--train", help="Training trees: a file or a treebank.")
    ] = None,
    dev_trees: Annotated[str | None, typer.Option("--dev", help="Development trees.")] = None,
    test_trees: Annotated[str | None, typer.Option("--test", help="Test trees.")] = None,
    vectors: Annotated[
        str | None, typer.Option("--vectors", help="Word vectors, as text or .gz.")
    ] = None,
    seeds: Annotated[
        str, typer.Option("--seeds", metavar="N,N,…", help="One run of each setting for each.")
    ] = "1,2,3",
    epochs: Annotated[int | None, typer.Option("--epochs", help="The most epochs.")] = None,
    device: Annotated[
        str | None, typer.Option("--device", help="Where to train: cpu or cuda.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Override any key of the recipe."),
    ] = None,
    runs: Annotated[
        str, typer.Option("--runs", metavar="DIR", help="Where the runs are kept.")
    ] = "runs",
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="Where the tables go.")
    ] = "reproduction",
    name: Annotated[
        str, typer.Option("--name", help="The treebank's name, for headings.")
    ] = "the treebank",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Runs side by side, with one thread each.")
    ] = 1,
    beam: Annotated[
        int, typer.Option("--beam", min=1, help="accuracy: parse with a beam of this width too.")
    ] = 1,
    long: Annotated[
        str,
        typer.Option("--long", metavar="FILE", help="length: more sentences, such as long ones."),
    ] = "",
    batch: Annotated[
        int, typer.Option("--batch", min=1, help="speed: sentences parsed together.")
    ] = 256,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="speed and length: the best of so many.")
    ] = 3,
    done: Annotated[
        bool,
        typer.Option(
            "--done", help="Train nothing: tables of the runs that are done, whatever is missing."
        ),
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only list the runs, and which of them are done.")
    ] = False,
) -> None:
    """Reproduce a table or figure of the paper on a treebank.

    The parsers that it needs are trained into the folder of --runs, except those that are there
    already; the table is then written as Markdown and JSON, beside the paper's own figures.
    Interrupted, the same command goes on.
    """
    os.environ.update(
        thread_variables(1)
    )  # before NumPy is imported: what is timed here is timed on one core
    from whorl.experiments import reproduce as experiments
    from whorl.experiments.request import Request
    from whorl.training.recipe import Recipe

    names = experiments.chosen(table)
    flags = {
        "data.train": train_trees,
        "data.dev": dev_trees,
        "data.test": test_trees,
        "data.vectors": vectors,
        "training.epochs": epochs,
        "training.device": device,
    }
    request = Request(
        base=Recipe.chosen(recipe, flags, settings),
        seeds=_seeds(seeds),
        runs=Path(runs),
        treebank=name,
        command=shlex.join(["whorl", *sys.argv[1:]]),
        jobs=jobs,
        beam=beam,
        long=long,
        batch=batch,
        rounds=rounds,
        done=done,
    )
    if plan:
        missing = {run.name for run in experiments.missing(names, request)}
        for run in experiments.runs_of(names, request):
            print(f"{run.name}\t{'to do' if run.name in missing else 'done'}")
        return
    if not done:
        with _watcher() as watcher:  # gone before anything is timed
            experiments.prepare(names, request, watcher=watcher)
    for document in experiments.documents(names, request, say=note):
        for part in document.tables:
            show_table(
                part.title,
                part.header,
                [[cell.replace("**", "") for cell in row] for row in part.rows],
            )
        written = document.save(out)
        note(f"wrote {', '.join(map(str, written))}")


def _seeds(text: str) -> list[int]:
    try:
        seeds = [int(seed) for seed in text.replace(",", " ").split()]
    except ValueError:
        seeds = []
    if not seeds or min(seeds) < 0:
        raise ExperimentError(f"--seeds must be numbers such as 1,2,3, not {text!r}")
    return list(dict.fromkeys(seeds))


@contextmanager
def _watcher() -> Iterator[Watcher]:
    """Shows progress: bars on a terminal, lines otherwise."""
    from whorl.cli.progress import ProgressDisplay
    from whorl.experiments.runner import Lines, Watcher

    if not sys.stderr.isatty():
        yield Lines(note)
        return

    class Bars(Watcher):
        def planned(self, names: Sequence[str], done: int) -> None:
            self.finished_count, self.total, self.before = 0, len(names), done
            self.show_total()

        def started(self, name: str) -> None:
            bars.show(name, None)

        def epoch(self, name: str, number: int, f1: float) -> None:
            bars.show(name, None, text=f"{name}: epoch {number}, development F1 {f1:.2f}")

        def finished(self, name: str, seconds: float, error: str) -> None:
            bars.hide(name)
            note(f"{name}: {error or 'done'} after {seconds:.0f} s")
            self.finished_count += 1
            self.show_total()

        def show_total(self) -> None:
            text = f"all, after {self.before} done before"
            detail = f"{self.finished_count} of {self.total}"
            bars.show("all", self.finished_count / self.total, text=text, detail=detail)

    with ProgressDisplay(several=True) as bars:
        yield Bars()
