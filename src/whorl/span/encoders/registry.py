"""The registry of context encoders: their PyTorch modules and their ONNX graphs, by name."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from whorl.errors import ModelError

__all__ = ["CONTEXTS", "ContextEntry", "get_context"]


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """Where the parts of a context encoder are, each as `module:name`, imported on use."""

    encoder: str
    """A subclass of `whorl.span.encoders.context.ContextEncoder`."""
    graph: str | None = None
    """A `whorl.span.graph.context.ContextGraph`; without one, models cannot be exported."""

    def resolve(self, part: str) -> Any:
        """Import one part."""
        module, _, name = getattr(self, part).partition(":")
        return getattr(importlib.import_module(module), name)


CONTEXTS = {
    "lstm": ContextEntry("whorl.span.encoders.bilstm:BiLSTM", "whorl.span.graph.lstm:LSTM_GRAPH"),
    "none": ContextEntry(
        "whorl.span.encoders.context:NoContext", "whorl.span.graph.context:NO_CONTEXT_GRAPH"
    ),
}
"""By the names that `span.context` accepts, which are also their names in saved weights."""


def get_context(name: str) -> ContextEntry:
    """Look a context encoder up; `ModelError` lists the names that exist."""
    if name not in CONTEXTS:
        raise ModelError(f"unknown context encoder {name!r}: choose one of {', '.join(CONTEXTS)}")
    return CONTEXTS[name]
