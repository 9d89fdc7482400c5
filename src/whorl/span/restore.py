"""An exported model back in PyTorch, for a GPU: the weights that its graph and its tables hold.

They are those of the export, rounded as it has rounded them, and scaled as it has scaled them: what
comes into the BiLSTM may be smaller than in training, and the BiLSTM's weights larger by as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_named
from whorl.span.folder import SpanModel
from whorl.span.graph.builder import scale_of
from whorl.span.graph.lstm import GATES, layer_names
from whorl.span.network import SpanConfig, SpanNetwork
from whorl.span.numpy_scorer import SpanWeights
from whorl.span.onnx_backend.folder import ExportedFiles

__all__ = ["restore", "restored"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

_DIRECTIONS = ("forwards", "backwards")
_MATRICES = ("qkv", "o", "f1", "f2")
_NORMS = ("n1", "n2")


def restore(folder: str | Path, *, device: str = "cpu") -> SpanModel:
    """Read a folder that holds an exported model alone."""
    files = ExportedFiles.read(folder)
    if "transformer" in files.graphs:
        raise ModelError(
            f"{folder} holds an export of another's transformer alone, which runs on a CPU only"
        )
    graph = onnx.load_model_from_string(read_named(files.graphs["encoder"])).graph
    weights = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    saved = files.saved
    try:
        model = restored(weights, files.tables, SpanConfig(**saved["config"]))
    except KeyError as error:
        raise ModelError(
            f"{folder} was exported by an older Whorl, to run on a CPU only: export it again"
        ) from error
    return SpanModel(
        model.to(device), files.numbers, saved["root"], saved["convention"], saved["card"]
    )


def restored(
    graph: Mapping[str, Array], tables: Mapping[str, Array], config: SpanConfig
) -> SpanNetwork:
    """The network of a graph's named weights and of tables, on the CPU."""
    model = SpanNetwork(config)
    parts = (
        _outside(graph, tables),
        _features(tables, model),
        _lstm(graph, config),
        _transformer(graph, config),
    )
    model.load_state_dict({name: _tensor(values) for part in parts for name, values in part})
    return model.eval()


def _outside(
    graph: Mapping[str, Array], tables: Mapping[str, Array]
) -> Iterator[tuple[str, Array]]:
    """What is neither of words nor of a context."""
    yield from ((name, tables[name]) for name in SpanWeights.NAMES)
    left, right = np.split(_matrix(graph, "edges.weight").T, 2)
    yield from (("left.weight", left), ("right.weight", right), ("right.bias", graph["right.bias"]))
    yield from (("tag.weight", _matrix(graph, "tag.weight").T), ("tag.bias", graph["tag.bias"]))
    yield from (
        ("encoder.marks", graph["marks"][1:]),
        ("encoder.treebank.weight", graph["treebank.weight"]),
    )


def _features(tables: Mapping[str, Array], model: SpanNetwork) -> Iterator[tuple[str, Array]]:
    """Words, vectors and characters. Of these, embedding and filters are known only as what they give together."""
    prefix = "encoder.features."
    for name in ("word", "vector"):
        if name in tables:
            scale = tables.get(scale_of(name))
            yield (
                f"{prefix}{name}.weight",
                tables[name] if scale is None else tables[name] * scale[:, None],
            )
    characters = model.encoder.features.characters
    if characters is not None:
        answers = tables["characters"].astype(np.float32)  # (filter's places, characters, filters)
        places, count, filters = answers.shape
        rank = characters.embed.embedding_dim
        u, s, v = np.linalg.svd(answers.transpose(1, 2, 0).reshape(count, -1), full_matrices=False)
        found = min(rank, len(s))
        embedded, answering = np.zeros((count, rank)), np.zeros((rank, filters * places))
        embedded[:, :found], answering[:found] = u[:, :found] * s[:found], v[:found]
        yield f"{prefix}characters.embed.weight", embedded
        yield (
            f"{prefix}characters.filters.weight",
            answering.reshape(rank, filters, places).transpose(1, 0, 2),
        )
        yield f"{prefix}characters.filters.bias", tables["characters.bias"]


def _lstm(graph: Mapping[str, Array], config: SpanConfig) -> Iterator[tuple[str, Array]]:
    """The BiLSTM without the units that fix the range of int8: see `whorl.span.graph.lstm`."""
    hidden = config.lstm_dim
    for layer in range(config.lstm_layers):
        over_input, over_memory, bias_name = layer_names(layer)
        inside, memory = (
            _directions(graph, name) for name in (over_input, over_memory)
        )  # (2, 4 * units, inputs)
        units = memory.shape[2]
        edges = units - hidden
        if layer:
            inside = np.concatenate(
                [inside[:, :, :hidden], inside[:, :, units : units + hidden]], axis=2
            )
        elif edges:
            inside = inside[:, :, :-edges]
        for number, direction in enumerate(_DIRECTIONS):
            name = f"encoder.lstm.{direction}.{layer}."
            bias = graph[bias_name][number][: 4 * units]
            yield f"{name}weight_ih_l0", _gates(inside[number], hidden)
            yield f"{name}weight_hh_l0", _gates(memory[number][:, :hidden], hidden)
            yield f"{name}bias_ih_l0", _gates(bias[:, None], hidden)[:, 0]
            yield f"{name}bias_hh_l0", np.zeros(4 * hidden)


def _gates(weight: Array, hidden: int) -> Array:
    """The rows (4 * units, …) of the first units, in PyTorch's order of gates."""
    found: Array = weight.reshape(4, -1, weight.shape[1])[np.argsort(GATES), :hidden].reshape(
        4 * hidden, -1
    )
    return found


def _transformer(graph: Mapping[str, Array], config: SpanConfig) -> Iterator[tuple[str, Array]]:
    """Our transformer; what scales its vectors becomes a part of the last norm."""
    if config.transformer is None:
        return
    prefix = "encoder.pieces.transformer."
    yield f"{prefix}emb.weight", _matrix(graph, "emb.weight")
    for number in range(config.transformer[1]["layers"]):
        for name in (f"blocks.{number}.{part}" for part in _MATRICES):
            yield f"{prefix}{name}.weight", _matrix(graph, f"{name}.weight").T
            yield f"{prefix}{name}.bias", graph[f"{name}.bias"]
        for name in (
            f"blocks.{number}.{part}.{kind}" for part in _NORMS for kind in ("weight", "bias")
        ):
            yield f"{prefix}{name}", graph[name]
    scale = 2 * graph["pieces.scale"]
    for kind in ("weight", "bias"):
        yield f"{prefix}ln0.{kind}", graph[f"ln0.{kind}"]
        yield f"{prefix}ln.{kind}", graph[f"ln.{kind}"] * scale


def _matrix(graph: Mapping[str, Array], name: str) -> Floats:
    """A weight as it is stored, in float32."""
    scale = graph.get(scale_of(name))
    values = graph[name].astype(np.float32)
    found: Floats = values if scale is None else values * scale
    return found


def _directions(graph: Mapping[str, Array], name: str) -> Floats:
    """A weight of both directions, (2, outputs, inputs); in int8 it is stored the other way round."""
    scale = graph.get(scale_of(name))
    values = graph[name].astype(np.float32)
    found: Floats = values if scale is None else (values * scale[:, None, :]).transpose(0, 2, 1)
    return found


def _tensor(values: Array) -> Tensor:
    return torch.tensor(np.asarray(values, dtype=np.float32))
