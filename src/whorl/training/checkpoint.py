"""Checkpoints, from which an interrupted run resumes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from whorl.errors import ModelError, RecipeError
from whorl.files import write_json
from whorl.model_folder.schema import FILE_NAME, NUMBER, integer, table
from whorl.model_folder.tensors import load_tensors, remove_others, save_tensors
from whorl.training.loop import Trainer
from whorl.training.optimiser_state import optimiser_tensors, restore_optimiser
from whorl.training.recipe import Recipe

__all__ = ["Progress", "load_checkpoint", "save_checkpoint"]

_FREE = (
    "training.epochs",
    "training.patience",
    "training.device",
    "data.tagging",
    "data.punctuation",
    "data.test",
    "data.test_tags",
)
"""The keys that may change when a run is resumed."""

_RULES = table(
    {
        "epoch": integer(),
        "best": NUMBER,
        "since": integer(),
        "weights": FILE_NAME,
        "recipe": table({}),
    }
)


@dataclass(slots=True)
class Progress:
    """Epochs done, the best development F1, and the number of epochs since."""

    epoch: int = 0
    best: float = -1.0
    since: int = 0

    def add(self, f1: float) -> bool:
        """Count an epoch, and return whether it is the best so far."""
        self.epoch += 1
        better = f1 > self.best
        self.best, self.since = (f1, 0) if better else (self.best, self.since + 1)
        return better


def save_checkpoint(
    folder: Path, trainer: Trainer[Any, Any], progress: Progress, recipe: Recipe
) -> None:
    """Save weights and optimiser; the previous checkpoint stays until this one is complete."""
    tensors = {**_trained_weights(trainer), **optimiser_tensors(trainer.optimiser)}
    weights = save_tensors(folder, "checkpoint", tensors)
    saved = {
        "epoch": progress.epoch,
        "best": progress.best,
        "since": progress.since,
        "weights": weights,
        "recipe": recipe.to_dict(),
    }
    write_json(folder / "checkpoint.json", saved)
    remove_others(folder, "checkpoint", weights)


def load_checkpoint(folder: Path, trainer: Trainer[Any, Any], recipe: Recipe) -> Progress:
    """Restore a trainer from the checkpoint in a folder, if there is one."""
    path = folder / "checkpoint.json"
    if not path.exists():
        return Progress()
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        if problem := _RULES(saved, ""):
            raise ValueError(problem)
        begun = Recipe.from_dict(saved["recipe"])
    except (ValueError, RecursionError, RecipeError) as error:
        raise ModelError(f"cannot resume the run: {path} is damaged: {error}") from error
    changed = [key for key in recipe.differences(begun.to_dict()) if key not in _FREE]
    if changed:
        raise ModelError(f"{folder} holds a run whose recipe differs in {', '.join(changed)}")
    weights = folder / saved["weights"]
    tensors = load_tensors(weights)
    try:
        _restore(trainer, tensors)
    except ModelError as error:
        raise ModelError(f"cannot resume the run: {weights} is damaged: {error}") from error
    trainer.epoch = saved["epoch"]
    return Progress(saved["epoch"], saved["best"], saved["since"])


def _restore(trainer: Trainer[Any, Any], tensors: dict[str, torch.Tensor]) -> None:
    for name, weight in _trained_weights(trainer).items():
        shape = tuple(tensors[name].shape) if name in tensors else "none"
        if shape != tuple(weight.shape):
            raise ModelError(f"{name} has the shape {shape}, expected {tuple(weight.shape)}")
        weight.data.copy_(tensors[name])
    restore_optimiser(trainer.optimiser, tensors)


def _trained_weights(trainer: Trainer[Any, Any]) -> dict[str, torch.nn.Parameter]:
    named = trainer.learner.model.named_parameters()
    return {name: weight for name, weight in named if weight.requires_grad}
