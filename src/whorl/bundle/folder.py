"""Weights in a model folder: safetensors in files named after their content."""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from whorl.errors import ModelError
from whorl.files import replaced

__all__ = ["load_tensors", "part", "remove_others", "save_tensors"]


def save_tensors(folder: Path, stem: str, tensors: dict[str, torch.Tensor]) -> str:
    """Write tensors to a file named after its content, and return that name."""
    data = save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    name = f"{stem}-{hashlib.sha256(data).hexdigest()[:12]}.safetensors"
    with replaced(folder / name) as partial:
        partial.write_bytes(data)
    return name


def load_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read tensors, after checking that the content is what the name says."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the weights {path}: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest()[:12] not in path.name:
        raise ModelError(f"{path} is damaged: its content is not what was saved ({len(data)} bytes)")
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
    return {name[len(prefix) :]: tensor for name, tensor in tensors.items() if name.startswith(prefix)}
