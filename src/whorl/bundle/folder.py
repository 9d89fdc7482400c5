"""A model folder: `model.json`, which names its weights, and the weights as safetensors. No pickle anywhere.

The weights' file is named after its content, and `model.json` is replaced in one step: whatever happens while a model
is being saved, the folder holds either the old model or the new one.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from whorl.errors import ModelError
from whorl.files import replaced
from whorl.transitions import SYSTEMS

__all__ = ["FORMAT", "load_tensors", "part", "read_description", "remove_others", "save_tensors"]

FORMAT = 2
"""1 had stack-LSTM parsers only; 2 has either network."""

_KINDS = ("stack-lstm", "span")


def read_description(folder: Path, kind: str | None = None) -> dict[str, Any]:
    """What `model.json` says, checked to be of a kind that this version reads, or of the kind told."""
    path = folder / "model.json"
    try:
        saved: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"{folder} is not a model folder: it has no model.json") from error
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    version = saved.get("format") if isinstance(saved, dict) else None
    if not isinstance(version, int) or version < 1:
        raise ModelError(f"{path} is not the description of a model: it names no format")
    if version > FORMAT:
        raise ModelError(f"{path} has format {version}, made by a newer Whorl; this one reads up to {FORMAT}: upgrade")
    if saved.get("kind") not in _KINDS or saved.get("system") not in SYSTEMS:
        raise ModelError(f"{path}: unknown kind of model: {saved.get('kind')!r} with system {saved.get('system')!r}")
    if kind is not None and saved["kind"] != kind:
        raise ModelError(f"{path} describes a {saved['kind']} model where a {kind} model is expected")
    return saved


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
    """Remove the files of weights that a newer one has taken the place of."""
    for path in folder.glob(f"{stem}-*.safetensors"):
        if path.name != keep:
            path.unlink()


def part(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    """The tensors whose names begin so, by the rest of their names."""
    return {name[len(prefix) :]: tensor for name, tensor in tensors.items() if name.startswith(prefix)}
