"""Our transformer encoder as operators: see `whorl.transformer.network`, which defines it."""

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
_LEAST = -0.17  # GELU's least value, and a little


def transformer(
    graph: Graph, w: Mapping[str, Floats], config: TransformerConfig, longest: int
) -> str:
    """Vectors of all pieces, padding and all, (chunks * pieces, width), of the inputs `pieces` and `chunks`.

    A chunk has at most so many pieces. All layers work on the flat rows; attention alone knows of
    chunks.
    """
    pieces = graph.input("pieces", TensorProto.INT64, "chunks", "pieces")
    mask = _mask(graph, pieces, graph.input("chunks", TensorProto.INT64, "chunks"))
    positions = _positions(graph, config, longest)
    shape = graph.op(
        "Concat", graph.op("Shape", pieces), graph.constant([-1]), axis=0
    )  # chunks, pieces, the rest
    flat = graph.op("Reshape", pieces, graph.constant([-1]))
    x = _norm(graph, graph.rows(w["emb.weight"], flat, "emb.weight"), w, "ln0")  # (rows, width)
    gelu = (
        "FastGelu" if graph.precision == "int8" else "BiasGelu"
    )  # the fast one's error is far below int8's
    normed = _norm(graph, x, w, "blocks.0.n1" if config.layers else "ln")
    for number in range(config.layers):
        block = f"blocks.{number}"
        after = f"blocks.{number + 1}.n1" if number + 1 < config.layers else "ln"
        packed = _biased(graph, _linear(graph, normed, w, f"{block}.qkv"), w, f"{block}.qkv")
        q, k, v = graph.ops(
            "Split", 3, graph.op("Reshape", packed, shape), axis=-1
        )  # (chunks, pieces, width) each
        q, k = (
            graph.op("RotaryEmbedding", one, *positions, num_heads=config.heads) for one in (q, k)
        )
        mixed = graph.op("MultiHeadAttention", q, k, v, "", mask, num_heads=config.heads)
        mixed = graph.op("Reshape", mixed, graph.constant([-1, config.width]))
        added = _linear(graph, mixed, w, f"{block}.o")
        normed, x = _added(graph, added, x, w, f"{block}.o", f"{block}.n2")
        inner = _linear(graph, normed, w, f"{block}.f1")
        inner = graph.op(gelu, inner, graph.constant(w[f"{block}.f1.bias"], f"{block}.f1.bias"))
        added = _linear(graph, inner, w, f"{block}.f2", least=_LEAST)
        normed, x = _added(graph, added, x, w, f"{block}.f2", after)
    return normed


def _mask(graph: Graph, pieces: str, chunks: str) -> str:
    """1 where a piece is: (chunks, pieces)."""
    width = graph.op(
        "Gather", graph.op("Shape", pieces), graph.constant(np.array(1, dtype=np.int64))
    )
    zero, one = (graph.constant(np.array(number, dtype=np.int64)) for number in (0, 1))
    places = graph.op("Range", zero, width, one)
    there = graph.op("Less", places, graph.op("Unsqueeze", chunks, graph.constant([1])))
    return graph.op("Cast", there, to=TensorProto.INT32)


def _positions(graph: Graph, config: TransformerConfig, longest: int) -> tuple[str, str, str]:
    """The first position, and the cosines and sines of all."""
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


def _added(
    graph: Graph, x: str, stream: str, w: Mapping[str, Floats], part: str, norm: str
) -> tuple[str, str]:
    """What comes out of a part added to the stream with the part's bias: normed, and as it is."""
    stream = graph.op("Add", stream, _biased(graph, x, w, part))
    return _norm(graph, stream, w, norm), stream
