"""ONNX graphs written down: operators, and weights in one of three precisions."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Graph", "Precision", "quantised_columns", "scale_of"]

Precision = Literal["float32", "float16", "int8"]
Array = npt.NDArray[Any]

_OPSET, _IR = 17, 8
_CONTRIB = "com.microsoft"  # operators that ONNX Runtime brings along
_CONTRIBUTED = {
    "BiasGelu",
    "DynamicQuantizeLSTM",
    "FastGelu",
    "MatMulIntegerToFloat",
    "MultiHeadAttention",
    "RotaryEmbedding",
}
_MOST = 63
"""The largest int8 weight. Processors without VNNI add two products in 16 bits, which larger ones could overflow."""


class Graph:
    """Collects inputs, operators and weights; values are known by their names."""

    def __init__(self, precision: Precision) -> None:
        self.precision = precision
        self._nodes: list[onnx.NodeProto] = []
        self._weights: dict[str, onnx.TensorProto] = {}
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []

    def input(self, name: str, kind: int, *axes: str | int) -> str:
        """A value that is given when the graph runs."""
        self._inputs.append(helper.make_tensor_value_info(name, kind, axes))
        return name

    def output(self, name: str, value: str, *axes: str | int) -> None:
        """A value that the graph gives."""
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, axes))

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """An operator with one output."""
        return self.ops(kind, 1, *inputs, **attributes)[0]

    def ops(self, kind: str, outputs: int, *inputs: str, **attributes: Any) -> list[str]:
        """An operator with several."""
        names = [f"v{len(self._nodes)}.{number}" for number in range(outputs)]
        domain = _CONTRIB if kind in _CONTRIBUTED else ""
        self._nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names

    def constant(self, values: Array | float | list[int], name: str = "") -> str:
        """Numbers as they are: floats in float32, integers in int64, arrays in their own type.

        What the network has learnt gets a name, so that `whorl.span.restore` can find it again.
        """
        if isinstance(values, float):
            values = np.array(values, dtype=np.float32)
        array = np.asarray(values, order="C")
        name = name or f"c{len(self._weights)}"
        self._weights[name] = numpy_helper.from_array(array, name)
        return name

    def weight(self, values: Array, name: str = "") -> str:
        """A weight that is computed with in float32, whatever it is stored as: all but float32 is undone on loading."""
        values = np.asarray(values, dtype=np.float32)
        if values.ndim < 2 or self.precision == "float32":
            return self.constant(values, name)
        return self.op("Cast", self.constant(values.astype(np.float16), name), to=TensorProto.FLOAT)

    def rows(self, table: Array, ids: str, name: str = "") -> str:
        """Rows of a table; in int8 each has a scale of its own."""
        if self.precision != "int8":
            found = self.op("Gather", self._stored(table, name), ids)
            return (
                found
                if self.precision == "float32"
                else self.op("Cast", found, to=TensorProto.FLOAT)
            )
        scales = (
            np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12).astype(np.float32) / 127
        )
        whole = self.op("Gather", self.constant(np.rint(table / scales).astype(np.int8), name), ids)
        scale = self.op("Gather", self.constant(scales, scale_of(name)), ids)
        return self.op("Mul", self.op("Cast", whole, to=TensorProto.FLOAT), scale)

    def linear(self, x: str, weight: Array, name: str = "", *, least: float | None = None) -> str:
        """A layer without bias over (rows, inputs); in int8 each row is quantised by itself, whatever stands beside it.

        What is known to be never below some least value, as after GELU, is quantised more finely.
        """
        if self.precision != "int8":
            return self.op("MatMul", x, self.weight(weight.T, name))
        zero = 128 if least is None else 8  # where 0 lies among the 256 numbers
        steps = 255.0 - zero
        reach = self.op("ReduceMax", x, axes=[-1], keepdims=0)  # (rows,)
        if least is None:
            bottom = self.op("ReduceMin", x, axes=[-1], keepdims=0)
            reach = self.op("Max", reach, self.op("Neg", bottom), self.constant(1e-6))
        else:
            reach = self.op("Max", reach, self.constant(-least * steps / zero))
        step = self.op("Mul", reach, self.constant(1 / steps))
        place = self.constant(np.array([zero], dtype=np.uint8))
        places = self.op("Expand", place, self.op("Shape", step))
        whole = self.op("QuantizeLinear", x, step, places, axis=0)
        columns, scales = quantised_columns(weight.T)
        weights = (
            self.constant(columns, name),
            self.constant(1.0),
            self.constant(scales, scale_of(name)),
        )
        place = self.constant(np.array(zero, dtype=np.uint8))
        product = self.op("MatMulIntegerToFloat", whole, *weights, place)
        return self.op("Mul", product, self.op("Unsqueeze", step, self.constant([1])))

    def add(self, x: str, bias: Array, name: str = "") -> str:
        """A bias on top."""
        return self.op("Add", x, self.constant(bias.astype(np.float32), name))

    def model(self) -> bytes:
        """The whole as a file's content."""
        graph = helper.make_graph(
            self._nodes, "whorl", self._inputs, self._outputs, list(self._weights.values())
        )
        sets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)]
        made = helper.make_model(graph, opset_imports=sets, ir_version=_IR, producer_name="whorl")
        content: bytes = made.SerializeToString(deterministic=True)
        return content

    def _stored(self, table: Array, name: str) -> str:
        return self.constant(
            table.astype(np.float16 if self.precision == "float16" else np.float32), name
        )


def scale_of(name: str) -> str:
    """The name of the scales of a weight in int8."""
    return name and f"{name}.scale"


def quantised_columns(matrix: Array) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Whole numbers for a matrix (…, inputs, outputs), and the scale of each output (…, outputs)."""
    scales = np.maximum(np.abs(matrix).max(axis=-2), 1e-12).astype(np.float32) / _MOST
    return np.rint(matrix / scales[..., None, :]).astype(np.int8), scales
