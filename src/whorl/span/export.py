"""A `span` model made ready to run without PyTorch: its encoder as an ONNX graph, tables and vocabularies beside it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from whorl.errors import ModelError
from whorl.files import write_json
from whorl.lexicon.bpe import BytePairs
from whorl.model_folder.content_addressed import write_named
from whorl.model_folder.tensors import remove_others
from whorl.span.encoders.pieces import HuggingFace
from whorl.span.folder import SpanModel
from whorl.span.graph.builder import Precision
from whorl.span.graph.encoder import encoder_graph
from whorl.span.graph.huggingface import transformer_graph
from whorl.span.graph.tables import Tables, make_tables
from whorl.span.vocabulary import SpanVocabulary
from whorl.transformer.network import TransformerConfig

__all__ = ["PRECISIONS", "export_runtime"]

Floats = npt.NDArray[np.float32]

PRECISIONS: tuple[str, ...] = get_args(Precision)
_LISTS = ("words", "vectors", "characters")  # of model.json, which the vocabulary has too
_DEVIATIONS = 8  # of a norm's outputs: beyond that, int8 cuts off


def export_runtime(
    folder: str | Path, *, precision: str = "float32", out: str | Path | None = None
) -> Path:
    """Add to a model folder what `whorl.span.onnx_backend` reads, or make a folder of its own of it, which has nothing else.

    `model.json` names the files only once they are whole.
    """
    if precision not in PRECISIONS:
        raise ModelError(
            f"unknown precision {precision!r}: expected one of {', '.join(PRECISIONS)}"
        )
    folder = Path(folder)
    target = folder if out is None else Path(out)
    bundle = SpanModel.load(folder)
    target.mkdir(parents=True, exist_ok=True)
    files: dict[str, Any] = {"precision": precision}
    for stem, suffix, content in _contents(bundle, cast(Precision, precision)):
        files[stem] = write_named(target, stem, suffix, content)
    saved = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    if target.resolve() != folder.resolve():
        saved = {name: value for name, value in saved.items() if name != "weights"} | dict.fromkeys(
            _LISTS
        )
    write_json(target / "model.json", {**saved, "runtime": files})
    for stem in ("encoder", "transformer", "tables", "vocabulary", "scorer"):
        remove_others(target, stem, files.get(stem, ""))
    return target


def _contents(bundle: SpanModel, precision: Precision) -> Iterator[tuple[str, str, bytes]]:
    """The files: what each is for, its suffix, its content."""
    config, encoder = bundle.model.config, bundle.encoder
    w = {
        name: np.asarray(tensor.float().numpy())
        for name, tensor in bundle.model.state_dict().items()
    }
    tables, decisions = make_tables(w, encoder)
    pieces: TransformerConfig | int | None = None
    coarsest = precision
    if bundle.model.encoder.pieces is not None:
        transformer = bundle.model.encoder.pieces.transformer
        if isinstance(transformer, HuggingFace):
            pieces = transformer.width
            coarsest = (
                "float16" if precision == "int8" else precision
            )  # of what is fed with another's vectors
            yield "transformer", ".onnx", transformer_graph(transformer)
        else:
            pieces = transformer.config
    reach = None
    if coarsest == "int8" and config.lstm_layers:
        reach = _reach(w, tables)
        tables.scale(reach[: tables.width])
    graph = encoder_graph(
        w,
        config,
        features=tables.width,
        pieces=pieces,
        longest=encoder.longest + 2,
        precision=coarsest,
        reach=reach,
    )
    yield "encoder", ".onnx", graph
    yield "tables", ".safetensors", save(tables.stored(precision) | decisions)
    vocabulary = {name: encoder.to_dict()[name] for name in _LISTS} | {
        "tokenizer": _tokenizer(encoder)
    }
    yield (
        "vocabulary",
        ".json.gz",
        gzip.compress(json.dumps(vocabulary, ensure_ascii=False).encode(), mtime=0),
    )


def _reach(w: dict[str, Floats], tables: Tables) -> Floats:
    """How large each number that comes into the BiLSTM may be: any word's features, and what a norm usually gives."""
    parts = [tables.reach()]
    norm = "encoder.pieces.transformer.ln"
    if f"{norm}.weight" in w:
        parts.append(np.abs(w[f"{norm}.bias"]) + _DEVIATIONS * np.abs(w[f"{norm}.weight"]))
    most: Floats = np.maximum(np.concatenate(parts), np.abs(w["encoder.marks"]).max(axis=0))
    most += np.abs(w["encoder.treebank.weight"]).max(axis=0)
    return most


def _tokenizer(encoder: SpanVocabulary) -> dict[str, Any] | None:
    if encoder.pieces is None:
        return None
    text = encoder.pieces.tokenizer.to_str()
    return BytePairs.described(text) or {"json": text}
