"""Performs the runs of experiments, several side by side, each in a process with one thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from whorl.errors import ExperimentError, RecipeError
from whorl.experiments.runs import PARTS, Result, Run, find
from whorl.experiments.worker import make_tags
from whorl.files import write_json
from whorl.threads import thread_variables

__all__ = ["Lines", "Watcher", "execute", "unique"]

_POLL = 0.2  # seconds between looks at the workers


class Watcher:
    """Hears how the work goes; a command line shows it. This one says nothing."""

    def planned(self, names: Sequence[str], done: int) -> None:
        """These pieces of work are to be done, and so many runs were done before."""

    def started(self, name: str) -> None:
        """A piece of work has begun."""

    def epoch(self, name: str, number: int, f1: float) -> None:
        """A run has finished an epoch with this development F1."""

    def finished(self, name: str, seconds: float, error: str) -> None:
        """A piece of work has ended; `error` is empty where it ended well."""


class Lines(Watcher):
    """Tells how the work goes in lines of text, for logs: `Lines(print)`."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.ended = self.total = 0

    def planned(self, names: Sequence[str], done: int) -> None:
        """Say how much there is to do."""
        self.total = len(names)
        self.say(f"{self.total} pieces of work to do, {done} runs done before")

    def epoch(self, name: str, number: int, f1: float) -> None:
        """Say how far a run is."""
        self.say(f"{name}: epoch {number}, development F1 {f1:.2f}")

    def finished(self, name: str, seconds: float, error: str) -> None:
        """Say what has ended."""
        self.ended += 1
        self.say(f"{name}: {error or 'done'} after {seconds:.0f} s ({self.ended} of {self.total})")


@dataclass
class _Work:
    """A piece of work: its name, what to tell the worker, where it logs."""

    name: str
    arguments: list[str]
    log: Path
    metrics: Path | None = None
    epochs: int = 0
    began: float = field(default_factory=time.monotonic)


def unique(runs: Iterable[Run]) -> list[Run]:
    """Every run once, with all the beams that it is wanted with."""
    merged: dict[str, Run] = {}
    for run in runs:
        known = merged.setdefault(run.name, run)
        if known.recipe != run.recipe:
            raise ExperimentError(f"two different runs have the name {run.name}")
        merged[run.name] = replace(known, beams=tuple(sorted({*known.beams, *run.beams})))
    return list(merged.values())


def execute(
    runs: Iterable[Run], folder: str | Path, *, jobs: int = 1, watcher: Watcher | None = None
) -> dict[str, Result]:
    """Perform the runs that are not done, `jobs` at a time; the results of all by name.

    Jackknifed tags are made first, once for all runs on the same treebank, in `FOLDER/tags` unless
    a recipe has another place for them. Work that was interrupted is taken up. A run that fails
    does not stop the others; what failed is an error in the end.
    """
    folder = Path(folder)
    watcher = watcher or Watcher()
    planned = [_sharing_tags(run, folder) for run in unique(runs)]
    missing = [run for run in planned if find(run, folder) is None]
    if missing:
        _check(missing)
        tagging = _tag_work(missing, folder, jobs)
        training = [_run_work(run, folder) for run in missing]
        names = [work.name for work in (*tagging, *training)]
        watcher.planned(names, len(planned) - len(missing))
        for pieces in (tagging, training):
            _perform(pieces, jobs, watcher)
    results = {run.name: find(run, folder) for run in planned}
    return {name: result for name, result in results.items() if result is not None}


def _check(runs: Sequence[Run]) -> None:
    for run in runs:
        for part in PARTS:
            if not getattr(run.recipe.data, part):
                raise RecipeError(
                    f"{run.name} is not done, and the recipe names no {part} trees: set data.{part}"
                )


def _sharing_tags(run: Run, folder: Path) -> Run:
    data = run.recipe.data
    if data.tagging or data.tags != "jackknife":
        return run
    return replace(
        run, recipe=replace(run.recipe, data=replace(data, tagging=str(folder / "tags")))
    )


def _written(run: Run, folder: Path) -> Path:
    place = folder / run.name
    place.mkdir(parents=True, exist_ok=True)
    write_json(place / "run.json", run.to_dict())
    return place


def _run_work(run: Run, folder: Path) -> _Work:
    place = _written(run, folder)
    return _Work(run.name, [str(place / "run.json")], place / "log.txt", place / "metrics.jsonl")


def _tag_work(runs: Sequence[Run], folder: Path, jobs: int) -> list[_Work]:
    """The parts of tags to make before the runs that need them, dealt out to as many workers as there are jobs."""
    works = []
    for data, run in {run.recipe.data: run for run in runs if _untrained(run, folder)}.items():
        if data.tags == "jackknife":
            place = _written(run, folder)
            log = Path(data.tagging)
            log.mkdir(parents=True, exist_ok=True)
            parts = make_tags(run, place, [])
            for number in range(min(jobs, len(parts))):
                dealt = [str(part) for part in parts[number::jobs]]
                name = f"tags {number + 1} ({len(dealt)} parts)"
                works.append(
                    _Work(name, [str(place / "run.json"), *dealt], log / f"log-{number + 1}.txt")
                )
    return works


def _untrained(run: Run, folder: Path) -> bool:
    return not (folder / run.name / "result.json").exists()


def _perform(works: Sequence[_Work], jobs: int, watcher: Watcher) -> None:
    waiting, failed = list(works), []
    active: list[tuple[_Work, subprocess.Popen[bytes]]] = []
    try:
        while waiting or active:
            while waiting and len(active) < max(1, jobs):
                work = waiting.pop(0)
                active.append((work, _start(work)))
                watcher.started(work.name)
            time.sleep(_POLL)
            for work, process in list(active):
                _tell_epochs(work, watcher)
                if process.poll() is not None:
                    active.remove((work, process))
                    error = (
                        "" if process.returncode == 0 else _last_line(work.log, process.returncode)
                    )
                    failed += [f"{work.name}: {error}"] if error else []
                    watcher.finished(work.name, time.monotonic() - work.began, error)
    finally:
        for _, process in active:
            process.kill()
            process.wait()
    if failed:
        raise ExperimentError(
            "\n  ".join([f"{len(failed)} of {len(works)} pieces of work failed:", *failed])
        )


def _start(work: _Work) -> subprocess.Popen[bytes]:
    work.began = time.monotonic()
    work.epochs = len(_metrics(work))
    command = [sys.executable, "-m", "whorl.experiments.worker", *work.arguments]
    environment = {**os.environ, **thread_variables(1)}
    with work.log.open("wb") as log:
        return _popen(command, log, environment)


def _popen(
    command: list[str], log: IO[bytes], environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment)


def _tell_epochs(work: _Work, watcher: Watcher) -> None:
    rows = _metrics(work)
    for row in rows[work.epochs :]:
        watcher.epoch(work.name, int(row["number"]), row["dev_f1"])
    work.epochs = len(rows)


def _metrics(work: _Work) -> list[dict[str, float]]:
    if work.metrics is None or not work.metrics.exists():
        return []
    return [json.loads(line) for line in work.metrics.read_text(encoding="utf-8").splitlines()]


def _last_line(log: Path, code: int) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    said = [line for line in lines if line.strip()]
    return f"{said[-1] if said else f'ended with exit code {code}'} (see {log})"
