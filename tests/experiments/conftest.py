"""Experiments on a handful of trees: every run they need, with two seeds, made once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from tests.parsers import TEXT
from whorl.experiments.plans import accuracy, exploration, planned
from whorl.experiments.request import Request
from whorl.experiments.runs import perform
from whorl.training.recipe import Recipe
from whorl.trees import read_trees

SMALL = (
    "model.input_dim=16",
    "model.hidden_dim=16",
    "model.layers=1",
    "data.folds=2",
    "data.tags=gold",
    "training.batch=2",
    "training.epochs=2",
)


def write_treebank(folder: Path) -> list[str]:
    """A treebank of six trees, of which four are for development and five for testing; the settings that name it."""
    trees = [f"(TOP {tree})\n" for tree in read_trees(TEXT)]
    for name, part in (("train", trees), ("dev", trees[2:]), ("test", trees[:5])):
        (folder / f"{name}.txt").write_text("".join(part), encoding="utf-8")
    return [f"data.{name}={folder / f'{name}.txt'}" for name in ("train", "dev", "test")]


@pytest.fixture
def base(tmp_path: Path) -> Recipe:
    """A recipe for a tiny parser on a tiny treebank."""
    return Recipe().override([*write_treebank(tmp_path), *SMALL])


@pytest.fixture(scope="session")
def request_done(tmp_path_factory: pytest.TempPathFactory) -> Request:
    """A request all of whose runs are done."""
    folder = tmp_path_factory.mktemp("experiments")
    fast = ["training.optimiser=adam", "training.rate=0.02", "training.epochs=3"]
    base = Recipe().override([*write_treebank(folder), *SMALL, *fast])
    request = Request(
        base, seeds=(1, 2), runs=folder / "runs", treebank="Six trees", command="whorl reproduce x", beam=2
    )
    for run in planned([*accuracy(base), *exploration(base)], base, request.seeds, request.beams):
        perform(run, request.runs)
    return request
