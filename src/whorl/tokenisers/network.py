"""The network that decides where tokens and sentences end, run with NumPy.

A unit's vector is the sum of the embeddings of its features. Convolutions look at the units around
it, and two outputs say whether a token ends after the unit, and whether a sentence does. What the
network says about a unit depends on a fixed number of neighbours only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.tokenisers.features import Ids

__all__ = ["BoundaryNetwork", "Layer"]

Floats = npt.NDArray[np.float32]

_SCALE = 127


@dataclass(frozen=True, slots=True)
class Layer:
    """The shape of a convolution: how many units it sees, and the distance between them."""

    width: int
    dilation: int = 1

    @property
    def reach(self) -> int:
        """How many units to each side it sees."""
        return self.width // 2 * self.dilation


@dataclass(frozen=True, slots=True)
class BoundaryNetwork:
    """The weights of a trained network."""

    embeddings: Floats
    convolutions: tuple[tuple[Layer, Floats, Floats], ...]
    """Shape, weights (width, inputs, outputs) and bias of each layer."""
    output: Floats
    bias: Floats

    def __call__(self, ids: Ids) -> Floats:
        """Return the two scores of each unit, positive where something ends: (units, 2)."""
        hidden: Floats = self.embeddings[ids].sum(axis=1)
        for layer, weights, bias in self.convolutions:
            count = len(hidden)
            padded = np.pad(hidden, ((layer.reach, layer.reach), (0, 0)))
            total = np.broadcast_to(bias, (count, len(bias))).copy()
            for place in range(layer.width):
                start = place * layer.dilation
                total += padded[start : start + count] @ weights[place]
            hidden = np.maximum(total, 0)
        scores: Floats = hidden @ self.output + self.bias
        return scores

    def to_tensors(self) -> dict[str, npt.NDArray[Any]]:
        """Return the weights as they are saved: embeddings in 8 bits, others in 16."""
        scale = np.maximum(np.abs(self.embeddings).max(axis=1, keepdims=True), 1e-8) / _SCALE
        tensors: dict[str, npt.NDArray[Any]] = {
            "embeddings": np.rint(self.embeddings / scale).astype(np.int8),
            "scale": scale.astype(np.float16),
            "output": self.output.astype(np.float16),
            "bias": self.bias.astype(np.float16),
        }
        for number, (_, weights, bias) in enumerate(self.convolutions):
            tensors[f"convolution.{number}"] = weights.astype(np.float16)
            tensors[f"convolution.{number}.bias"] = bias.astype(np.float16)
        return tensors

    @classmethod
    def from_tensors(
        cls, tensors: Mapping[str, npt.NDArray[Any]], layers: tuple[Layer, ...]
    ) -> BoundaryNetwork:
        """Restore a network; `ModelError` says which tensor is missing or does not fit."""
        floats = {name: _as_floats(name, tensor) for name, tensor in tensors.items()}
        expected = {"embeddings", "scale", "output", "bias"}
        for number in range(len(layers)):
            expected |= {f"convolution.{number}", f"convolution.{number}.bias"}
        if missing := sorted(expected ^ floats.keys()):
            raise ModelError(f"the tensor {missing[0]} is missing or not expected")
        rows = len(floats["embeddings"]) if floats["embeddings"].ndim else 0
        width = floats["embeddings"].shape[-1] if floats["embeddings"].ndim == 2 else 0
        _check("embeddings", floats["embeddings"], (max(rows, 2), max(width, 1)))
        _check("scale", floats["scale"], (rows, 1))
        convolutions = []
        for number, layer in enumerate(layers):
            name = f"convolution.{number}"
            outputs = floats[name].shape[-1] if floats[name].ndim else 0
            _check(name, floats[name], (layer.width, width, outputs))
            _check(f"{name}.bias", floats[f"{name}.bias"], (outputs,))
            convolutions.append((layer, floats[name], floats[f"{name}.bias"]))
            width = outputs
        _check("output", floats["output"], (width, 2))
        _check("bias", floats["bias"], (2,))
        return cls(
            floats["embeddings"] * floats["scale"],
            tuple(convolutions),
            floats["output"],
            floats["bias"],
        )


def _as_floats(name: str, tensor: npt.NDArray[Any]) -> Floats:
    if tensor.dtype not in (np.int8, np.float16, np.float32):
        raise ModelError(f"the tensor {name} has the type {tensor.dtype}, expected int8 or float16")
    floats: Floats = tensor.astype(np.float32)
    if not np.isfinite(floats).all():
        raise ModelError(f"the tensor {name} has values that are not finite")
    return floats


def _check(name: str, tensor: Floats, shape: tuple[int, ...]) -> None:
    if tensor.shape != shape:
        raise ModelError(f"the tensor {name} has the shape {tensor.shape}, expected {shape}")
