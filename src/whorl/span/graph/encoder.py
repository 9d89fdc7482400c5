"""The whole encoder as a graph: from word features to the tables that decoding looks up.

The features of a word by itself (learned vector, pretrained vector, characters) are an input.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from whorl.span.config import SpanConfig
from whorl.span.graph.builder import Graph, Precision
from whorl.span.graph.context import context_graph, slice_axis
from whorl.span.graph.lstm import EDGES
from whorl.span.graph.transformer import transformer

if TYPE_CHECKING:
    from whorl.transformer.network import TransformerConfig

__all__ = ["encoder_graph"]

Floats = npt.NDArray[np.float32]


def encoder_graph(
    w: Mapping[str, Floats],
    config: SpanConfig,
    *,
    features: int,
    pieces: TransformerConfig | int | None,
    longest: int,
    precision: Precision,
    bounds: Floats | None = None,
) -> bytes:
    """Write the graph of a network with these weights; `features` is the width of its features.

    `pieces` is the configuration of Whorl's own transformer, or the width of another's vectors,
    which are then an input. With `bounds`, for int8, the inputs of the context encoder are divided
    by them; features must be divided already.
    """
    context = context_graph(config)
    prefix = f"encoder.{config.context_encoder}."
    w = dict(w)
    if bounds is not None:
        for name in ("encoder.marks", "encoder.treebank.weight"):
            w[name] = w[name] / bounds
        for name in context.int8_input_weights:
            w[prefix + name] = w[prefix + name] * bounds
    graph = Graph(precision)
    parts = [graph.input("features", TensorProto.FLOAT, "words", features)] if features else []
    if pieces is not None:
        scale = np.float32(0.5) if bounds is None else np.float32(0.5) / bounds[features:]
        parts.append(_piece_features(graph, w, pieces, longest, scale))
    words = parts[0] if len(parts) == 1 else graph.op("Concat", *parts, axis=1)  # (words, width)
    x = _arrange(graph, words, w, edges=bounds is not None)  # (positions, sentences, width)
    encoded, fenceposts = context.write(graph, x, _under(w, prefix), config)
    _write_outputs(graph, w, encoded, fenceposts, config)
    return graph.model()


def _piece_features(
    graph: Graph, w: Mapping[str, Floats], pieces: TransformerConfig | int, longest: int, scale: Any
) -> str:
    """Add the vectors of a word's first and last piece, and multiply by `scale`: (words, width)."""
    if isinstance(pieces, int):
        vectors = graph.input("vectors", TensorProto.FLOAT, "rows", pieces)
    else:
        under = _under(w, "encoder.pieces.transformer.")
        vectors = transformer(graph, under, pieces, longest, w.get("encoder.pieces.mix"))
    ends = graph.input("ends", TensorProto.INT64, 2, "words")
    indices = [
        graph.op("Gather", ends, graph.constant(np.array(n, dtype=np.int64)), axis=0)
        for n in (0, 1)
    ]
    first, last = (graph.op("Gather", vectors, index) for index in indices)
    total = graph.op("Add", first, last)
    return graph.op("Mul", total, graph.constant(np.asarray(scale), "pieces.scale"))


def _arrange(graph: Graph, words: str, w: Mapping[str, Floats], *, edges: bool) -> str:
    """Arrange words, marks and padding, and add treebank vectors: (positions, sentences, width)."""
    marks = w["encoder.marks"]
    before = graph.constant(np.concatenate([np.zeros_like(marks[:1]), marks]), "marks")
    rows = graph.op("Concat", before, words, axis=0)
    x = graph.op("Gather", rows, graph.input("grid", TensorProto.INT64, "places", "sentences"))
    treebanks = graph.input("treebanks", TensorProto.INT64, "sentences")
    table = graph.constant(w["encoder.treebank.weight"], "treebank.weight")
    x = graph.op("Add", x, graph.op("Gather", table, treebanks))
    if edges:
        ends = np.array([-1, 1], dtype=np.float32)
        x = graph.op("Clip", x, *(graph.constant(float(end)) for end in ends))
        sizes = slice_axis(graph, graph.op("Shape", x), 0, 2)
        shape = graph.op("Concat", sizes, graph.constant([EDGES]), axis=0)
        x = graph.op("Concat", x, graph.op("Expand", graph.constant(ends), shape), axis=2)
    return x


def _write_outputs(
    graph: Graph, w: Mapping[str, Floats], encoded: str, fenceposts: str, config: SpanConfig
) -> None:
    width = w["tag.weight"].shape[1]
    flat = graph.op("Reshape", encoded, graph.constant([-1, width]))
    words = graph.op("Gather", flat, graph.input("places", TensorProto.INT64, "words"))
    tags = graph.add(graph.linear(words, w["tag.weight"], "tag.weight"), w["tag.bias"], "tag.bias")
    graph.output("tags", tags, "words", config.tags)
    # (sentences, fenceposts, width)
    transposed = graph.op("Transpose", fenceposts, perm=[1, 0, 2])
    flat = graph.op("Reshape", transposed, graph.constant([-1, w["left.weight"].shape[1]]))
    both = graph.linear(flat, np.concatenate([w["left.weight"], w["right.weight"]]), "edges.weight")
    left, right = graph.ops("Split", 2, both, axis=1)
    right = graph.add(right, w["right.bias"], "right.bias")
    for name, value in (("left", left), ("right", right)):
        graph.output(name, value, "fenceposts", config.hidden_dim)


def _under(w: Mapping[str, Floats], prefix: str) -> dict[str, Floats]:
    return {name[len(prefix) :]: values for name, values in w.items() if name.startswith(prefix)}
