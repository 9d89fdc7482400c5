"""Checkpoints of a pretraining run: all that it needs to go on, however it was stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.files import write_json
from whorl.model_folder.tensors import load_tensors, save_tensors
from whorl.pretraining.loop import Pretrainer
from whorl.pretraining.recipe import PretrainingRecipe
from whorl.training.optimiser_state import optimiser_tensors, restore_optimiser

__all__ = ["load_checkpoint", "save_checkpoint"]

_NAME = "checkpoint.json"


def save_checkpoint(folder: Path, trainer: Pretrainer, recipe: PretrainingRecipe) -> None:
    """Save weights, optimiser and position; the checkpoint before is gone only once this one is complete."""
    tensors = {f"model.{name}": tensor for name, tensor in trainer.model.state_dict().items()}
    tensors |= {**optimiser_tensors(trainer.optimiser), "sums": trainer.sums}
    weights = save_tensors(folder, "checkpoint", tensors)
    position: dict[str, Any] = {
        "step": trainer.step,
        "seconds": trainer.seconds,
        "weights": weights,
    }
    write_json(folder / _NAME, {**position, "recipe": recipe.to_dict()})
    for path in folder.glob("checkpoint-*.safetensors"):
        if path.name != weights:
            path.unlink()


def load_checkpoint(folder: Path, trainer: Pretrainer, recipe: PretrainingRecipe) -> None:
    """Bring a trainer back to where its run stood; nothing to do if it has no checkpoint yet."""
    path = folder / _NAME
    if not path.exists():
        return
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        changed = recipe.changes(saved["recipe"])
        step, seconds, weights = (
            int(saved["step"]),
            float(saved["seconds"]),
            folder / str(saved["weights"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path} is damaged: {error!r}") from error
    if changed:
        raise ModelError(
            f"{folder.parent} was begun with another recipe, which differs in {', '.join(changed)}"
        )
    tensors = load_tensors(weights)
    prefix = "model."
    trainer.model.load_state_dict(
        {n[len(prefix) :]: t for n, t in tensors.items() if n.startswith(prefix)}
    )
    restore_optimiser(trainer.optimiser, tensors)
    trainer.sums.copy_(tensors["sums"])
    trainer.step, trainer.seconds = step, seconds
