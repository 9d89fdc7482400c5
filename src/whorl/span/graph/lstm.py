"""A BiLSTM as operators: see `whorl.span.encoders.bilstm`, which defines it.

In int8, ONNX Runtime quantises the inputs of a layer, and its state at each step, by their range in
the whole batch. For a sentence to get the same numbers in any batch, that range must be fixed. So
each direction gets two more units, whose cells start far from 0 and stay there: their outputs are
-1 and 1, the extremes of any unit, at every step. This fixes the range of the state and of the next
layer's input. Two more columns fix the range of the first layer's input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from whorl.span.config import SpanConfig
from whorl.span.graph.builder import Graph, quantise_columns, scale_name
from whorl.span.graph.context import ContextGraph, Weights, join_fenceposts, slice_axis

__all__ = ["EDGES", "LSTM_GRAPH"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

EDGES = 2
"""Units, or columns of the input, that fix the range of int8."""

_GATES = (0, 3, 1, 2)
"""ONNX's gates (input, output, forget, cell) by their positions in PyTorch's order."""

_SATURATED = 20.0
"""A bias that opens (or, negative, closes) a gate as far as float32 can tell."""

_DIRECTIONS = ("forwards", "backwards")


def write_lstm(graph: Graph, x: str, w: Weights, config: SpanConfig) -> tuple[str, str]:
    """Write all layers; see `ContextGraph.write`.

    In int8, the input is EDGES wider than the weights; the last columns are -1 and 1.
    """
    lengths = graph.input("lengths", TensorProto.INT32, "sentences")
    edges = EDGES if graph.precision == "int8" else 0
    hidden = config.lstm_dim
    for layer in range(config.lstm_layers):
        names = [f"{direction}.{layer}" for direction in _DIRECTIONS]
        over_input = np.stack([_onnx_gates(w[f"{n}.weight_ih_l0"], hidden, edges) for n in names])
        over_state = np.stack([_onnx_gates(w[f"{n}.weight_hh_l0"], hidden, edges) for n in names])
        biases = np.stack([_biases(w, name, hidden, edges) for name in names])
        over_input = _pad_columns(over_input, hidden, edges, first=layer == 0)
        over_state = np.pad(over_state, ((0, 0), (0, 0), (0, edges)))
        if layer:
            x = _join_directions(graph, x, hidden + edges)
        # (positions, 2, sentences, units)
        x = _write_layer(graph, x, lengths, over_input, over_state, biases, layer)
    forwards, backwards = (_direction(graph, x, number, hidden) for number in (0, 1))
    words = graph.op("Concat", forwards, backwards, axis=2)
    return words, join_fenceposts(graph, forwards, backwards)


def _direction(graph: Graph, x: str, number: int, hidden: int) -> str:
    """Select a direction of (positions, 2, sentences, units): (positions, sentences, hidden)."""
    selected = graph.op("Gather", x, graph.constant(np.array(number, dtype=np.int64)), axis=1)
    return slice_axis(graph, selected, 0, hidden, axis=2)


def _names(layer: int) -> tuple[str, str, str]:
    """Return the names of a layer's weights over its input and its state, and of its biases."""
    return f"lstm.{layer}.inside", f"lstm.{layer}.memory", f"lstm.{layer}.biases"


def _write_layer(
    graph: Graph,
    x: str,
    lengths: str,
    over_input: Floats,
    over_state: Floats,
    biases: Floats,
    layer: int,
) -> str:
    attributes = {"hidden_size": over_state.shape[2], "direction": "bidirectional"}
    input_name, state_name, bias_name = _names(layer)
    bias = graph.constant(biases, bias_name)
    if graph.precision != "int8":
        weights = (graph.weight(over_input, input_name), graph.weight(over_state, state_name))
        return graph.op("LSTM", x, *weights, bias, lengths, **attributes)
    named = ((input_name, over_input), (state_name, over_state))
    quantised = {name: quantise_columns(weight.transpose(0, 2, 1)) for name, weight in named}
    columns = [graph.constant(values, name) for name, (values, _) in quantised.items()]
    scales = [graph.constant(scale, scale_name(name)) for name, (_, scale) in quantised.items()]
    zeros = graph.constant(np.zeros(quantised[input_name][1].shape, dtype=np.int8))
    quantisation = (scales[0], zeros, scales[1], zeros)
    cells = np.zeros((2, 1, over_state.shape[2]), dtype=np.float32)
    cells[:, :, -EDGES:] = (-_SATURATED, _SATURATED)
    sentences = graph.op("Shape", lengths)
    shape = graph.op(
        "Concat", graph.constant([2]), sentences, graph.constant([over_state.shape[2]]), axis=0
    )
    initial = graph.op("Expand", graph.constant(cells), shape)  # (2, sentences, units)
    inputs = (x, *columns, bias, lengths, "", initial, "", *quantisation)
    return graph.op("DynamicQuantizeLSTM", *inputs, **attributes)


def _join_directions(graph: Graph, x: str, units: int) -> str:
    """Turn (positions, 2, sentences, units) into (positions, sentences, 2 * units)."""
    transposed = graph.op("Transpose", x, perm=[0, 2, 1, 3])
    return graph.op("Reshape", transposed, graph.constant([0, 0, 2 * units]))


def _onnx_gates(weight: Floats, hidden: int, edges: int) -> Floats:
    """Put a weight (4 * hidden, inputs) in ONNX's order of gates; edge units ignore all inputs."""
    gates = weight.reshape(4, hidden, -1)[_GATES, :]
    padded: Floats = np.pad(gates, ((0, 0), (0, edges), (0, 0))).reshape(4 * (hidden + edges), -1)
    return padded


def _pad_columns(over_input: Floats, hidden: int, edges: int, *, first: bool) -> Floats:
    """Give (2, 4 * units, inputs) zero columns for the edges of its input."""
    parts = [over_input] if first else [over_input[:, :, :hidden], over_input[:, :, hidden:]]
    padded: Floats = np.concatenate(
        [np.pad(part, ((0, 0), (0, 0), (0, edges))) for part in parts], axis=2
    )
    return padded


def _biases(w: Weights, name: str, hidden: int, edges: int) -> Floats:
    """Add both biases; edge units have their input gates closed and the others open."""
    bias = (w[f"{name}.bias_ih_l0"] + w[f"{name}.bias_hh_l0"]).reshape(4, hidden)[_GATES, :]
    padded = np.pad(bias, ((0, 0), (0, edges)), constant_values=_SATURATED)
    padded[0, hidden:] = -_SATURATED
    flat: Floats = padded.ravel()
    return np.concatenate([flat, np.zeros_like(flat)])


def read_lstm(weights: Mapping[str, Array], config: SpanConfig) -> Iterator[tuple[str, Array]]:
    """Undo `write_lstm`: drop the edge units; see `ContextGraph.read`."""
    hidden = config.lstm_dim
    for layer in range(config.lstm_layers):
        input_name, state_name, bias_name = _names(layer)
        over_input, over_state = (_dequantise(weights, name) for name in (input_name, state_name))
        units = over_state.shape[2]
        edges = units - hidden
        if layer:
            halves = [over_input[:, :, :hidden], over_input[:, :, units : units + hidden]]
            over_input = np.concatenate(halves, axis=2)
        elif edges:
            over_input = over_input[:, :, :-edges]
        for number, direction in enumerate(_DIRECTIONS):
            name = f"{direction}.{layer}."
            bias = weights[bias_name][number][: 4 * units]
            yield f"{name}weight_ih_l0", _torch_gates(over_input[number], hidden)
            yield f"{name}weight_hh_l0", _torch_gates(over_state[number][:, :hidden], hidden)
            yield f"{name}bias_ih_l0", _torch_gates(bias[:, None], hidden)[:, 0]
            yield f"{name}bias_hh_l0", np.zeros(4 * hidden)


def _torch_gates(weight: Array, hidden: int) -> Array:
    """Return the rows (4 * units, …) of the first units, in PyTorch's order of gates."""
    gates = weight.reshape(4, -1, weight.shape[1])[np.argsort(_GATES), :hidden]
    rows: Array = gates.reshape(4 * hidden, -1)
    return rows


def _dequantise(weights: Mapping[str, Array], name: str) -> Floats:
    """Return a weight of both directions, (2, outputs, inputs), which int8 stores transposed."""
    scale = weights.get(scale_name(name))
    values: Floats = weights[name].astype(np.float32)
    return values if scale is None else (values * scale[:, None, :]).transpose(0, 2, 1)


LSTM_GRAPH = ContextGraph(
    write_lstm,
    read_lstm,
    int8_input_weights=tuple(f"{direction}.0.weight_ih_l0" for direction in _DIRECTIONS),
)
