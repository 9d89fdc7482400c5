"""The paper's experiments by name: what runs each needs, and what it makes of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from whorl.errors import ExperimentError
from whorl.experiments import plans
from whorl.experiments.accuracy import accuracy
from whorl.experiments.children import children
from whorl.experiments.document import Document
from whorl.experiments.exploration import exploration
from whorl.experiments.length import length
from whorl.experiments.request import Found, Request
from whorl.experiments.runner import Watcher, execute, unique
from whorl.experiments.runs import Run, find
from whorl.experiments.speed import speed
from whorl.training.recipe import Recipe

__all__ = [
    "ALIASES",
    "EXPERIMENTS",
    "Experiment",
    "chosen",
    "documents",
    "missing",
    "prepare",
    "runs_of",
]


@dataclass(frozen=True, slots=True)
class Experiment:
    """The settings that an experiment compares, what it writes about them, and whether every seed takes part."""

    settings: Callable[[Recipe], list[plans.Setting]]
    write: Callable[[Found], Document]
    all_seeds: bool = True


EXPERIMENTS = {
    "exploration": Experiment(plans.exploration, exploration),
    "accuracy": Experiment(plans.accuracy, accuracy),
    "speed": Experiment(lambda _: plans.static(), speed, all_seeds=False),
    "children": Experiment(lambda _: plans.static(), children),
    "length": Experiment(lambda _: plans.static(), length, all_seeds=False),
}

ALIASES = {
    "2": "exploration",
    "3": "accuracy",
    "4": "accuracy",
    "5": "speed",
    "7": "children",
    "figure10": "length",
}
"""The paper's numbers of them."""


def chosen(name: str) -> list[str]:
    """The experiments that a name stands for: one, by its name or the paper's number, or all."""
    if name == "all":
        return list(EXPERIMENTS)
    known = ALIASES.get(name.lower().removeprefix("table").strip(" -"), name.lower())
    if known not in EXPERIMENTS:
        raise ExperimentError(
            f"unknown experiment {name!r}: expected {', '.join(EXPERIMENTS)}, all, or the paper's {', '.join(ALIASES)}"
        )
    return [known]


def runs_of(names: Sequence[str], request: Request) -> list[Run]:
    """All runs that some experiments need, each once."""
    wanted: list[Run] = []
    for name in names:
        experiment = EXPERIMENTS[name]
        beams = request.beams if name == "accuracy" else (1,)
        seeds = _narrowed(name, request).seeds
        wanted += plans.planned(experiment.settings(request.base), request.base, seeds, beams)
    return unique(wanted)


def _narrowed(name: str, request: Request) -> Request:
    """The request with the seeds that the experiment looks at."""
    return request if EXPERIMENTS[name].all_seeds else replace(request, seeds=request.seeds[:1])


def missing(names: Sequence[str], request: Request) -> list[Run]:
    """Those of the runs that are not done."""
    return [run for run in runs_of(names, request) if find(run, request.runs) is None]


def prepare(names: Sequence[str], request: Request, *, watcher: Watcher | None = None) -> None:
    """Do the runs that are missing for these experiments."""
    execute(runs_of(names, request), request.runs, jobs=request.jobs, watcher=watcher)


def documents(
    names: Sequence[str], request: Request, *, say: Callable[[str], None] | None = None
) -> Iterator[Document]:
    """The documents of experiments whose runs are done, one after another; some are measured now, as `say` hears."""
    for name in names:
        results = {run.name: find(run, request.runs) for run in runs_of([name], request)}
        undone = [name for name, result in results.items() if result is None]
        if undone and not (request.done and len(undone) < len(results)):
            raise ExperimentError(
                f"{len(undone)} runs in {request.runs} are not done: {', '.join(undone)}"
            )
        found = {name: result for name, result in results.items() if result is not None}
        yield EXPERIMENTS[name].write(
            Found(_narrowed(name, request), found, say or (lambda _: None))
        )
