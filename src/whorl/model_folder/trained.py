"""Writing the folder of a trained model: weights first, then `model.json`, which names them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from whorl.files import write_json
from whorl.model_folder.description import lowest_format
from whorl.model_folder.tensors import remove_others, save_tensors

__all__ = ["write_trained_model"]


def write_trained_model(
    folder: Path, kind: str, tensors: dict[str, torch.Tensor], description: dict[str, Any]
) -> None:
    """Write a model; one that is there already is replaced only once the new one is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = save_tensors(folder, "weights", tensors)
    write_json(
        folder / "model.json",
        {"format": lowest_format(description), "kind": kind, "weights": weights, **description},
    )
    remove_others(folder, "weights", weights)
