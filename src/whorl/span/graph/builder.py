"""A builder of ONNX graphs: operators, and weights in one of three precisions."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Graph", "Precision", "quantise_columns", "scale_name"]

Precision = Literal["float32", "float16", "int8"]
Array = npt.NDArray[Any]

_OPSET, _IR = 17, 8
_CONTRIB = "com.microsoft"  # the domain of ONNX Runtime's own operators
_CONTRIBUTED = {
    "BiasGelu",
    "DynamicQuantizeLSTM",
    "FastGelu",
    "MatMulIntegerToFloat",
    "MultiHeadAttention",
    "RotaryEmbedding",
}
_LARGEST = 63
"""The largest int8 weight: without VNNI, processors add two products in 16 bits."""


class Graph:
    """Collects inputs, operators and weights; values are referred to by name."""

    def __init__(self, precision: Precision) -> None:
        self.precision = precision
        self._nodes: list[onnx.NodeProto] = []
        self._weights: dict[str, onnx.TensorProto] = {}
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []

    def input(self, name: str, kind: int, *axes: str | int) -> str:
        """Declare an input."""
        self._inputs.append(helper.make_tensor_value_info(name, kind, axes))
        return name

    def output(self, name: str, value: str, *axes: str | int) -> None:
        """Declare a value as an output."""
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, axes))

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Add an operator with one output."""
        return self.ops(kind, 1, *inputs, **attributes)[0]

    def ops(self, kind: str, outputs: int, *inputs: str, **attributes: Any) -> list[str]:
        """Add an operator with several outputs."""
        names = [f"v{len(self._nodes)}.{number}" for number in range(outputs)]
        domain = _CONTRIB if kind in _CONTRIBUTED else ""
        self._nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names

    def constant(self, values: Array | float | list[int], name: str = "") -> str:
        """Add numbers: floats as float32, integers as int64, arrays in their own type.

        Weights of the network need a name, by which `whorl.span.restore` finds them.
        """
        if isinstance(values, float):
            values = np.array(values, dtype=np.float32)
        array = np.asarray(values, order="C")
        name = name or f"c{len(self._weights)}"
        self._weights[name] = numpy_helper.from_array(array, name)
        return name

    def weight(self, values: Array, name: str = "") -> str:
        """Add a weight to compute with in float32; matrices may be stored in float16."""
        values = np.asarray(values, dtype=np.float32)
        if values.ndim < 2 or self.precision == "float32":
            return self.constant(values, name)
        return self.op("Cast", self.constant(values.astype(np.float16), name), to=TensorProto.FLOAT)

    def rows(self, table: Array, ids: str, name: str = "") -> str:
        """Look rows of a table up; in int8, each row has its own scale."""
        if self.precision == "float32":
            return self.op("Gather", self.constant(table.astype(np.float32), name), ids)
        if self.precision == "float16":
            rows = self.op("Gather", self.constant(table.astype(np.float16), name), ids)
            return self.op("Cast", rows, to=TensorProto.FLOAT)
        largest = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12)
        scales = largest.astype(np.float32) / 127
        integers = np.rint(table / scales).astype(np.int8)
        rows = self.op("Gather", self.constant(integers, name), ids)
        scale = self.op("Gather", self.constant(scales, scale_name(name)), ids)
        return self.op("Mul", self.op("Cast", rows, to=TensorProto.FLOAT), scale)

    def linear(self, x: str, weight: Array, name: str = "", *, least: float | None = None) -> str:
        """Multiply (rows, inputs) by a weight (outputs, inputs).

        In int8, each row is quantised independently of the others in the batch. Inputs that are
        never below `least`, as after GELU, are quantised more finely.
        """
        if self.precision != "int8":
            return self.op("MatMul", x, self.weight(weight.T, name))
        zero = 128 if least is None else 8  # the quantised 0, of 256 values
        steps = 255.0 - zero
        largest = self.op("ReduceMax", x, axes=[-1], keepdims=0)  # (rows,)
        if least is None:
            smallest = self.op("ReduceMin", x, axes=[-1], keepdims=0)
            largest = self.op("Max", largest, self.op("Neg", smallest), self.constant(1e-6))
        else:
            largest = self.op("Max", largest, self.constant(-least * steps / zero))
        step = self.op("Mul", largest, self.constant(1 / steps))
        zero_point = self.constant(np.array([zero], dtype=np.uint8))
        zero_points = self.op("Expand", zero_point, self.op("Shape", step))
        integers = self.op("QuantizeLinear", x, step, zero_points, axis=0)
        columns, scales = quantise_columns(weight.T)
        weights = (
            self.constant(columns, name),
            self.constant(1.0),
            self.constant(scales, scale_name(name)),
        )
        zero_point = self.constant(np.array(zero, dtype=np.uint8))
        product = self.op("MatMulIntegerToFloat", integers, *weights, zero_point)
        return self.op("Mul", product, self.op("Unsqueeze", step, self.constant([1])))

    def add(self, x: str, bias: Array, name: str = "") -> str:
        """Add a bias."""
        return self.op("Add", x, self.constant(bias.astype(np.float32), name))

    def model(self) -> bytes:
        """Return the graph as the contents of a file."""
        graph = helper.make_graph(
            self._nodes, "whorl", self._inputs, self._outputs, list(self._weights.values())
        )
        sets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=sets, ir_version=_IR, producer_name="whorl")
        serialised: bytes = model.SerializeToString(deterministic=True)
        return serialised


def scale_name(name: str) -> str:
    """Return the name of the scales of a weight in int8."""
    return name and f"{name}.scale"


def quantise_columns(matrix: Array) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Quantise (…, inputs, outputs) to int8; return it with the scale of each output."""
    scales = np.maximum(np.abs(matrix).max(axis=-2), 1e-12).astype(np.float32) / _LARGEST
    return np.rint(matrix / scales[..., None, :]).astype(np.int8), scales
