"""A tiny treebank, and settings of tiny parsers for it."""

from __future__ import annotations

from pathlib import Path

from tests.parsers import TEXT
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
    """Write a treebank of six trees, four of them for development and five for testing.

    Return the settings that name its files.
    """
    trees = [f"(TOP {tree})\n" for tree in read_trees(TEXT)]
    for name, part in (("train", trees), ("dev", trees[2:]), ("test", trees[:5])):
        (folder / f"{name}.txt").write_text("".join(part), encoding="utf-8")
    return [f"data.{name}={folder / f'{name}.txt'}" for name in ("train", "dev", "test")]
