"""Checkpoints: where a training run can be taken up again, however it was stopped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from whorl.errors import ModelError, RecipeError
from whorl.files import write_json
from whorl.model_folder.tensors import load_tensors, save_tensors
from whorl.training.loop import Trainer
from whorl.training.optimiser_state import optimiser_tensors, restore_optimiser
from whorl.training.recipe import Recipe

__all__ = ["Progress", "load_checkpoint", "save_checkpoint"]

_FREE = (
    "training.epochs",
    "training.patience",
    "training.device",
    "data.tagging",
    "data.test",
    "data.test_tags",
)


@dataclass(slots=True)
class Progress:
    """How a run stands: epochs done, the best development F1, and how many epochs ago that was."""

    epoch: int = 0
    best: float = -1.0
    since: int = 0

    def add(self, f1: float) -> bool:
        """Count one more epoch; whether it was the best so far."""
        self.epoch += 1
        better = f1 > self.best
        self.best, self.since = (f1, 0) if better else (self.best, self.since + 1)
        return better


def save_checkpoint(
    folder: Path, trainer: Trainer[Any, Any], progress: Progress, recipe: dict[str, Any]
) -> None:
    """Save weights and optimiser after an epoch; the checkpoint before is gone only once this one is complete."""
    tensors: dict[str, torch.Tensor] = {
        name: weight
        for name, weight in trainer.learner.model.named_parameters()
        if weight.requires_grad
    }
    tensors |= optimiser_tensors(trainer.optimiser)
    weights = save_tensors(folder, "checkpoint", tensors)
    saved = {
        "epoch": progress.epoch,
        "best": progress.best,
        "since": progress.since,
        "weights": weights,
    }
    write_json(folder / "checkpoint.json", {**saved, "recipe": recipe})
    for path in folder.glob("checkpoint-*.safetensors"):
        if path.name != weights:
            path.unlink()


def load_checkpoint(folder: Path, trainer: Trainer[Any, Any], recipe: dict[str, Any]) -> Progress:
    """Bring a trainer back to where its run stood; nothing to do if it has no checkpoint yet."""
    path = folder / "checkpoint.json"
    if not path.exists():
        return Progress()
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        changed = _differences(saved["recipe"], recipe)
        progress = Progress(int(saved["epoch"]), float(saved["best"]), int(saved["since"]))
        weights = folder / str(saved["weights"])
    except (ValueError, KeyError, TypeError, AttributeError, RecipeError) as error:
        raise ModelError(
            f"{path} is damaged, so that the run cannot be resumed: {error}"
        ) from error
    if changed:
        raise ModelError(
            f"{folder} was begun with another recipe, which differs in {', '.join(changed)}"
        )
    tensors = load_tensors(weights)
    with torch.no_grad():
        for name, parameter in trainer.learner.model.named_parameters():
            if parameter.requires_grad:
                parameter.copy_(tensors[name])
    restore_optimiser(trainer.optimiser, tensors)
    trainer.epoch = progress.epoch
    return progress


def _differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """The settings in which two recipes differ.

    How long to go on and where may change, and so may what training does not look at. A recipe of
    an older Whorl lacks the newest keys, which have their defaults.
    """
    return [
        key
        for key in Recipe.from_dict(new).differences(Recipe.from_dict(old).to_dict())
        if key not in _FREE
    ]
