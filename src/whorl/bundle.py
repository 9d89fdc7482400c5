"""A model folder: `model.json`, which names its weights, and the weights as safetensors. No pickle anywhere.

The weights' file is named after its content, and `model.json` is replaced in one step: whatever happens while a model
is being saved, the folder holds either the old model or the new one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from whorl.data.encoder import Encoder, Symbols, Tags
from whorl.data.vectors import Vectors
from whorl.data.words import Words
from whorl.errors import ModelError
from whorl.files import replaced, write_json
from whorl.models.stack_lstm import StackLSTM, StackLSTMConfig
from whorl.transitions import SYSTEMS, Inventory, make_system

__all__ = ["FORMAT", "Bundle", "load_tensors", "save_tensors"]

FORMAT = 1
_KIND = "stack-lstm"


@dataclass(slots=True)
class Bundle:
    """A trained model: the network, its encoder, the tagger's part if it has one, and what it was made from."""

    model: StackLSTM
    encoder: Encoder
    tagger: tuple[dict[str, object], dict[str, torch.Tensor]] | None = None
    root: str | None = None
    """The root label that output trees get, where the treebank's have one."""
    card: dict[str, Any] = field(default_factory=dict)

    def save(self, folder: str | Path) -> None:
        """Write the folder; an older model in it is replaced."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {f"parser.{name}": tensor for name, tensor in self.model.state_dict().items()}
        if self.tagger is not None:
            tensors |= {f"tagger.{name}": tensor for name, tensor in self.tagger[1].items()}
        weights = save_tensors(folder, "weights", tensors)
        encoder = self.encoder
        write_json(
            folder / "model.json",
            {
                "format": FORMAT,
                "kind": _KIND,
                "weights": weights,
                "card": self.card,
                "root": self.root,
                "config": asdict(self.model.config),
                "system": encoder.inventory.system.name,
                "transitions": encoder.inventory.to_list(),
                "symbols": encoder.symbols.symbols,
                "tags": encoder.tags.tags,
                "words": encoder.words.words,
                "vectors": encoder.vectors.words,
                "tagger": None if self.tagger is None else self.tagger[0],
            },
        )
        _remove_others(folder, "weights", weights)

    @classmethod
    def load(cls, folder: str | Path, *, device: str = "cpu") -> Bundle:
        """Read a model folder; `ModelError` says what is wrong with one that cannot be read."""
        folder = Path(folder)
        saved = _read_description(folder)
        tensors = load_tensors(folder / saved["weights"])
        try:
            config = StackLSTMConfig(**saved["config"])
            model = StackLSTM(config)
            model.load_state_dict(_part(tensors, "parser."))
            table = model.vector.weight.detach().numpy().astype(np.float32)
            inventory = Inventory.from_list(make_system(saved["system"]), saved["transitions"])
            symbols = Symbols(saved["symbols"], arity=saved["system"] == "nonbinary")
            encoder = Encoder(
                Words(saved["words"]), Tags(saved["tags"]), Vectors(saved["vectors"], table), symbols, inventory
            )
        except (KeyError, TypeError, RuntimeError) as error:
            raise ModelError(f"{folder}: the model does not fit its description: {error}") from error
        tagger = None if saved["tagger"] is None else (saved["tagger"], _part(tensors, "tagger."))
        return cls(model.to(device).eval(), encoder, tagger, saved["root"], saved["card"])


def _read_description(folder: Path) -> dict[str, Any]:
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
    if saved.get("kind") != _KIND or saved.get("system") not in SYSTEMS:
        raise ModelError(f"{path}: unknown kind of model: {saved.get('kind')!r} with system {saved.get('system')!r}")
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


def _remove_others(folder: Path, stem: str, keep: str) -> None:
    for path in folder.glob(f"{stem}-*.safetensors"):
        if path.name != keep:
            path.unlink()


def _part(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {name[len(prefix) :]: tensor for name, tensor in tensors.items() if name.startswith(prefix)}
