"""A `span` model folder read without PyTorch: the encoder runs in ONNX Runtime, all else in NumPy."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_named
from whorl.span.numpy_scorer import SpanScorer, SpanWeights
from whorl.span.onnx_backend.batches import Prepared, RuntimeVocabulary
from whorl.span.onnx_backend.features import WordFeatures
from whorl.span.onnx_backend.folder import ExportedFiles
from whorl.span.scores import Floats

__all__ = ["OnnxReader", "RuntimeModel"]

Array = npt.NDArray[Any]


class OnnxReader:
    """An encoder's graph, and one before it where the transformer is not ours, ready to read batches of sentences.

    Several threads may read at once. A process that was forked makes sessions of its own: those
    that it inherits may wait for threads that it has not.
    """

    def __init__(self, make: Callable[[], list[Any]], weights: SpanWeights) -> None:
        self._make = make
        self._sessions = make()
        self._process = os.getpid()
        self._inherited: list[Any] = []  # kept, since to end one may be to wait for its threads
        self._names = [given.name for given in self._sessions[0].get_inputs()]
        self.weights = weights

    def read(self, inputs: Prepared) -> tuple[SpanScorer, Floats]:
        """Run the encoder: a scorer for the sentences' states, and the scores of all tags for all words."""
        if self._process != os.getpid():
            self._inherited += self._sessions
            self._sessions = self._make()
            self._process = os.getpid()
        tags, left, right = (
            _joined(parts) for parts in zip(*map(self._run, inputs.groups), strict=True)
        )
        return SpanScorer(self.weights, left, right), tags.take(inputs.words, axis=0)

    def _run(self, group: Mapping[str, Array]) -> list[Floats]:
        encoder, *before = self._sessions
        given = dict(group)
        if before:
            pieces = {name: group[name] for name in ("pieces", "chunks")}
            (given["vectors"],) = before[0].run(None, pieces)
        found: list[Floats] = encoder.run(None, {name: given[name] for name in self._names})
        return found


@dataclass(frozen=True, slots=True)
class RuntimeModel:
    """All that parsing needs."""

    reader: OnnxReader
    encoder: RuntimeVocabulary
    max_unary: int
    root: str | None
    convention: str | None
    card: dict[str, Any]

    @property
    def hidden_dim(self) -> int:
        """The length of a candidate transition's vector."""
        return len(self.reader.weights.out)

    @classmethod
    def load(cls, folder: str | Path, *, threads: int = 1) -> RuntimeModel:
        """Read a model folder that `whorl.span.export` has been over."""
        files = ExportedFiles.read(folder)
        saved, numbers, graphs = files.saved, files.numbers, files.graphs.values()
        try:
            weights = SpanWeights(files.tables)
            features = None
            if (
                numbers.words is not None
                or numbers.vectors is not None
                or numbers.characters is not None
            ):
                features = WordFeatures(
                    numbers.words, numbers.vectors, numbers.characters, files.tables
                )
            reader = OnnxReader(
                lambda: [_session(read_named(graph), threads) for graph in graphs], weights
            )
            encoder = RuntimeVocabulary(numbers, features)
            return cls(
                reader,
                encoder,
                saved["config"]["max_unary"],
                saved["root"],
                saved["convention"],
                saved["card"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                f"{folder}: the model does not fit its description: {error}"
            ) from error


def _session(graph: bytes, threads: int) -> Any:
    try:
        library = import_module("onnxruntime")
    except ImportError as error:
        raise ModelError(
            "parsing without PyTorch needs ONNX Runtime: pip install onnxruntime"
        ) from error
    options = library.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return library.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _joined(parts: tuple[Floats, ...]) -> Floats:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
