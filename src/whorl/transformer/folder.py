"""Encoder folders: `encoder.json`, `tokenizer.json`, and weights in float32, float16 or int8.

Folders made by other programs may lack `encoder.json`: sizes then follow from the tensors. An int8
matrix `NAME` has one scale per row, `NAME.scale`: its values are `int8 * scale[:, None]`.
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
from whorl.files import replace_atomically, write_json

__all__ = [
    "ENCODER_JSON",
    "FORMAT",
    "EncoderDescription",
    "Precision",
    "read_encoder_description",
    "read_weights",
    "write_weights",
]

ENCODER_JSON = "encoder.json"
FORMAT = 1
_HEAD = 64  # width of a head if nothing says otherwise
_NAMES = ("encoder.safetensors", "encoder.float16.safetensors", "encoder.int8.safetensors")
_BLOCK = re.compile(r"blocks\.(\d+)\.")

Precision = Literal["float32", "float16", "int8"]
_FILES: dict[Precision, str] = {"float32": _NAMES[0], "float16": _NAMES[1], "int8": _NAMES[2]}


@dataclass(frozen=True, slots=True)
class EncoderDescription:
    """The weights file of an encoder folder, and the sizes of the network."""

    weights: Path
    config: dict[str, Any]

    @property
    def layers(self) -> int:
        """The number of layers."""
        return int(self.config["layers"])


def read_encoder_description(folder: Path) -> EncoderDescription:
    """Describe an encoder folder by its `encoder.json`, or else by its tensors."""
    path = folder / ENCODER_JSON
    if not path.exists():
        weights = next((folder / name for name in _NAMES if (folder / name).exists()), None)
        if weights is None:
            raise ModelError(
                f"{folder} is not an encoder folder: it has neither {ENCODER_JSON} nor {_NAMES[0]}"
            )
        return EncoderDescription(weights, _infer_sizes(weights))
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        version = saved["format"]
        if not isinstance(version, int) or version > FORMAT:
            raise ModelError(
                f"{path} has format {version}; this Whorl reads up to {FORMAT}: upgrade"
            )
        weights, config = folder / str(saved["weights"]), dict(saved["config"])
        int(config["layers"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelError(f"{path} does not describe an encoder: {error!r}") from error
    return EncoderDescription(weights, config)


def _infer_sizes(path: Path) -> dict[str, Any]:
    """Infer the sizes from the shapes of the tensors."""
    try:
        with safe_open(path, framework="pt") as file:
            names = list(file.keys())
            vocabulary, width = file.get_slice("emb.weight").get_shape()
            (feed_forward, _) = file.get_slice("blocks.0.f1.weight").get_shape()
    except (OSError, SafetensorError, ValueError) as error:
        raise ModelError(f"{path} holds no encoder, or only part of one: {error}") from error
    layers = 1 + max(int(match[1]) for match in map(_BLOCK.match, names) if match)
    return {
        "vocabulary": vocabulary,
        "layers": layers,
        "width": width,
        "heads": max(1, width // _HEAD),
        "feed_forward": feed_forward,
    }


def read_weights(
    description: EncoderDescription, shapes: dict[str, tuple[int, ...]]
) -> dict[str, Tensor]:
    """Read the tensors with these names and shapes, as float32; others are ignored."""
    path = description.weights
    weights: dict[str, Tensor] = {}
    try:
        with safe_open(path, framework="pt") as file:
            names = set(file.keys())
            for name, shape in shapes.items():
                if name not in names:
                    raise ModelError(f"{path} has no tensor {name!r}: it is not such an encoder")
                tensor = file.get_tensor(name)
                if tuple(tensor.shape) != shape:
                    raise ModelError(
                        f"{path}: {name} has shape {tuple(tensor.shape)}, expected {shape}"
                    )
                scale = file.get_tensor(f"{name}.scale") if tensor.dtype == torch.int8 else None
                weights[name] = tensor.float() if scale is None else tensor.float() * scale[:, None]
    except FileNotFoundError as error:
        raise ModelError(f"the encoder's weights {path} are missing") from error
    except (OSError, SafetensorError, RuntimeError) as error:
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
    """Write weights, then `encoder.json`, each atomically; older weights are removed last."""
    if precision not in _FILES:
        raise ModelError(f"unknown precision {precision!r}: expected one of {', '.join(_FILES)}")
    folder.mkdir(parents=True, exist_ok=True)
    name = _FILES[precision]
    with replace_atomically(folder / name) as partial:
        partial.write_bytes(save(_quantise(weights, precision), metadata={"format": "pt"}))
    write_json(
        folder / ENCODER_JSON, {"format": FORMAT, "weights": name, "config": config, **described}
    )
    for other in _NAMES:
        if other != name:
            (folder / other).unlink(missing_ok=True)


def _quantise(weights: dict[str, Tensor], precision: Precision) -> dict[str, Tensor]:
    quantised: dict[str, Tensor] = {}
    for name, weight in weights.items():
        tensor = weight.detach().float().cpu().contiguous()
        if precision == "float32" or tensor.dim() < 2:
            quantised[name] = tensor
        elif precision == "float16":
            quantised[name] = tensor.half()
        else:
            scale = tensor.abs().amax(dim=1).clamp(min=1e-12) / 127
            quantised[name] = (tensor / scale[:, None]).round().to(torch.int8)
            quantised[f"{name}.scale"] = scale
    return quantised
