"""An encoder folder on disk: `encoder.json`, weights as safetensors in float32, float16 or int8, `tokenizer.json`.

`encoder.json` may be missing, as may be the case for a folder made elsewhere: the sizes then come
from the tensors. An int8 matrix has one scale for each row, under its name with `.scale`: the
matrix is `int8 * scale[:, None]`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from whorl.errors import ModelError
from whorl.files import replaced, write_json

__all__ = [
    "ENCODER_JSON",
    "FORMAT",
    "Description",
    "Precision",
    "read_description",
    "read_weights",
    "write_weights",
]

ENCODER_JSON = "encoder.json"
FORMAT = 1
_HEAD = 64  # dimensions of a head where nothing says otherwise
_NAMES = ("encoder.safetensors", "encoder.float16.safetensors", "encoder.int8.safetensors")
_BLOCK = re.compile(r"blocks\.(\d+)\.")

Precision = Literal["float32", "float16", "int8"]
_FILES: dict[Precision, str] = {"float32": _NAMES[0], "float16": _NAMES[1], "int8": _NAMES[2]}


@dataclass(frozen=True, slots=True)
class Description:
    """Where a folder's weights are, and their sizes."""

    weights: Path
    config: dict[str, Any]

    @property
    def layers(self) -> int:
        """How many there are."""
        return int(self.config["layers"])


def read_description(folder: Path) -> Description:
    """What is in an encoder folder, by its `encoder.json` or else by the tensors themselves."""
    path = folder / ENCODER_JSON
    if not path.exists():
        found = [folder / name for name in _NAMES if (folder / name).exists()]
        if not found:
            raise ModelError(
                f"{folder} is not an encoder folder: it has neither {ENCODER_JSON} nor {_NAMES[0]}"
            )
        return Description(found[0], _inferred(found[0]))
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        version = saved["format"]
        if not isinstance(version, int) or version > FORMAT:
            raise ModelError(
                f"{path} has format {version}; this Whorl reads up to {FORMAT}: upgrade"
            )
        weights, config = folder / str(saved["weights"]), dict(saved["config"])
        int(config["layers"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path} does not describe an encoder: {error!r}") from error
    return Description(weights, config)


def _inferred(path: Path) -> dict[str, Any]:
    """The sizes, from the shapes of the tensors."""
    try:
        with safe_open(path, framework="pt") as file:
            names = list(file.keys())
            vocabulary, width = file.get_slice("emb.weight").get_shape()
            (feed_forward, _) = file.get_slice("blocks.0.f1.weight").get_shape()
    except (OSError, SafetensorError, ValueError) as error:
        raise ModelError(f"{path} holds no encoder, or a part of one: {error}") from error
    layers = 1 + max(int(found[1]) for found in map(_BLOCK.match, names) if found)
    return {
        "vocabulary": vocabulary,
        "layers": layers,
        "width": width,
        "heads": max(1, width // _HEAD),
        "feed_forward": feed_forward,
    }


def read_weights(description: Description, shapes: dict[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """The tensors of these names as float32, checked against these shapes; others stay unread."""
    path = description.weights
    weights: dict[str, Tensor] = {}
    try:
        with safe_open(path, framework="pt") as file:
            names = set(file.keys())
            for name, shape in shapes.items():
                if name not in names:
                    raise ModelError(
                        f"{path} has no tensor {name!r}: it is not an encoder of this kind"
                    )
                tensor = file.get_tensor(name)
                if tuple(tensor.shape) != shape:
                    raise ModelError(
                        f"{path}: {name} has shape {tuple(tensor.shape)} where {shape} is expected"
                    )
                scale = file.get_tensor(f"{name}.scale") if tensor.dtype == torch.int8 else None
                weights[name] = tensor.float() if scale is None else tensor.float() * scale[:, None]
    except FileNotFoundError as error:
        raise ModelError(f"the encoder's weights {path} are missing") from error
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} is damaged: {error}") from error
    return weights


def write_weights(
    folder: Path,
    weights: dict[str, Tensor],
    config: dict[str, Any],
    *,
    precision: Precision,
    described: dict[str, object],
) -> None:
    """Write weights and then `encoder.json`, each whole or not at all; weights saved before are removed last."""
    if precision not in _FILES:
        raise ModelError(f"unknown precision {precision!r}: expected one of {', '.join(_FILES)}")
    folder.mkdir(parents=True, exist_ok=True)
    name = _FILES[precision]
    with replaced(folder / name) as partial:
        partial.write_bytes(save(_packed(weights, precision), metadata={"format": "pt"}))
    write_json(
        folder / ENCODER_JSON, {"format": FORMAT, "weights": name, "config": config, **described}
    )
    for other in _NAMES:
        if other != name:
            (folder / other).unlink(missing_ok=True)


def _packed(weights: dict[str, Tensor], precision: Precision) -> dict[str, Tensor]:
    packed: dict[str, Tensor] = {}
    for name, held in weights.items():
        tensor = held.detach().float().cpu().contiguous()
        if precision == "float32" or tensor.dim() < 2:
            packed[name] = tensor
        elif precision == "float16":
            packed[name] = tensor.half()
        else:
            scale = tensor.abs().amax(dim=1).clamp(min=1e-12) / 127
            packed[name] = (tensor / scale[:, None]).round().to(torch.int8)
            packed[f"{name}.scale"] = scale
    return packed
