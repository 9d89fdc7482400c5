"""A `span` model folder read without PyTorch: the encoder runs in ONNX Runtime, all decisions in NumPy."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from safetensors.numpy import load

from whorl.data.span_encoder import SpanEncoder
from whorl.data.span_samples import SpanInputs
from whorl.description import read_description
from whorl.errors import ModelError
from whorl.runtime.choices import Floats
from whorl.runtime.span_scorer import SpanScorer, SpanWeights

__all__ = ["OnnxReader", "RuntimeModel"]


class OnnxReader:
    """An encoder's graph ready to read batches of sentences, in several threads at once if need be.

    A process that was forked makes a session of its own: one that it inherits may wait for threads that it has not.
    """

    def __init__(self, make: Callable[[], Any], weights: SpanWeights) -> None:
        self._make = make
        self._session = make()
        self._process = os.getpid()
        self._inherited: list[Any] = []  # kept, since to end one may be to wait for its threads
        self._names = [given.name for given in self._session.get_inputs()]
        self._weights = weights

    def read(self, inputs: SpanInputs) -> tuple[SpanScorer, Floats]:
        """Run the encoder: a scorer for the sentences' states, and the scores of all tags for all words."""
        if self._process != os.getpid():
            self._inherited.append(self._session)
            self._session = self._make()
            self._process = os.getpid()
        left, right, tags = self._session.run(None, {name: getattr(inputs, name) for name in self._names})
        return SpanScorer(self._weights, left, right), tags


@dataclass(frozen=True, slots=True)
class RuntimeModel:
    """All that parsing needs."""

    reader: OnnxReader
    encoder: SpanEncoder
    max_unary: int
    root: str | None
    convention: str | None
    card: dict[str, Any]

    @classmethod
    def load(cls, folder: str | Path, *, threads: int = 1) -> RuntimeModel:
        """Read a model folder that `whorl.bundle.export` has been over."""
        folder = Path(folder)
        saved = read_description(folder, "span")
        if not saved.get("runtime"):
            raise ModelError(f"{folder} has not been exported: it needs PyTorch to run")
        weights = SpanWeights(load(_checked(folder / saved["runtime"]["scorer"])))
        graph = folder.resolve() / saved["runtime"]["encoder"]
        reader = OnnxReader(lambda: _session(_checked(graph), threads), weights)
        try:
            encoder = SpanEncoder.from_dict(saved, folder, None)
            return cls(reader, encoder, saved["config"]["max_unary"], saved["root"], saved["convention"], saved["card"])
        except (KeyError, TypeError) as error:
            raise ModelError(f"{folder}: the model does not fit its description: {error}") from error


def _session(graph: bytes, threads: int) -> Any:
    try:
        library = import_module("onnxruntime")
    except ImportError as error:
        raise ModelError("parsing without PyTorch needs ONNX Runtime: pip install onnxruntime") from error
    options = library.SessionOptions()
    options.intra_op_num_threads = threads
    return library.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _checked(path: Path) -> bytes:
    """A file's content, which must be what its name says."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest()[:12] not in path.name:
        raise ModelError(f"{path} is damaged: its content is not what was saved ({len(data)} bytes)")
    return data
