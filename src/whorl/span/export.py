"""Export of a trained model: an ONNX graph, tables and the vocabulary, to run without PyTorch."""

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
from whorl.model_folder.content_addressed import copy_named, write_named
from whorl.model_folder.description import tokeniser_files
from whorl.model_folder.tensors import remove_others
from whorl.span.description import LISTS, export_description
from whorl.span.encoders.pieces import HuggingFace
from whorl.span.folder import SpanModel
from whorl.span.graph.builder import Precision
from whorl.span.graph.context import context_graph
from whorl.span.graph.encoder import encoder_graph
from whorl.span.graph.huggingface import transformer_graph
from whorl.span.graph.tables import FeatureTables
from whorl.span.numpy_scorer import ScorerWeights
from whorl.span.vocabulary import SpanVocabulary
from whorl.transformer.network import TransformerConfig

__all__ = ["PRECISIONS", "export_runtime"]

Floats = npt.NDArray[np.float32]

PRECISIONS: tuple[str, ...] = get_args(Precision)
_DEVIATIONS = 8
"""Standard deviations of a norm's outputs that int8 represents; larger values are clipped."""


def export_runtime(
    folder: str | Path, *, precision: str = "float32", out: str | Path | None = None
) -> Path:
    """Add what `whorl.span.onnx_backend` reads to a model folder, or write it to another one.

    `model.json` names the files only once they are complete.
    """
    if precision not in PRECISIONS:
        raise ModelError(
            f"unknown precision {precision!r}: expected one of {', '.join(PRECISIONS)}"
        )
    folder = Path(folder)
    target = folder if out is None else Path(out)
    model = SpanModel.load(folder)
    context_graph(model.model.config)  # fails before anything is written
    target.mkdir(parents=True, exist_ok=True)
    files: dict[str, Any] = {"precision": precision}
    for stem, suffix, content in _contents(model, cast(Precision, precision)):
        files[stem] = write_named(target, stem, suffix, content)
    description = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    if target.resolve() != folder.resolve():
        description = export_description(description)
        copy_named(folder, target, tokeniser_files(description))
    write_json(target / "model.json", {**description, "runtime": files})
    for stem in ("encoder", "transformer", "tables", "vocabulary", "scorer"):
        remove_others(target, stem, files.get(stem, ""))
    return target


def _contents(model: SpanModel, precision: Precision) -> Iterator[tuple[str, str, bytes]]:
    """Yield the stem, suffix and contents of each file."""
    config, vocabulary = model.model.config, model.vocabulary
    w = {
        name: np.asarray(tensor.float().numpy())
        for name, tensor in model.model.state_dict().items()
    }
    tables = FeatureTables(w, vocabulary)
    pieces: TransformerConfig | int | None = None
    encoder_precision = precision
    if model.model.encoder.pieces is not None:
        transformer = model.model.encoder.pieces.transformer
        if isinstance(transformer, HuggingFace):
            pieces = transformer.width
            if precision == "int8":
                encoder_precision = "float16"  # the range of the library's vectors is not known
            yield "transformer", ".onnx", transformer_graph(transformer)
        else:
            pieces = transformer.config
    bounds = None
    if encoder_precision == "int8" and context_graph(config).int8_input_weights:
        bounds = _input_bounds(w, tables)
        tables.scale(bounds[: tables.width])
    graph = encoder_graph(
        w,
        config,
        features=tables.width,
        pieces=pieces,
        longest=vocabulary.longest + 2,
        precision=encoder_precision,
        bounds=bounds,
    )
    yield "encoder", ".onnx", graph
    scorer = {name: w[name] for name in ScorerWeights.NAMES}
    yield "tables", ".safetensors", save(tables.quantise(precision) | scorer)
    lists = {name: vocabulary.to_dict()[name] for name in LISTS}
    text = json.dumps({**lists, "tokenizer": _tokenizer(vocabulary)}, ensure_ascii=False)
    yield "vocabulary", ".json.gz", gzip.compress(text.encode(), mtime=0)


def _input_bounds(w: dict[str, Floats], tables: FeatureTables) -> Floats:
    """Return bounds of the context encoder's inputs: all features, most outputs of a norm."""
    parts = [tables.bounds()]
    norm = "encoder.pieces.transformer.ln"
    if f"{norm}.weight" in w:
        last = np.abs(w[f"{norm}.bias"]) + _DEVIATIONS * np.abs(w[f"{norm}.weight"])
        mix = np.abs(w.get("encoder.pieces.mix", np.ones((1, 1), dtype=np.float32)))
        parts.append(last * mix[-1] + _DEVIATIONS * mix[:-1].sum(axis=0))
    bounds: Floats = np.maximum(np.concatenate(parts), np.abs(w["encoder.marks"]).max(axis=0))
    bounds += np.abs(w["encoder.treebank.weight"]).max(axis=0)
    return bounds


def _tokenizer(vocabulary: SpanVocabulary) -> dict[str, Any] | None:
    text = vocabulary.tokenizer_json()
    return None if text is None else BytePairs.extract(text) or {"json": text}
