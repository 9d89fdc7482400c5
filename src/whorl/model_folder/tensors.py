"""Weights in a model folder: safetensors in files named after their content."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import nn

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_named, write_named

__all__ = ["load_network", "load_tensors", "remove_others", "save_tensors", "with_prefix"]

NetworkType = TypeVar("NetworkType", bound=nn.Module)


def save_tensors(folder: Path, stem: str, tensors: dict[str, torch.Tensor]) -> str:
    """Write tensors to a file named after its content, and return that name."""
    data = save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    return write_named(folder, stem, ".safetensors", data)


def load_tensors(path: Path) -> dict[str, torch.Tensor]:
    """Read tensors from a file whose content is what its name promises."""
    data = read_named(path)
    try:
        return load(data)
    except (SafetensorError, KeyError, RuntimeError, ValueError) as error:
        raise ModelError(f"{path} is damaged: {error}") from error


def load_network(
    build: Callable[[], NetworkType], tensors: dict[str, torch.Tensor], source: str | Path
) -> NetworkType:
    """Build a network and load its weights; `source` names them in errors.

    Names and shapes are checked before memory is allocated, so that a description cannot ask for
    more memory than the weights file has.
    """
    try:
        with torch.device("meta"):
            expected = build().state_dict()
    except ModelError as error:
        raise ModelError(f"{source}: {error}") from error
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise ModelError(
            f"{source}: no network has the sizes in its description: {error}"
        ) from error
    for name in expected.keys() | tensors.keys():
        shape, wanted = (
            tuple(each[name].shape) if name in each else "none" for each in (tensors, expected)
        )
        if shape != wanted:
            raise ModelError(
                f"{source} does not fit its description: {name} has the shape {shape}, "
                f"expected {wanted}"
            )
    network = build()
    network.load_state_dict(tensors)
    return network


def remove_others(folder: Path, stem: str, keep: str) -> None:
    """Remove the files that a newer one has replaced."""
    for path in folder.glob(f"{stem}-*.*"):
        if path.name != keep:
            path.unlink()


def with_prefix(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    """Return the tensors whose names begin with a prefix, by the rest of their names."""
    return {
        name[len(prefix) :]: tensor for name, tensor in tensors.items() if name.startswith(prefix)
    }
