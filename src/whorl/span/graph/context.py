"""Context encoders as operators: what each must provide to be exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.span.config import SpanConfig
from whorl.span.encoders.registry import get_context
from whorl.span.graph.builder import Graph

__all__ = ["NO_CONTEXT_GRAPH", "ContextGraph", "context_graph", "join_fenceposts", "slice_axis"]

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]
Weights = Mapping[str, Floats]


class ContextGraph(NamedTuple):
    """How a context encoder is written as operators, and how its weights are read back."""

    write: Callable[[Graph, str, Weights, SpanConfig], tuple[str, str]]
    """From (positions, sentences, width) to words and fenceposts, (positions, sentences, …)."""
    read: Callable[[Mapping[str, Array], SpanConfig], Iterator[tuple[str, Array]]]
    """From the weights of a graph to those of the PyTorch module."""
    int8_input_weights: tuple[str, ...] = ()
    """Weights over the input, if int8 needs an input between -1 and 1."""


def context_graph(config: SpanConfig) -> ContextGraph:
    """Return the graph of a network's context encoder; `ModelError` if it has none."""
    entry = get_context(config.context_encoder)
    if entry.graph is None:
        raise ModelError(
            f"models with the context encoder {config.context_encoder!r} cannot be exported: it"
            " has no ONNX graph"
        )
    graph: ContextGraph = entry.resolve("graph")
    return graph


def slice_axis(graph: Graph, x: str, start: int, end: int, *, axis: int = 0) -> str:
    """Slice one axis of a value."""
    return graph.op("Slice", x, *(graph.constant([number]) for number in (start, end, axis)))


def join_fenceposts(graph: Graph, forwards: str, backwards: str) -> str:
    """Join what is left of each fencepost in `forwards` with what is right of it in `backwards`."""
    left, right = slice_axis(graph, forwards, 0, -1), slice_axis(graph, backwards, 1, 1 << 31)
    return graph.op("Concat", left, right, axis=2)


def _write_nothing(graph: Graph, x: str, w: Weights, config: SpanConfig) -> tuple[str, str]:
    return x, join_fenceposts(graph, x, x)


def _read_nothing(weights: Mapping[str, Array], config: SpanConfig) -> Iterator[tuple[str, Array]]:
    yield from ()


NO_CONTEXT_GRAPH = ContextGraph(_write_nothing, _read_nothing)
