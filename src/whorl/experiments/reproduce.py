"""The paper's experiments by name: the runs each needs, and the report of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from whorl.errors import ExperimentError
from whorl.experiments import plans
from whorl.experiments.accuracy import accuracy
from whorl.experiments.children import children
from whorl.experiments.exploration import exploration
from whorl.experiments.length import length
from whorl.experiments.report import ExperimentReport
from whorl.experiments.request import ExperimentResults, Request
from whorl.experiments.runner import Watcher, execute_runs, merge_runs
from whorl.experiments.runs import Run, find_result
from whorl.experiments.speed import speed
from whorl.training.recipe import Recipe

__all__ = [
    "ALIASES",
    "EXPERIMENTS",
    "Experiment",
    "make_reports",
    "missing_runs",
    "perform_missing",
    "resolve_name",
    "runs_of",
]


@dataclass(frozen=True, slots=True)
class Experiment:
    """The settings that an experiment compares, its report, and whether it uses every seed."""

    settings: Callable[[Recipe], list[plans.Setting]]
    write: Callable[[ExperimentResults], ExperimentReport]
    all_seeds: bool = True


EXPERIMENTS = {
    "exploration": Experiment(plans.exploration_settings, exploration),
    "accuracy": Experiment(plans.accuracy_settings, accuracy),
    "speed": Experiment(lambda _: plans.static_settings(), speed, all_seeds=False),
    "children": Experiment(lambda _: plans.static_settings(), children),
    "length": Experiment(lambda _: plans.static_settings(), length, all_seeds=False),
}

ALIASES = {
    "2": "exploration",
    "3": "accuracy",
    "4": "accuracy",
    "5": "speed",
    "7": "children",
    "figure10": "length",
}
"""The numbers of the paper's tables and figures."""


def resolve_name(name: str) -> list[str]:
    """Return the experiments that a name, a number of the paper, or `all` stands for."""
    if name == "all":
        return list(EXPERIMENTS)
    known = ALIASES.get(name.lower().removeprefix("table").strip(" -"), name.lower())
    if known not in EXPERIMENTS:
        raise ExperimentError(
            f"unknown experiment {name!r}: expected {', '.join(EXPERIMENTS)}, all, or the paper's "
            f"{', '.join(ALIASES)}"
        )
    return [known]


def runs_of(names: Sequence[str], request: Request) -> list[Run]:
    """Return the runs that experiments need, each once."""
    runs: list[Run] = []
    for name in names:
        experiment = EXPERIMENTS[name]
        beams = request.beams if name == "accuracy" else (1,)
        seeds = _with_used_seeds(name, request).seeds
        runs += plans.plan_runs(experiment.settings(request.base), request.base, seeds, beams)
    return merge_runs(runs)


def _with_used_seeds(name: str, request: Request) -> Request:
    """Return the request with the seeds that the experiment uses."""
    return request if EXPERIMENTS[name].all_seeds else replace(request, seeds=request.seeds[:1])


def missing_runs(names: Sequence[str], request: Request) -> list[Run]:
    """Return the runs that are not done."""
    return [run for run in runs_of(names, request) if find_result(run, request.runs) is None]


def perform_missing(
    names: Sequence[str], request: Request, *, watcher: Watcher | None = None
) -> None:
    """Perform the missing runs of these experiments."""
    execute_runs(runs_of(names, request), request.runs, jobs=request.jobs, watcher=watcher)


def make_reports(
    names: Sequence[str], request: Request, *, log: Callable[[str], None] | None = None
) -> Iterator[ExperimentReport]:
    """Yield the reports of experiments whose runs are done; `log` hears what is being measured."""
    for name in names:
        results = {run.name: find_result(run, request.runs) for run in runs_of([name], request)}
        undone = [name for name, result in results.items() if result is None]
        if undone and not (request.done and len(undone) < len(results)):
            raise ExperimentError(
                f"{len(undone)} runs in {request.runs} are not done: {', '.join(undone)}"
            )
        done = {name: result for name, result in results.items() if result is not None}
        yield EXPERIMENTS[name].write(
            ExperimentResults(_with_used_seeds(name, request), done, log or (lambda _: None))
        )
