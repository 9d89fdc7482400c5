"""A BiLSTM as operators: see `whorl.span.encoders.bilstm`, which defines it.

In int8, ONNX Runtime quantises the inputs of a layer, and what it remembers at each step, by the
range that they have in the whole batch. So that a sentence gets the same numbers in any batch, two
units are added to each direction that begin with cells far from 0 and keep them: they are -1 and 1,
the ends of what any unit can reach, at every step, which fixes the range of the memory and of the
next layer's input. That of the first layer's is fixed by two more columns.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from whorl.span.graph.builder import Graph, quantised_columns, scale_of

__all__ = ["EDGES", "GATES", "bilstm", "layer_names"]

Floats = npt.NDArray[np.float32]

EDGES = 2
"""Units, or columns of the input, that fix the range of int8."""

GATES = (0, 3, 1, 2)
"""The gates as ONNX has them, input, output, forget, cell, by their places in PyTorch: input, forget, cell, output."""

_SURE = 20.0  # a bias after which a gate is open, or closed, as far as float32 can tell


def bilstm(
    graph: Graph, x: str, lengths: str, w: Mapping[str, Floats], layers: int
) -> tuple[str, int]:
    """All layers over (places, sentences, width): (2, places, sentences, units), of which the first `hidden` count.

    The width is that of the weights; in int8 it is EDGES more, which are the least and the greatest
    of all numbers.
    """
    edges = EDGES if graph.precision == "int8" else 0
    hidden = w["forwards.0.weight_hh_l0"].shape[1]
    for layer in range(layers):
        names = (f"forwards.{layer}", f"backwards.{layer}")
        inside = np.stack([_grown(w[f"{name}.weight_ih_l0"], hidden, edges) for name in names])
        memory = np.stack([_grown(w[f"{name}.weight_hh_l0"], hidden, edges) for name in names])
        biases = np.stack([_biases(w, name, hidden, edges) for name in names])
        inside = _columns(inside, hidden, edges, first=layer == 0)
        memory = np.pad(memory, ((0, 0), (0, 0), (0, edges)))
        if layer:
            x = _side_by_side(graph, x, hidden + edges)
        x = _layer(
            graph, x, lengths, inside, memory, biases, layer
        )  # (places, 2, sentences, units)
    return x, hidden


def layer_names(layer: int) -> tuple[str, str, str]:
    """The names of a layer's weights over its input and over its memory, and of its biases."""
    return f"lstm.{layer}.inside", f"lstm.{layer}.memory", f"lstm.{layer}.biases"


def _layer(
    graph: Graph, x: str, lengths: str, inside: Floats, memory: Floats, biases: Floats, layer: int
) -> str:
    attributes = {"hidden_size": memory.shape[2], "direction": "bidirectional"}
    over_input, over_memory, bias_name = layer_names(layer)
    bias = graph.constant(biases, bias_name)
    if graph.precision != "int8":
        weights = (graph.weight(inside, over_input), graph.weight(memory, over_memory))
        return graph.op("LSTM", x, *weights, bias, lengths, **attributes)
    named = ((over_input, inside), (over_memory, memory))
    quantised = {name: quantised_columns(weight.transpose(0, 2, 1)) for name, weight in named}
    columns = [graph.constant(whole, name) for name, (whole, _) in quantised.items()]
    scales = [graph.constant(scale, scale_of(name)) for name, (_, scale) in quantised.items()]
    zeros = graph.constant(np.zeros(quantised[over_input][1].shape, dtype=np.int8))
    ends = (scales[0], zeros, scales[1], zeros)
    cells = np.zeros((2, 1, memory.shape[2]), dtype=np.float32)
    cells[:, :, -EDGES:] = (-_SURE, _SURE)
    sentences = graph.op("Shape", lengths)
    shape = graph.op(
        "Concat", graph.constant([2]), sentences, graph.constant([memory.shape[2]]), axis=0
    )
    begun = graph.op("Expand", graph.constant(cells), shape)  # (2, sentences, units)
    return graph.op(
        "DynamicQuantizeLSTM", x, *columns, bias, lengths, "", begun, "", *ends, **attributes
    )


def _side_by_side(graph: Graph, x: str, units: int) -> str:
    """Both directions of (places, 2, sentences, units) as (places, sentences, 2 * units)."""
    turned = graph.op("Transpose", x, perm=[0, 2, 1, 3])
    return graph.op("Reshape", turned, graph.constant([0, 0, 2 * units]))


def _grown(weight: Floats, hidden: int, edges: int) -> Floats:
    """A weight (4 * hidden, inputs) in the order of ONNX's gates, with units that look at nothing."""
    gates = weight.reshape(4, hidden, -1)[GATES, :]
    grown: Floats = np.pad(gates, ((0, 0), (0, edges), (0, 0))).reshape(4 * (hidden + edges), -1)
    return grown


def _columns(inside: Floats, hidden: int, edges: int, *, first: bool) -> Floats:
    """Columns of 0 for what the weights (2, 4 * units, inputs) must not look at."""
    parts = [inside] if first else [inside[:, :, :hidden], inside[:, :, hidden:]]
    padded: Floats = np.concatenate(
        [np.pad(part, ((0, 0), (0, 0), (0, edges))) for part in parts], axis=2
    )
    return padded


def _biases(w: Mapping[str, Floats], name: str, hidden: int, edges: int) -> Floats:
    """Both biases in one; the units at the edges take in nothing, forget nothing and say all."""
    bias = (w[f"{name}.bias_ih_l0"] + w[f"{name}.bias_hh_l0"]).reshape(4, hidden)[GATES, :]
    grown = np.pad(bias, ((0, 0), (0, edges)), constant_values=_SURE)
    grown[0, hidden:] = -_SURE
    flat: Floats = grown.ravel()
    return np.concatenate([flat, np.zeros_like(flat)])
