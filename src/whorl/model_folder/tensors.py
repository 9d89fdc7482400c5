"""Weights in a model folder: safetensors in files named after their content."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_named, write_named

__all__ = ["load_tensors", "part", "remove_others", "save_tensors"]


def save_tensors(folder: Path, stem: str, tensors: dict[str, torch.Tensor]) -> str:
    """Write tensors to a file named after its content, and return that name."""
    data = save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    return write_named(folder, stem, ".safetensors", data)


def load_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read tensors, after checking that the content is what the name says."""
    data = read_named(path)
    try:
        return load(data)
    except SafetensorError as error:
        raise ModelError(f"{path} is damaged: {error}") from error


def remove_others(folder: Path, stem: str, keep: str) -> None:
    """Remove the files that a newer one has taken the place of."""
    for path in folder.glob(f"{stem}-*.*"):
        if path.name != keep:
            path.unlink()


def part(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    """The tensors whose names begin so, by the rest of their names."""
    return {
        name[len(prefix) :]: tensor for name, tensor in tensors.items() if name.startswith(prefix)
    }
