"""The files of an exported model: graphs, tables, and the vocabulary."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load

from whorl.errors import ModelError
from whorl.lexicon.bpe import BytePairs
from whorl.model_folder.content_addressed import read_named
from whorl.model_folder.description import MODEL_JSON, read_description
from whorl.span.config import SpanConfig
from whorl.span.description import LISTS
from whorl.span.vocabulary import SpanVocabulary

__all__ = ["ExportedFiles"]

Array = npt.NDArray[Any]

_LARGEST = 1 << 28  # bytes of a decompressed vocabulary
_TYPES = (np.float32, np.float16, np.int8)


@dataclass(frozen=True, slots=True)
class ExportedFiles:
    """What `whorl.span.export` wrote, read and checked; graphs are paths still to be read."""

    config: SpanConfig
    graphs: dict[str, Path]
    tables: dict[str, Array]
    vocabulary: SpanVocabulary
    root: str | None
    convention: str | None
    card: dict[str, Any]

    @classmethod
    def read(cls, folder: str | Path) -> ExportedFiles:
        """Read an exported model; `ModelError` says which file is wrong, and how."""
        folder = Path(folder)
        description = read_description(folder, "span")
        files = description.get("runtime")
        if not files:
            raise ModelError(f"{folder} is not exported: it needs PyTorch to run")
        if "tables" not in files:
            raise ModelError(f"{folder} was exported by an older Whorl: export it again")
        try:
            config = SpanConfig(**description["config"])
        except TypeError as error:
            raise ModelError(f"{folder / MODEL_JSON}: {error}") from error
        graphs = {
            name: folder.resolve() / files[name]
            for name in ("encoder", "transformer")
            if name in files
        }
        vocabulary = _read_vocabulary(folder / files["vocabulary"], description, config)
        tables = _read_tables(folder / files["tables"])
        _check_tables(folder / files["tables"], tables, config)
        saved = (description[name] for name in ("root", "convention", "card"))
        return cls(config, graphs, tables, vocabulary, *saved)


def _read_vocabulary(
    path: Path, description: Mapping[str, Any], config: SpanConfig
) -> SpanVocabulary:
    """Read the vocabulary file, and combine it with what `model.json` has."""
    packed = read_named(path)
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            text = file.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise ValueError(f"more than {_LARGEST} bytes when decompressed")
        saved = json.loads(text)
        if not isinstance(saved, dict):
            raise ValueError("expected a JSON object")
        lists = {name: saved[name] for name in LISTS}
        for name, values in lists.items():
            if values is not None and not _is_list_of_strings(values):
                raise ValueError(f"{name} must be a list of strings or null")
        tokenizer = saved["tokenizer"]
    except KeyError as error:
        raise ModelError(f"{path} is damaged: it has no {error}") from error
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise ModelError(f"{path} is damaged: {error}") from error
    if (tokenizer is None) != (config.transformer is None):
        raise ModelError(f"{path}: a model has a tokenizer if and only if it has a transformer")
    pieces = None if tokenizer is None else _read_pieces(path, tokenizer, description["pieces"])
    vocabulary = SpanVocabulary.from_dict({**description, **lists}, pieces=pieces)
    _check_sizes(path, vocabulary, config)
    return vocabulary


def _read_pieces(path: Path, tokenizer: Any, marks: list[int]) -> Any:
    """Make the pieces of Whorl's own transformer, or of another one, which needs a library."""
    start, end, unknown = marks
    try:
        if "json" not in tokenizer:
            if not all(_is_list_of_strings(tokenizer[name]) for name in ("pieces", "merges")):
                raise TypeError("pieces and merges must be lists of strings")
            return BytePairs.from_dict(tokenizer, marks)
        from whorl.lexicon.word_pieces import Pieces

        return Pieces.from_json(tokenizer["json"], start=start, end=end, unknown=unknown)
    except (KeyError, TypeError, ValueError, ModelError) as error:
        raise ModelError(f"{path}: the tokenizer is damaged: {error!r}") from error


def _is_list_of_strings(values: object) -> bool:
    return isinstance(values, list) and set(map(type, values)) <= {str}


def _check_sizes(path: Path, vocabulary: SpanVocabulary, config: SpanConfig) -> None:
    """Compare the sizes of the vocabulary with those of the network."""
    v = vocabulary
    sizes = {
        "words": (0 if v.words is None else len(v.words), config.words),
        "vectors": (0 if v.vectors is None else len(v.vectors.words) + 1, config.vectors),
        "characters": (0 if v.characters is None else len(v.characters), config.characters),
    }
    for name, (size, expected) in sizes.items():
        if size != expected:
            raise ModelError(f"{path}: the model needs {expected} {name}, but there are {size}")
    if v.pieces is not None and max(v.pieces.start, v.pieces.end, v.pieces.unknown) >= len(
        v.pieces
    ):
        raise ModelError(f"{path}: the tokenizer is damaged: it has only {len(v.pieces)} pieces")


def _read_tables(path: Path) -> dict[str, Array]:
    try:
        return load(read_named(path))
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} is damaged: {error}") from error


def _check_tables(path: Path, tables: Mapping[str, Array], config: SpanConfig) -> None:
    """Check the shapes and types of all tables, and that their numbers are finite."""
    c = config
    labels = (c.labels + 1, c.hidden_dim)
    shapes: dict[str, tuple[int, ...]] = {
        "top.weight": labels,
        "item.weight": labels,
        "arity.weight": (c.max_arity + 2, c.hidden_dim),
        "chain.weight": (c.max_unary + 1, c.hidden_dim),
        "out.weight": labels,
        "out.bias": (c.labels + 1,),
    }
    if c.words and c.word_dim:
        shapes["word"] = (c.words, c.word_dim)
    if c.vectors and c.vector_dim:
        shapes["vector"] = (c.vectors, c.vector_dim)
    if c.characters and c.character_dim:
        filter_width = len(tables["characters"]) if "characters" in tables else 1
        shapes["characters"] = (max(1, filter_width), c.characters, c.character_dim)
        shapes["characters.bias"] = (c.character_dim,)
    scaled = [n for n in shapes if n in tables and tables[n].dtype == np.int8]
    shapes |= {f"{name}.scale": shapes[name][:1] for name in scaled}
    for name, shape in shapes.items():
        if name not in tables:
            raise ModelError(f"{path} is damaged: it has no table {name!r}")
        table = tables[name]
        if table.shape != shape:
            raise ModelError(f"{path}: {name} has shape {table.shape}, not {shape}")
        if table.dtype not in _TYPES:
            raise ModelError(f"{path}: {name} has the type {table.dtype}")
        if table.dtype != np.int8 and not np.isfinite(table).all():
            raise ModelError(f"{path}: {name} holds NaN or infinity")
