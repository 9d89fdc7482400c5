"""A whole training run: from a recipe to a model folder that can be taken up again at any time."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from whorl.errors import ModelError, RecipeError
from whorl.files import replaced, write_json
from whorl.networks import get_network
from whorl.reporting.chart import line_chart
from whorl.training.checkpoint import Progress, load_checkpoint, save_checkpoint
from whorl.training.loop import Epoch, Trainer
from whorl.training.recipe import Recipe

__all__ = ["Listener", "saved_recipe", "train"]


class Listener:
    """Hears how a run goes; a command line shows it. This one says nothing."""

    def tagging(self, done: int, total: int) -> None:
        """So many of the folds and the tagger are done."""

    def begin(self, progress: Progress) -> None:
        """Epochs begin, or go on after those that were done before."""

    def batch(self, done: int, total: int) -> None:
        """So many of the epoch's sentences are done."""

    def epoch(self, epoch: Epoch, progress: Progress) -> None:
        """An epoch is done, and saved."""


def train(
    recipe: Recipe, folder: str | Path, *, resume: bool = False, listener: Listener | None = None
) -> Progress:
    """Train by a recipe into a folder; `resume` goes on where an interrupted run stopped."""
    folder = Path(folder)
    listener = listener or Listener()
    _check(recipe, folder, resume)
    folder.mkdir(parents=True, exist_ok=True)
    if not (resume and (folder / "recipe.json").exists()):
        write_json(folder / "recipe.json", recipe.to_dict())
    network = get_network(recipe.model.network)
    learner, dev_set = network.resolve("learner")(recipe, folder, listener)
    trainer = Trainer(learner, recipe.training)
    progress = load_checkpoint(folder, trainer, recipe.to_dict()) if resume else Progress()
    write_json(folder / "recipe.json", recipe.to_dict())  # how long to go on may have changed
    listener.begin(progress)
    patience = recipe.training.patience
    epochs = trainer.epochs(dev_set, on_batch=listener.batch)
    while not (patience and progress.since >= patience):
        epoch = next(epochs, None)
        if epoch is None:
            break
        if progress.add(epoch.dev_f1):
            learner.save(
                folder, {"recipe": recipe.to_dict(), "dev_f1": epoch.dev_f1, "epoch": epoch.number}
            )
        _log(folder, epoch)
        save_checkpoint(folder, trainer, progress, recipe.to_dict())
        listener.epoch(epoch, progress)
    if recipe.training.export != "none":
        network.resolve("export")(folder, precision=recipe.training.export)
    return progress


def saved_recipe(folder: str | Path) -> Recipe | None:
    """The recipe of the run in a folder, finished or not; None if there is no run."""
    path = Path(folder) / "recipe.json"
    if not path.exists():
        return None
    try:
        return Recipe.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, AttributeError, TypeError, RecipeError) as error:
        raise ModelError(f"{path} is not the recipe of a run: {error}") from error


def _check(recipe: Recipe, folder: Path, resume: bool) -> None:
    network = get_network(recipe.model.network)
    network.resolve("recipe_check")(recipe)
    for name in ("train", "dev"):
        if not getattr(recipe.data, name) and not recipe.treebank:
            raise RecipeError(f"the recipe names no {name} trees: set data.{name}")
    if recipe.training.device != "cpu" and not torch.cuda.is_available():
        raise RecipeError(
            f"training.device is {recipe.training.device!r}, but there is no GPU here: use cpu"
        )
    if recipe.training.export != "none" and network.export is None:
        raise RecipeError(
            f"training.export: the {network.name} network cannot be exported and runs in PyTorch only"
        )
    if not resume and (folder / "checkpoint.json").exists():
        raise ModelError(
            f"{folder} already holds a training run: continue it with --resume, "
            "or choose another folder"
        )


def _log(folder: Path, epoch: Epoch) -> None:
    """Add the epoch to `metrics.jsonl`, in place of what an interrupted run left behind it, and redraw the curve."""
    path = folder / "metrics.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    kept = [line for line in lines if json.loads(line)["number"] < epoch.number]
    rows = [*(json.loads(line) for line in kept), epoch.to_dict()]
    with replaced(path) as partial:
        partial.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    curve = {"development F1": [(row["number"], row["dev_f1"]) for row in rows]}
    with replaced(folder / "curve.svg") as partial:
        partial.write_text(
            line_chart(curve, title="Learning curve", x_label="epoch", y_label="F1"),
            encoding="utf-8",
        )
