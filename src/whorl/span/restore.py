"""An exported model back in PyTorch, for a GPU, from the weights in its graph and tables.

They are rounded and scaled as by the export: the inputs of the BiLSTM may be smaller than in
training, and its weights larger by the same factor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import numpy_helper
from torch import Tensor

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_named
from whorl.span.config import SpanConfig
from whorl.span.folder import SpanModel
from whorl.span.graph.builder import scale_name
from whorl.span.graph.context import context_graph
from whorl.span.network import SpanNetwork
from whorl.span.numpy_scorer import ScorerWeights
from whorl.span.onnx_backend.folder import ExportedFiles

__all__ = ["restore"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

_MATRICES = ("qkv", "o", "f1", "f2")
_NORMS = ("n1", "n2")


def restore(folder: str | Path, *, device: str = "cpu") -> SpanModel:
    """Read a folder that holds only an exported model."""
    files = ExportedFiles.read(folder)
    if "transformer" in files.graphs:
        raise ModelError(
            f"{folder} holds only an export over a transformer of another library, which runs on"
            " CPUs only"
        )
    path = files.graphs["encoder"]
    graph_bytes = read_named(path)
    try:
        graph = onnx.load_model_from_string(graph_bytes).graph
        weights = {value.name: numpy_helper.to_array(value) for value in graph.initializer}
        model = _restore_network(weights, files.tables, files.config)
    except KeyError as error:
        raise ModelError(
            f"{folder} was exported by an older Whorl, for CPUs only: export it again"
        ) from error
    except (DecodeError, TypeError, ValueError, IndexError, RuntimeError) as error:
        raise ModelError(f"{path} is damaged: {error}") from error
    return SpanModel(model.to(device), files.vocabulary, files.root, files.convention, files.card)


def _restore_network(
    graph: Mapping[str, Array], tables: Mapping[str, Array], config: SpanConfig
) -> SpanNetwork:
    """Make the network of a graph's named weights and of tables, on the CPU."""
    model = SpanNetwork(replace(config, given_tags=0))  # an export reads no tags
    context = context_graph(config).read(graph, config)
    parts = (
        _scorer_and_marks(graph, tables),
        _word_features(tables, model),
        ((f"encoder.{config.context_encoder}.{name}", values) for name, values in context),
        _transformer(graph, config),
    )
    model.load_state_dict({name: _tensor(values) for part in parts for name, values in part})
    return model.eval()


def _scorer_and_marks(
    graph: Mapping[str, Array], tables: Mapping[str, Array]
) -> Iterator[tuple[str, Array]]:
    """Yield the weights outside the encoder, its marks and treebanks."""
    yield from ((name, tables[name]) for name in ScorerWeights.NAMES)
    left, right = np.split(_matrix(graph, "edges.weight").T, 2)
    yield from (("left.weight", left), ("right.weight", right), ("right.bias", graph["right.bias"]))
    yield from (("tag.weight", _matrix(graph, "tag.weight").T), ("tag.bias", graph["tag.bias"]))
    yield "encoder.marks", graph["marks"][1:]
    yield "encoder.treebank.weight", graph["treebank.weight"]


def _word_features(tables: Mapping[str, Array], model: SpanNetwork) -> Iterator[tuple[str, Array]]:
    """Yield the weights of words, vectors and characters.

    The table of characters is the product of embedding and filters; an SVD splits it again.
    """
    prefix = "encoder.features."
    for name in ("word", "vector"):
        if name in tables:
            scale = tables.get(scale_name(name))
            table = tables[name] if scale is None else tables[name] * scale[:, None]
            yield f"{prefix}{name}.weight", table
    characters = model.encoder.features.characters
    if characters is not None:
        responses = tables["characters"].astype(np.float32)  # (places, characters, filters)
        places, count, filters = responses.shape
        dim = characters.embed.embedding_dim
        product = responses.transpose(1, 2, 0).reshape(count, -1)
        u, s, v = np.linalg.svd(product, full_matrices=False)
        rank = min(dim, len(s))
        embedding, weights = np.zeros((count, dim)), np.zeros((dim, filters * places))
        embedding[:, :rank], weights[:rank] = u[:, :rank] * s[:rank], v[:rank]
        weights = weights.reshape(dim, filters, places).transpose(1, 0, 2)
        yield f"{prefix}characters.embed.weight", embedding
        yield f"{prefix}characters.filters.weight", weights
        yield f"{prefix}characters.filters.bias", tables["characters.bias"]


def _transformer(graph: Mapping[str, Array], config: SpanConfig) -> Iterator[tuple[str, Array]]:
    """Yield the weights of Whorl's own transformer; the last norm absorbs the scale of vectors."""
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
    if config.mixed:
        layers = config.transformer[1]["layers"]
        weights = [graph[f"mix.{number}"] * scale for number in range(layers)]
        yield "encoder.pieces.mix", np.stack([*weights, np.ones_like(weights[0])])
    for kind in ("weight", "bias"):
        yield f"{prefix}ln0.{kind}", graph[f"ln0.{kind}"]
        yield f"{prefix}ln.{kind}", graph[f"ln.{kind}"] * scale


def _matrix(graph: Mapping[str, Array], name: str) -> Floats:
    """Return a weight in float32, in the orientation in which it is stored."""
    scale = graph.get(scale_name(name))
    values: Floats = graph[name].astype(np.float32)
    return values if scale is None else values * scale


def _tensor(values: Array) -> Tensor:
    return torch.tensor(np.asarray(values, dtype=np.float32))
