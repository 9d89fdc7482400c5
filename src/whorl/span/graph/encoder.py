"""The whole encoder of a `span` network as a graph: features of words in, the tables that decoding looks up out.

What a word is by itself (learned vector, pretrained vector, characters) is an input: it is looked
up outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from whorl.span.graph.builder import Graph, Precision
from whorl.span.graph.lstm import EDGES, bilstm
from whorl.span.graph.transformer import transformer

if TYPE_CHECKING:
    from whorl.span.network import SpanConfig
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
    reach: Floats | None = None,
) -> bytes:
    """The graph of a network with these weights, whose words have so many features.

    `pieces` is our own transformer's configuration, or the width of another's vectors, which come
    from elsewhere. A BiLSTM in int8 needs to know how far each number that comes in may reach;
    features must come divided by that.
    """
    w = dict(w)
    if reach is not None:
        for name in ("encoder.marks", "encoder.treebank.weight"):
            w[name] = w[name] / reach
        for name in (
            "encoder.lstm.forwards.0.weight_ih_l0",
            "encoder.lstm.backwards.0.weight_ih_l0",
        ):
            w[name] = w[name] * reach
    graph = Graph(precision)
    parts = [graph.input("features", TensorProto.FLOAT, "words", features)] if features else []
    if pieces is not None:
        scale = np.float32(0.5) if reach is None else np.float32(0.5) / reach[features:]
        parts.append(_pieces(graph, w, pieces, longest, scale))
    words = parts[0] if len(parts) == 1 else graph.op("Concat", *parts, axis=1)  # (words, width)
    x = _placed(graph, words, w, edges=reach is not None)  # (places, sentences, width)
    if config.lstm_layers:
        lengths = graph.input("lengths", TensorProto.INT32, "sentences")
        x, hidden = bilstm(graph, x, lengths, _under(w, "encoder.lstm."), config.lstm_layers)
        forwards, backwards = (_direction(graph, x, number, hidden) for number in (0, 1))
        places = graph.op("Concat", forwards, backwards, axis=2)
    else:
        places = forwards = backwards = x
    fenceposts = graph.op(
        "Concat", _cut(graph, forwards, 0, -1), _cut(graph, backwards, 1, 1 << 31), axis=2
    )
    _outputs(graph, w, places, fenceposts, config)
    return graph.model()


def _pieces(
    graph: Graph, w: Mapping[str, Floats], pieces: TransformerConfig | int, longest: int, scale: Any
) -> str:
    """A word's vector: the mean of its first and its last piece, times twice the scale."""
    if isinstance(pieces, int):
        vectors = graph.input("vectors", TensorProto.FLOAT, "rows", pieces)
    else:
        vectors = transformer(graph, _under(w, "encoder.pieces.transformer."), pieces, longest)
    ends = graph.input("ends", TensorProto.INT64, 2, "words")
    both = [
        graph.op("Gather", ends, graph.constant(np.array(n, dtype=np.int64)), axis=0)
        for n in (0, 1)
    ]
    first, last = (graph.op("Gather", vectors, one) for one in both)
    return graph.op(
        "Mul", graph.op("Add", first, last), graph.constant(np.asarray(scale), "pieces.scale")
    )


def _placed(graph: Graph, words: str, w: Mapping[str, Floats], *, edges: bool) -> str:
    """Words, marks and padding in their places, the treebank's vector added: (places, sentences, width)."""
    marks = w["encoder.marks"]
    before = graph.constant(np.concatenate([np.zeros_like(marks[:1]), marks]), "marks")
    rows = graph.op("Concat", before, words, axis=0)
    x = graph.op("Gather", rows, graph.input("grid", TensorProto.INT64, "places", "sentences"))
    treebanks = graph.input("treebanks", TensorProto.INT64, "sentences")
    x = graph.op(
        "Add",
        x,
        graph.op(
            "Gather", graph.constant(w["encoder.treebank.weight"], "treebank.weight"), treebanks
        ),
    )
    if edges:
        ends = np.array([-1, 1], dtype=np.float32)
        x = graph.op("Clip", x, *(graph.constant(float(end)) for end in ends))
        shape = graph.op(
            "Concat", _cut(graph, graph.op("Shape", x), 0, 2), graph.constant([EDGES]), axis=0
        )
        x = graph.op("Concat", x, graph.op("Expand", graph.constant(ends), shape), axis=2)
    return x


def _outputs(
    graph: Graph, w: Mapping[str, Floats], places: str, fenceposts: str, config: SpanConfig
) -> None:
    width = w["tag.weight"].shape[1]
    flat = graph.op("Reshape", places, graph.constant([-1, width]))
    words = graph.op("Gather", flat, graph.input("places", TensorProto.INT64, "words"))
    tags = graph.add(graph.linear(words, w["tag.weight"], "tag.weight"), w["tag.bias"], "tag.bias")
    graph.output("tags", tags, "words", config.tags)
    turned = graph.op("Transpose", fenceposts, perm=[1, 0, 2])  # (sentences, fenceposts, width)
    flat = graph.op("Reshape", turned, graph.constant([-1, w["left.weight"].shape[1]]))
    both = graph.linear(flat, np.concatenate([w["left.weight"], w["right.weight"]]), "edges.weight")
    left, right = graph.ops("Split", 2, both, axis=1)
    graph.output("left", left, "fenceposts", config.hidden_dim)
    graph.output(
        "right", graph.add(right, w["right.bias"], "right.bias"), "fenceposts", config.hidden_dim
    )


def _direction(graph: Graph, x: str, number: int, hidden: int) -> str:
    """One direction of (places, 2, sentences, units): (places, sentences, hidden)."""
    one = graph.op("Gather", x, graph.constant(np.array(number, dtype=np.int64)), axis=1)
    return _cut(graph, one, 0, hidden, axis=2)


def _cut(graph: Graph, x: str, start: int, end: int, *, axis: int = 0) -> str:
    return graph.op("Slice", x, *(graph.constant([number]) for number in (start, end, axis)))


def _under(w: Mapping[str, Floats], prefix: str) -> dict[str, Floats]:
    return {name[len(prefix) :]: values for name, values in w.items() if name.startswith(prefix)}
