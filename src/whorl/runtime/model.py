"""A `span` model folder read without PyTorch: the encoder runs in ONNX Runtime, all else in NumPy."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load

from whorl.data.bpe import BytePairs
from whorl.data.characters import Characters
from whorl.data.encoder import Tags
from whorl.data.span_encoder import SpanEncoder
from whorl.data.vectors import Vectors
from whorl.data.words import Words
from whorl.description import read_description
from whorl.errors import ModelError
from whorl.runtime.batch import Prepared, RuntimeEncoder
from whorl.runtime.choices import Floats
from whorl.runtime.features import WordFeatures
from whorl.runtime.span_scorer import SpanScorer, SpanWeights

__all__ = ["OnnxReader", "RuntimeModel"]

Array = npt.NDArray[Any]


class OnnxReader:
    """An encoder's graph, and one before it where the transformer is not ours, ready to read batches of sentences.

    Several threads may read at once. A process that was forked makes sessions of its own: those that it inherits may
    wait for threads that it has not.
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
        tags, left, right = (_joined(parts) for parts in zip(*map(self._run, inputs.groups), strict=True))
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
    encoder: RuntimeEncoder
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
        """Read a model folder that `whorl.bundle.export` has been over."""
        folder = Path(folder)
        saved = read_description(folder, "span")
        files = saved.get("runtime")
        if not files:
            raise ModelError(f"{folder} has not been exported: it needs PyTorch to run")
        if "tables" not in files:
            raise ModelError(f"{folder} was exported by an older Whorl: export it again")
        graphs = [folder.resolve() / files[name] for name in ("encoder", "transformer") if name in files]
        try:
            tables = load(_checked(folder / files["tables"]))
            reader = OnnxReader(lambda: [_session(_checked(graph), threads) for graph in graphs], SpanWeights(tables))
            encoder = _encoder(saved, json.loads(gzip.decompress(_checked(folder / files["vocabulary"]))), tables)
            return cls(reader, encoder, saved["config"]["max_unary"], saved["root"], saved["convention"], saved["card"])
        except (KeyError, TypeError, ValueError, SafetensorError) as error:
            raise ModelError(f"{folder}: the model does not fit its description: {error}") from error


def _encoder(saved: dict[str, Any], vocabulary: dict[str, Any], tables: Mapping[str, Array]) -> RuntimeEncoder:
    words, vectors, characters = (vocabulary[name] for name in ("words", "vectors", "characters"))
    nothing = np.zeros((1, 0), dtype=np.float32)
    numbers = SpanEncoder(
        labels=saved["labels"],
        tags=Tags(saved["tags"]),
        treebanks=saved["treebanks"],
        words=None if words is None else Words(words),
        vectors=None if vectors is None else Vectors(vectors, nothing),
        characters=None if characters is None else Characters(characters),
        pieces=_pieces(vocabulary["tokenizer"], saved["pieces"]),
        longest=saved["longest"],
    )
    if numbers.words is None and numbers.vectors is None and numbers.characters is None:
        return RuntimeEncoder(numbers, None)
    return RuntimeEncoder(numbers, WordFeatures(numbers.words, numbers.vectors, numbers.characters, tables))


def _pieces(tokenizer: dict[str, Any] | None, marks: list[int] | None) -> Any:
    """The pieces of a transformer of ours, or of another, which needs a library."""
    if tokenizer is None or marks is None:
        return None
    if "json" not in tokenizer:
        return BytePairs.restored(tokenizer, marks)
    from whorl.data.pieces import Pieces  # noqa: PLC0415 - it needs a library that not every model does

    start, end, unknown = marks
    return Pieces.parse(tokenizer["json"], start=start, end=end, unknown=unknown)


def _session(graph: bytes, threads: int) -> Any:
    try:
        library = import_module("onnxruntime")
    except ImportError as error:
        raise ModelError("parsing without PyTorch needs ONNX Runtime: pip install onnxruntime") from error
    options = library.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return library.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def _joined(parts: tuple[Floats, ...]) -> Floats:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _checked(path: Path) -> bytes:
    """A file's content, which must be what its name says."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest()[:12] not in path.name:
        raise ModelError(f"{path} is damaged: its content is not what was saved ({len(data)} bytes)")
    return data
