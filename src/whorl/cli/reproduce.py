"""`whorl reproduce`: the paper's experiments on any treebank."""

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
from whorl.cli.options import (
    EpochsOption,
    RecipeArgument,
    SettingsOption,
    TrainingDeviceOption,
    TrainTreesOption,
    VectorsOption,
)
from whorl.cli.tables import show_table
from whorl.errors import ExperimentError
from whorl.threads import thread_variables

if TYPE_CHECKING:
    from whorl.experiments.runner import Watcher
    from whorl.training.recipe import Recipe

__all__ = ["reproduce"]


@guarded
def reproduce(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help=(
                "exploration, accuracy, speed, children, length or all; or the paper's "
                "2, 3, 4, 5, 7, figure10; or languages."
            ),
        ),
    ],
    recipe: RecipeArgument = None,
    *,
    train_trees: TrainTreesOption = None,
    dev_trees: Annotated[str | None, typer.Option("--dev", help="Development trees.")] = None,
    test_trees: Annotated[str | None, typer.Option("--test", help="Test trees.")] = None,
    vectors: VectorsOption = None,
    seeds: Annotated[
        str, typer.Option("--seeds", metavar="N,N,…", help="Run each setting once with each seed.")
    ] = "1,2,3",
    epochs: EpochsOption = None,
    device: TrainingDeviceOption = None,
    settings: SettingsOption = None,
    runs: Annotated[
        str, typer.Option("--runs", metavar="DIR", help="The folder of the training runs.")
    ] = "runs",
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="The folder of the tables.")
    ] = "reproduction",
    name: Annotated[
        str, typer.Option("--name", help="The name of the treebank in headings.")
    ] = "the treebank",
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=1, help="Worker processes, one run and one thread each."),
    ] = 1,
    beam: Annotated[
        int, typer.Option("--beam", min=1, help="accuracy: also parse with a beam of this width.")
    ] = 1,
    long: Annotated[
        str,
        typer.Option("--long", metavar="FILE", help="length: time these sentences too."),
    ] = "",
    batch: Annotated[
        int, typer.Option("--batch", min=1, help="speed: sentences parsed together.")
    ] = 256,
    rounds: Annotated[
        int,
        typer.Option("--rounds", min=1, help="speed and length: the fastest of this many rounds."),
    ] = 3,
    done: Annotated[
        bool,
        typer.Option("--done", help="Train nothing; tabulate the runs that are done."),
    ] = False,
    treebanks: Annotated[
        list[str] | None,
        typer.Option(
            "--treebank",
            metavar="NAME=DIR",
            help="languages: a folder of train.txt, dev.txt and test.txt; repeat it.",
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="languages: the most training trees of each.")
    ] = 8000,
    plan: Annotated[
        bool, typer.Option("--plan", help="List the runs and whether they are done, then stop.")
    ] = False,
) -> None:
    """Reproduce a table or figure of the paper on a treebank.

    Parsers that are not in the folder of --runs are trained first. The table is then written as
    Markdown and JSON, beside the paper's figures. An interrupted command resumes when repeated.
    """
    os.environ.update(thread_variables(1))  # before NumPy is imported: timings are of one core
    from whorl.experiments import reproduce as experiments
    from whorl.experiments.request import Request
    from whorl.training.recipe import Recipe

    if table == "languages":
        base = Recipe.chosen(
            recipe, {"training.epochs": epochs, "training.device": device}, settings
        )
        _languages(
            base, treebanks or [], _seeds(seeds), runs, out, limit=limit, jobs=jobs, plan=plan
        )
        return
    names = experiments.resolve_name(table)
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
        missing = {run.name for run in experiments.missing_runs(names, request)}
        for run in experiments.runs_of(names, request):
            print(f"{run.name}\t{'to do' if run.name in missing else 'done'}")
        return
    if not done:
        with _watcher() as watcher:  # closed before anything is timed
            experiments.perform_missing(names, request, watcher=watcher)
    for report in experiments.make_reports(names, request, log=note):
        for part in report.tables:
            rows = [[cell.replace("**", "") for cell in row] for row in part.rows]
            show_table(part.title, part.header, rows)
        note(f"wrote {', '.join(map(str, report.save(out)))}")


def _languages(
    base: Recipe,
    treebanks: Sequence[str],
    seeds: Sequence[int],
    runs: str,
    out: str,
    *,
    limit: int,
    jobs: int,
    plan: bool,
) -> None:
    """Compare the non-binary and the binary system on several treebanks."""
    from whorl.experiments import languages
    from whorl.experiments.runs import find_result

    named = dict(_treebank(argument) for argument in treebanks)
    if not named:
        raise ExperimentError("languages needs treebanks: give --treebank NAME=DIR, once for each")
    request = languages.LanguageRequest(
        base=base,
        treebanks=named,
        seeds=seeds,
        runs=Path(runs),
        limit=limit,
        command=shlex.join(["whorl", *sys.argv[1:]]),
        jobs=jobs,
    )
    if plan:
        for run in languages.language_runs(request):
            print(f"{run.name}\t{'done' if find_result(run, runs) else 'to do'}")
        return
    with _watcher() as watcher:
        languages.perform_language_runs(request, watcher=watcher)
    report = languages.compare_systems(request)
    for part in report.tables:
        show_table(part.title, part.header, part.rows)
    note(f"wrote {', '.join(map(str, report.save(out)))}")


def _treebank(argument: str) -> tuple[str, Path]:
    name, equals, folder = argument.partition("=")
    if not (name and equals and folder):
        raise ExperimentError(f"--treebank must be NAME=DIR, not {argument!r}")
    if not Path(folder).is_dir():
        raise ExperimentError(
            f"--treebank {argument}: no such folder; expected one with train.txt, dev.txt, test.txt"
        )
    return name, Path(folder)


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
    """Yield a watcher that shows bars on a terminal, or else writes lines."""
    from whorl.cli.progress import ProgressDisplay
    from whorl.experiments.runner import LineWatcher, Watcher

    if not sys.stderr.isatty():
        yield LineWatcher(note)
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
