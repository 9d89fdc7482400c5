"""A small span parser, trained on a handful of trees and exported to run without PyTorch."""

from __future__ import annotations

from pathlib import Path

from tests.spans import span_recipe, write_treebank
from whorl.span.export import export_runtime
from whorl.training.run import train


def make_exported(folder: Path, *settings: str) -> Path:
    """Train and export a model; return its folder, which is beside the trees."""
    train(
        span_recipe(write_treebank(folder), "training.epochs=60", "training.unknown=0", *settings),
        folder / "m",
    )
    export_runtime(folder / "m")
    return folder / "m"
