"""A whole training run: from a recipe to a model folder; interrupted runs can be resumed."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from whorl.engine.device import check_device
from whorl.errors import ModelError, RecipeError
from whorl.files import replace_atomically, write_json
from whorl.model_folder.description import MODEL_JSON
from whorl.networks import get_network
from whorl.reporting.chart import line_chart
from whorl.training.checkpoint import Progress, load_checkpoint, save_checkpoint
from whorl.training.learner import Treebank
from whorl.training.loop import Epoch, Trainer
from whorl.training.recipe import Recipe

__all__ = ["Listener", "saved_recipe", "train"]


class Listener:
    """Receives the progress of a run, to show it; this one ignores it."""

    def tagging(self, done: int, total: int) -> None:
        """A fold is jackknifed, or the tagger trained."""

    def prepared(self, trainer: Trainer[Any, Any], dev: Treebank) -> None:
        """The network and the trees are ready, and no epoch has begun."""

    def begin(self, progress: Progress) -> None:
        """The epochs begin; in a resumed run, after those in `progress`."""

    def batch(self, done: int, total: int) -> None:
        """A batch is done; the numbers are the epoch's sentences."""

    def epoch(self, epoch: Epoch, progress: Progress) -> None:
        """An epoch is done and saved."""


def train(
    recipe: Recipe,
    folder: str | Path,
    *,
    resume: bool = False,
    listener: Listener | None = None,
    jobs: int = 1,
) -> Progress:
    """Train by a recipe into a folder; `resume` continues an interrupted run there, if any.

    Up to `jobs` processes read the trees of the span network, if there are many; they are spawned,
    so a script that asks for several must be guarded by `if __name__ == "__main__":`.
    """
    folder = Path(folder)
    listener = listener or Listener()
    _check(recipe, folder, resume)
    folder.mkdir(parents=True, exist_ok=True)
    if not (resume and (folder / "recipe.json").exists()):
        write_json(folder / "recipe.json", recipe.to_dict())
    network = get_network(recipe.model.network)
    learner, dev = network.resolve("learner")(recipe, folder, listener, jobs=jobs)
    trainer = Trainer(learner, recipe.training)
    progress = load_checkpoint(folder, trainer, recipe) if resume else Progress()
    write_json(folder / "recipe.json", recipe.to_dict())  # the number of epochs may have changed
    rows = _read_log(folder / "metrics.jsonl", progress.epoch)
    listener.prepared(trainer, dev)
    listener.begin(progress)
    patience = recipe.training.patience
    epochs = trainer.epochs(dev, on_batch=listener.batch)
    while not (patience and progress.since >= patience):
        epoch = next(epochs, None)
        if epoch is None:
            break
        if progress.add(epoch.dev_f1):
            learner.save(folder, _card(recipe, epoch, dev))
        rows.append(epoch.to_dict())
        _log(folder, rows)
        save_checkpoint(folder, trainer, progress, recipe)
        listener.epoch(epoch, progress)
    if not (folder / MODEL_JSON).exists():
        raise ModelError(f"{folder} holds a finished run, but its {MODEL_JSON} is gone")
    if recipe.training.export != "none":
        network.resolve("export")(folder, precision=recipe.training.export)
    return progress


def _card(recipe: Recipe, epoch: Epoch, dev: Treebank) -> dict[str, Any]:
    """Return what `model.json` says about how a model was made, and how good it is."""
    return {
        "recipe": recipe.to_dict(),
        "dev_f1": epoch.dev_f1,
        "dev_f1_all_tokens": epoch.dev_f1_all_tokens,
        "dev_f1_without_punctuation": epoch.dev_f1_without_punctuation,
        "punctuation": {name: list(dev.punctuation_of(name)) for name in dev.parts()},
        "epoch": epoch.number,
    }


def saved_recipe(folder: str | Path) -> Recipe | None:
    """Return the recipe of the run in a folder, or None if there is no run."""
    path = Path(folder) / "recipe.json"
    if not path.exists():
        return None
    try:
        return Recipe.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, RecipeError) as error:
        raise ModelError(f"{path} is not the recipe of a run: {error}") from error


def _check(recipe: Recipe, folder: Path, resume: bool) -> None:
    """Reject a run that must fail before any time is spent on it."""
    network = get_network(recipe.model.network)
    network.resolve("recipe_check")(recipe)
    for name in ("train", "dev"):
        if not getattr(recipe.data, name) and not recipe.treebank:
            raise RecipeError(f"the recipe names no {name} trees: set data.{name}")
    try:
        check_device(recipe.training.device)
    except ModelError as error:
        raise RecipeError(f"training.device: {error}") from error
    if recipe.training.export != "none" and network.export is None:
        raise RecipeError(
            f"training.export: the {network.name} network cannot be exported; it needs PyTorch"
        )
    if not resume and (folder / "checkpoint.json").exists():
        raise ModelError(
            f"{folder} already holds a training run: continue it with --resume, "
            "or choose another folder"
        )


def _log(folder: Path, rows: list[dict[str, Any]]) -> None:
    """Write `metrics.jsonl` and draw the learning curve."""
    with replace_atomically(folder / "metrics.jsonl") as partial:
        partial.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    curve = {"development F1": [(row["number"], row["dev_f1"]) for row in rows]}
    with replace_atomically(folder / "curve.svg") as partial:
        partial.write_text(
            line_chart(curve, title="Learning curve", x_label="epoch", y_label="F1"),
            encoding="utf-8",
        )


def _read_log(path: Path, epochs: int) -> list[dict[str, Any]]:
    """Read the rows of the first epochs; a run interrupted before its checkpoint leaves more."""
    if not path.exists():
        return []
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [row for row in rows if row["number"] <= epochs and math.isfinite(row["dev_f1"])]
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path} is damaged: {error!r}") from error
