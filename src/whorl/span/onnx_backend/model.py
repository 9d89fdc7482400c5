"""Exported models: the encoder in ONNX Runtime, everything else in NumPy."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.model_folder.content_addressed import read_named
from whorl.span.config import SpanConfig
from whorl.span.numpy_scorer import NumpyScorer, ScorerWeights
from whorl.span.onnx_backend.batches import ExportedVocabulary, OnnxBatch
from whorl.span.onnx_backend.features import CachedWordFeatures
from whorl.span.onnx_backend.folder import ExportedFiles
from whorl.span.scores import Floats

__all__ = ["ExportedModel", "OnnxBackend"]

Array = npt.NDArray[Any]

_INPUTS = {
    *("features", "grid", "lengths", "places", "treebanks"),
    *("pieces", "chunks", "ends", "vectors"),
}


@dataclass(frozen=True, slots=True)
class _Sessions:
    """The sessions of one process."""

    process: int
    encoder: Any
    transformer: Any | None

    @classmethod
    def start(cls, graphs: Mapping[str, Path], threads: int) -> _Sessions:
        """Read the graphs and make a session for each."""
        transformer = graphs.get("transformer")
        return cls(
            os.getpid(),
            _session(graphs["encoder"], threads),
            None if transformer is None else _session(transformer, threads),
        )


class OnnxBackend:
    """Runs an encoder's graph, after that of its transformer if it is not Whorl's own.

    Several threads may use it at once. A forked process starts its own sessions: inherited ones may
    wait for threads that do not exist there.
    """

    def __init__(
        self,
        graphs: Mapping[str, Path],
        weights: ScorerWeights,
        config: SpanConfig,
        *,
        threads: int,
    ) -> None:
        self.weights = weights
        self._graphs = graphs
        self._threads = threads
        self._sessions = _Sessions.start(graphs, threads)
        self._inherited: list[_Sessions] = []  # kept: deleting one may wait for its threads
        self._widths = (config.tags, config.hidden_dim, config.hidden_dim)
        self._inputs = [value.name for value in self._sessions.encoder.get_inputs()]
        outputs = [value.name for value in self._sessions.encoder.get_outputs()]
        if outputs != ["tags", "left", "right"] or not _INPUTS.issuperset(self._inputs):
            raise ModelError(f"{graphs['encoder']} is not the graph of an encoder")

    def encode(self, batch: OnnxBatch) -> tuple[NumpyScorer, Floats]:
        """See `whorl.span.parsing.Backend`."""
        sessions = self._sessions
        if sessions.process != os.getpid():
            self._inherited.append(sessions)
            sessions = self._sessions = _Sessions.start(self._graphs, self._threads)
        results = [self._run(sessions, group) for group in batch.groups]
        tags, left, right = (_joined(parts) for parts in zip(*results, strict=True))
        return NumpyScorer(self.weights, left, right), tags.take(batch.words, axis=0)

    def _run(self, sessions: _Sessions, group: Mapping[str, Array]) -> list[Floats]:
        inputs = dict(group)
        if sessions.transformer is not None:
            pieces = {name: group[name] for name in ("pieces", "chunks")}
            path = self._graphs["transformer"]
            (inputs["vectors"],) = _results(sessions.transformer, pieces, path)
        path = self._graphs["encoder"]
        if not inputs.keys() >= set(self._inputs):
            raise ModelError(f"{path} does not fit the model: it has other inputs")
        results = _results(sessions.encoder, {name: inputs[name] for name in self._inputs}, path)
        positions, sentences = group["grid"].shape
        rows = (len(group["places"]), *[(positions - 1) * sentences] * 2)
        if [result.shape for result in results] != list(zip(rows, self._widths, strict=True)):
            raise ModelError(f"{path} does not fit the model: its outputs have other shapes")
        return results


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """Everything that parsing needs."""

    backend: OnnxBackend
    vocabulary: ExportedVocabulary
    config: SpanConfig
    root: str | None
    convention: str | None
    card: dict[str, Any]

    @classmethod
    def load(cls, folder: str | Path, *, threads: int = 1) -> ExportedModel:
        """Read a model folder that `whorl.span.export` has written to."""
        files = ExportedFiles.read(folder)
        vocabulary, features = files.vocabulary, None
        if any((vocabulary.words, vocabulary.vectors, vocabulary.characters)):
            features = CachedWordFeatures(
                vocabulary.words, vocabulary.vectors, vocabulary.characters, files.tables
            )
        weights = ScorerWeights(files.tables)
        return cls(
            OnnxBackend(files.graphs, weights, files.config, threads=threads),
            ExportedVocabulary(vocabulary, features),
            files.config,
            files.root,
            files.convention,
            files.card,
        )


def _session(graph: Path, threads: int) -> Any:
    try:
        library = import_module("onnxruntime")
    except ImportError as error:
        raise ModelError(
            "parsing without PyTorch needs ONNX Runtime: pip install onnxruntime"
        ) from error
    options = library.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # fatal: errors are raised
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    graph_bytes = read_named(graph)
    try:
        return library.InferenceSession(
            graph_bytes, options, providers=["CPUExecutionProvider"], enable_fallback=0
        )
    except Exception as error:  # the library's errors have no common base class
        raise ModelError(f"{graph} is damaged: {error}") from error


def _results(session: Any, inputs: Mapping[str, Array], graph: Path) -> list[Floats]:
    try:
        results: list[Floats] = session.run(None, inputs)
    except Exception as error:  # likewise
        if "allocat" in str(error) or "bad_alloc" in str(error):
            raise MemoryError(str(error)) from error
        raise ModelError(f"{graph} is damaged, or does not fit the model: {error}") from error
    return results


def _joined(parts: Sequence[Floats]) -> Floats:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
