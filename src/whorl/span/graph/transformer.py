"""Whorl's own transformer as operators: see `whorl.transformer.network`, which defines it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from whorl.span.graph.builder import Graph
from whorl.transformer.network import TransformerConfig

__all__ = ["transformer"]

Floats = npt.NDArray[np.float32]

_EPSILON = 1e-5
_LEAST = -0.17  # slightly below the minimum of GELU


def transformer(
    graph: Graph,
    w: Mapping[str, Floats],
    config: TransformerConfig,
    longest: int,
    mix: Floats | None = None,
) -> str:
    """Write the transformer; return the vectors of all pieces: (chunks * pieces, width).

    A chunk has at most `longest` pieces. All layers work on flat rows; only attention sees chunks.
    With `mix`, the vectors of all layers are added, each with its weight.
    """
    if mix is not None:  # the last norm takes the weight of the last layer
        w = {**w, **{f"ln.{part}": w[f"ln.{part}"] * mix[-1] for part in ("weight", "bias")}}
    pieces = graph.input("pieces", TensorProto.INT64, "chunks", "pieces")
    mask = _mask(graph, pieces, graph.input("chunks", TensorProto.INT64, "chunks"))
    positions = _positions(graph, config, longest)
    # (chunks, pieces, -1)
    shape = graph.op("Concat", graph.op("Shape", pieces), graph.constant([-1]), axis=0)
    flat = graph.op("Reshape", pieces, graph.constant([-1]))
    x = _norm(graph, graph.rows(w["emb.weight"], flat, "emb.weight"), w, "ln0")  # (rows, width)
    gelu = "FastGelu" if graph.precision == "int8" else "BiasGelu"  # its error is below int8's
    normed = _norm(graph, x, w, "blocks.0.n1" if config.layers else "ln")
    streams = []
    for number in range(config.layers):
        streams.append(x)
        block = f"blocks.{number}"
        after = f"blocks.{number + 1}.n1" if number + 1 < config.layers else "ln"
        packed = _biased(graph, _linear(graph, normed, w, f"{block}.qkv"), w, f"{block}.qkv")
        # (chunks, pieces, width) each
        q, k, v = graph.ops("Split", 3, graph.op("Reshape", packed, shape), axis=-1)
        q, k = (
            graph.op("RotaryEmbedding", value, *positions, num_heads=config.heads)
            for value in (q, k)
        )
        mixed = graph.op("MultiHeadAttention", q, k, v, "", mask, num_heads=config.heads)
        mixed = graph.op("Reshape", mixed, graph.constant([-1, config.width]))
        update = _linear(graph, mixed, w, f"{block}.o")
        normed, x = _residual(graph, update, x, w, f"{block}.o", f"{block}.n2")
        inner = _linear(graph, normed, w, f"{block}.f1")
        inner = graph.op(gelu, inner, graph.constant(w[f"{block}.f1.bias"], f"{block}.f1.bias"))
        update = _linear(graph, inner, w, f"{block}.f2", least=_LEAST)
        normed, x = _residual(graph, update, x, w, f"{block}.f2", after)
    if mix is None:
        return normed
    for number, stream in enumerate(streams):
        weights = graph.constant(mix[number], f"mix.{number}")
        layer = graph.op("LayerNormalization", stream, weights, axis=-1, epsilon=_EPSILON)
        normed = graph.op("Add", normed, layer)
    return normed


def _mask(graph: Graph, pieces: str, chunks: str) -> str:
    """Return 1 where there is a piece, 0 at padding: (chunks, pieces)."""
    one = graph.constant(np.array(1, dtype=np.int64))
    width = graph.op("Gather", graph.op("Shape", pieces), one)
    zero, one = (graph.constant(np.array(number, dtype=np.int64)) for number in (0, 1))
    positions = graph.op("Range", zero, width, one)
    mask = graph.op("Less", positions, graph.op("Unsqueeze", chunks, graph.constant([1])))
    return graph.op("Cast", mask, to=TensorProto.INT32)


def _positions(graph: Graph, config: TransformerConfig, longest: int) -> tuple[str, str, str]:
    """Return the first position, and the cosines and sines of all positions."""
    head = config.width // config.heads
    inverse = config.rotary_base ** -(np.arange(0, head, 2, dtype=np.float32) / head)
    angles = np.arange(longest, dtype=np.float32)[:, None] * inverse[None, :]
    tables = (graph.constant(np.cos(angles)), graph.constant(np.sin(angles)))
    return graph.constant(np.zeros(1, dtype=np.int64)), *tables


def _norm(graph: Graph, x: str, w: Mapping[str, Floats], name: str) -> str:
    weights = [graph.constant(w[part], part) for part in (f"{name}.weight", f"{name}.bias")]
    return graph.op("LayerNormalization", x, *weights, axis=-1, epsilon=_EPSILON)


def _linear(
    graph: Graph, x: str, w: Mapping[str, Floats], name: str, *, least: float | None = None
) -> str:
    return graph.linear(x, w[f"{name}.weight"], f"{name}.weight", least=least)


def _biased(graph: Graph, x: str, w: Mapping[str, Floats], name: str) -> str:
    return graph.add(x, w[f"{name}.bias"], f"{name}.bias")


def _residual(
    graph: Graph, update: str, stream: str, w: Mapping[str, Floats], part: str, norm: str
) -> tuple[str, str]:
    """Add an update and its bias to the residual stream; return it normed, and as it is."""
    stream = graph.op("Add", stream, _biased(graph, update, w, part))
    return _norm(graph, stream, w, norm), stream
