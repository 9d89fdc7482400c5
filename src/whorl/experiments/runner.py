"""Performs the runs of experiments, several in parallel, each in a process with one thread."""

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
from whorl.experiments.runs import PARTS, Result, Run, find_result
from whorl.experiments.worker import make_tags
from whorl.files import write_json
from whorl.threads import thread_variables

__all__ = ["LineWatcher", "Watcher", "execute_runs", "merge_runs"]

_POLL = 0.2  # seconds between looks at the workers


class Watcher:
    """Observes the jobs, for a command line to show. This one ignores all events."""

    def planned(self, names: Sequence[str], done: int) -> None:
        """These jobs are to be done; `done` runs were done before."""

    def started(self, name: str) -> None:
        """A job has started."""

    def epoch(self, name: str, number: int, f1: float) -> None:
        """A run has finished an epoch with this development F1."""

    def finished(self, name: str, seconds: float, error: str) -> None:
        """A job has ended; `error` is empty on success."""


class LineWatcher(Watcher):
    """Writes lines of text, for logs: `LineWatcher(print)`."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._ended = self._total = 0

    def planned(self, names: Sequence[str], done: int) -> None:
        """Write how many jobs there are."""
        self._total = len(names)
        self._write(f"{self._total} jobs to do, {done} runs done before")

    def epoch(self, name: str, number: int, f1: float) -> None:
        """Write the epoch."""
        self._write(f"{name}: epoch {number}, development F1 {f1:.2f}")

    def finished(self, name: str, seconds: float, error: str) -> None:
        """Write how the job ended."""
        self._ended += 1
        outcome = error or "done"
        self._write(f"{name}: {outcome} after {seconds:.0f} s ({self._ended} of {self._total})")


@dataclass
class _Job:
    """The arguments of a worker process, and its log file."""

    name: str
    arguments: list[str]
    log: Path
    metrics: Path | None = None
    epochs: int = 0
    began: float = field(default_factory=time.monotonic)


def merge_runs(runs: Iterable[Run]) -> list[Run]:
    """Return each run once, with all of its beams."""
    merged: dict[str, Run] = {}
    for run in runs:
        known = merged.setdefault(run.name, run)
        if known.recipe != run.recipe:
            raise ExperimentError(f"two different runs have the name {run.name}")
        merged[run.name] = replace(known, beams=tuple(sorted({*known.beams, *run.beams})))
    return list(merged.values())


def execute_runs(
    runs: Iterable[Run], folder: str | Path, *, jobs: int = 1, watcher: Watcher | None = None
) -> dict[str, Result]:
    """Perform the runs that are not done, `jobs` at a time; return the results of all by name.

    Jackknifed tags are made first, once for all runs on the same treebank, in `FOLDER/tags` unless
    a recipe names another folder. Interrupted jobs resume. A run that fails does not stop the
    others; all failures are raised as one error at the end.
    """
    folder = Path(folder)
    watcher = watcher or Watcher()
    planned = [_sharing_tags(run, folder) for run in merge_runs(runs)]
    missing = [run for run in planned if find_result(run, folder) is None]
    if missing:
        _check(missing)
        tagging = _tag_jobs(missing, folder, jobs)
        training = [_run_job(run, folder) for run in missing]
        names = [job.name for job in (*tagging, *training)]
        watcher.planned(names, len(planned) - len(missing))
        for stage in (tagging, training):
            _perform(stage, jobs, watcher)
    results = {run.name: find_result(run, folder) for run in planned}
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


def _prepare_folder(run: Run, folder: Path) -> Path:
    place = folder / run.name
    place.mkdir(parents=True, exist_ok=True)
    write_json(place / "run.json", run.to_dict())
    return place


def _run_job(run: Run, folder: Path) -> _Job:
    place = _prepare_folder(run, folder)
    return _Job(run.name, [str(place / "run.json")], place / "log.txt", place / "metrics.jsonl")


def _tag_jobs(runs: Sequence[Run], folder: Path, jobs: int) -> list[_Job]:
    """Return jobs that make the tags which the runs need, one for each process."""
    tagging = []
    for data, run in {run.recipe.data: run for run in runs if _untrained(run, folder)}.items():
        if data.tags == "jackknife":
            place = _prepare_folder(run, folder)
            log = Path(data.tagging)
            log.mkdir(parents=True, exist_ok=True)
            parts = make_tags(run, place, [])
            for number in range(min(jobs, len(parts))):
                dealt = [str(part) for part in parts[number::jobs]]
                name = f"tags {number + 1} ({len(dealt)} parts)"
                tagging.append(
                    _Job(name, [str(place / "run.json"), *dealt], log / f"log-{number + 1}.txt")
                )
    return tagging


def _untrained(run: Run, folder: Path) -> bool:
    return not (folder / run.name / "result.json").exists()


def _perform(queue: Sequence[_Job], processes: int, watcher: Watcher) -> None:
    waiting, failed = list(queue), []
    active: list[tuple[_Job, subprocess.Popen[bytes]]] = []
    try:
        while waiting or active:
            while waiting and len(active) < max(1, processes):
                job = waiting.pop(0)
                active.append((job, _start(job)))
                watcher.started(job.name)
            time.sleep(_POLL)
            for job, process in list(active):
                _tell_epochs(job, watcher)
                if process.poll() is not None:
                    active.remove((job, process))
                    error = (
                        "" if process.returncode == 0 else _last_line(job.log, process.returncode)
                    )
                    failed += [f"{job.name}: {error}"] if error else []
                    watcher.finished(job.name, time.monotonic() - job.began, error)
    finally:
        for _, process in active:
            process.kill()
            process.wait()
    if failed:
        raise ExperimentError("\n  ".join([f"{len(failed)} of {len(queue)} jobs failed:", *failed]))


def _start(job: _Job) -> subprocess.Popen[bytes]:
    job.began = time.monotonic()
    job.epochs = len(_metrics(job))
    command = [sys.executable, "-m", "whorl.experiments.worker", *job.arguments]
    environment = {**os.environ, **thread_variables(1)}
    with job.log.open("wb") as log:
        return _popen(command, log, environment)


def _popen(
    command: list[str], log: IO[bytes], environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment)


def _tell_epochs(job: _Job, watcher: Watcher) -> None:
    rows = _metrics(job)
    for row in rows[job.epochs :]:
        watcher.epoch(job.name, int(row["number"]), row["dev_f1"])
    job.epochs = len(rows)


def _metrics(job: _Job) -> list[dict[str, float]]:
    if job.metrics is None or not job.metrics.exists():
        return []
    return [json.loads(line) for line in job.metrics.read_text(encoding="utf-8").splitlines()]


def _last_line(log: Path, code: int) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    written = [line for line in lines if line.strip()]
    return f"{written[-1] if written else f'ended with exit code {code}'} (see {log})"
