"""A model folder's `model.json`, which says what the model is and names its weights, saved as safetensors. No pickle.

Files of weights are named after their content, and `model.json` is replaced in one step: whatever
happens while a model is being saved, the folder holds either the old model or the new one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.networks import NETWORKS

__all__ = ["FORMAT", "read_description"]

FORMAT = 2
"""1 had stack-LSTM parsers only; 2 has either network."""


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
        raise ModelError(
            f"{path} has format {version}, made by a newer Whorl; this one reads up to {FORMAT}: upgrade"
        )
    if saved.get("kind") not in NETWORKS:
        raise ModelError(f"{path}: unknown kind of model: {saved.get('kind')!r}")
    if kind is not None and saved["kind"] != kind:
        raise ModelError(
            f"{path} describes a {saved['kind']} model where a {kind} model is expected"
        )
    return saved
