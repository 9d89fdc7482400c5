"""Checkpoints of pretraining, from which an interrupted run resumes."""

from __future__ import annotations

import json
from pathlib import Path

from whorl.errors import ModelError
from whorl.files import write_json
from whorl.model_folder.schema import FILE_NAME, NUMBER, check, integer, table
from whorl.model_folder.tensors import load_tensors, remove_others, save_tensors, with_prefix
from whorl.pretraining.loop import Pretrainer
from whorl.pretraining.recipe import PretrainingRecipe
from whorl.training.optimiser_state import optimiser_tensors, restore_optimiser

__all__ = ["CHECKPOINT_JSON", "load_checkpoint", "save_checkpoint"]

CHECKPOINT_JSON = "checkpoint.json"
_RULES = table({"step": integer(), "seconds": NUMBER, "weights": FILE_NAME, "recipe": table({})})


def save_checkpoint(folder: Path, trainer: Pretrainer, recipe: PretrainingRecipe) -> None:
    """Save weights, optimiser and position; the previous checkpoint stays until then."""
    tensors = {f"model.{name}": tensor for name, tensor in trainer.model.state_dict().items()}
    tensors |= {**optimiser_tensors(trainer.optimiser), "sums": trainer.sums}
    weights = save_tensors(folder, "checkpoint", tensors)
    position = {"step": trainer.step, "seconds": trainer.seconds, "weights": weights}
    write_json(folder / CHECKPOINT_JSON, {**position, "recipe": recipe.to_dict()})
    remove_others(folder, "checkpoint", weights)


def load_checkpoint(folder: Path, trainer: Pretrainer, recipe: PretrainingRecipe) -> None:
    """Restore a trainer from the checkpoint in a folder, if there is one."""
    path = folder / CHECKPOINT_JSON
    if not path.exists():
        return
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        check(saved, _RULES, path)
        changed = recipe.changes(saved["recipe"])
    except (ValueError, AttributeError, RecursionError, ModelError) as error:
        raise ModelError(f"cannot resume the run: {path} is damaged: {error}") from error
    if changed:
        raise ModelError(
            f"{folder.parent} holds a run whose recipe differs in {', '.join(changed)}"
        )
    weights = folder / saved["weights"]
    tensors = load_tensors(weights)
    try:
        trainer.model.load_state_dict(with_prefix(tensors, "model."))
        restore_optimiser(trainer.optimiser, tensors)
        sums = tensors["sums"]
        trainer.sums[: len(sums)] = sums.to(trainer.sums.device)  # older runs had fewer
    except (KeyError, RuntimeError, ModelError) as error:
        raise ModelError(f"cannot resume the run from {weights}: {error}") from error
    trainer.step, trainer.seconds = saved["step"], saved["seconds"]
