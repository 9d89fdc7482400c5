"""Experiments on six trees: every run with two seeds, performed once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from tests.experiments.small import SMALL, write_treebank
from whorl.experiments.plans import accuracy_settings, exploration_settings, plan_runs
from whorl.experiments.request import Request
from whorl.experiments.runs import perform_run
from whorl.training.recipe import Recipe


@pytest.fixture
def base(tmp_path: Path) -> Recipe:
    """A recipe for a tiny parser on a tiny treebank."""
    return Recipe().override([*write_treebank(tmp_path), *SMALL])


@pytest.fixture(scope="session")
def request_done(tmp_path_factory: pytest.TempPathFactory) -> Request:
    """A request whose runs are all done."""
    folder = tmp_path_factory.mktemp("experiments")
    fast = ["training.optimiser=adam", "training.rate=0.02", "training.epochs=3"]
    base = Recipe().override([*write_treebank(folder), *SMALL, *fast])
    request = Request(
        base,
        seeds=(1, 2),
        runs=folder / "runs",
        treebank="Six trees",
        command="whorl reproduce x",
        beam=2,
    )
    settings = [*accuracy_settings(base), *exploration_settings(base)]
    for run in plan_runs(settings, base, request.seeds, request.beams):
        perform_run(run, request.runs)
    return request
