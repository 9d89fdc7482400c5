"""The files of an exported `span` model: graphs, tables, and the numbers of all that the model knows."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load

from whorl.errors import ModelError
from whorl.lexicon.bpe import BytePairs
from whorl.lexicon.characters import Characters
from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.model_folder.content_addressed import read_named
from whorl.model_folder.description import read_description
from whorl.span.vocabulary import SpanVocabulary

__all__ = ["ExportedFiles"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ExportedFiles:
    """What `whorl.span.export` has written, read; of the graphs, where they are."""

    saved: dict[str, Any]
    graphs: dict[str, Path]
    tables: dict[str, Array]
    numbers: SpanVocabulary

    @classmethod
    def read(cls, folder: str | Path) -> ExportedFiles:
        """Read a model folder; `ModelError` says what is wrong with one that cannot be read."""
        folder = Path(folder)
        saved = read_description(folder, "span")
        files = saved.get("runtime")
        if not files:
            raise ModelError(f"{folder} has not been exported: it needs PyTorch to run")
        if "tables" not in files:
            raise ModelError(f"{folder} was exported by an older Whorl: export it again")
        graphs = {
            name: folder.resolve() / files[name]
            for name in ("encoder", "transformer")
            if name in files
        }
        try:
            tables = load(read_named(folder / files["tables"]))
            vocabulary = json.loads(gzip.decompress(read_named(folder / files["vocabulary"])))
            return cls(saved, graphs, tables, _numbers(saved, vocabulary))
        except (KeyError, TypeError, ValueError, SafetensorError) as error:
            raise ModelError(
                f"{folder}: the model does not fit its description: {error}"
            ) from error


def _numbers(saved: dict[str, Any], vocabulary: dict[str, Any]) -> SpanVocabulary:
    words, vectors, characters = (vocabulary[name] for name in ("words", "vectors", "characters"))
    nothing = np.zeros((1, 0), dtype=np.float32)
    return SpanVocabulary(
        labels=saved["labels"],
        tags=Tags(saved["tags"]),
        treebanks=saved["treebanks"],
        words=None if words is None else Words(words),
        vectors=None if vectors is None else Vectors(vectors, nothing),
        characters=None if characters is None else Characters(characters),
        pieces=_pieces(vocabulary["tokenizer"], saved["pieces"]),
        longest=saved["longest"],
        lower_capitals=saved.get("lower_capitals", False),  # an older export has none
    )


def _pieces(tokenizer: dict[str, Any] | None, marks: list[int] | None) -> Any:
    """The pieces of a transformer of ours, or of another, which needs a library."""
    if tokenizer is None or marks is None:
        return None
    if "json" not in tokenizer:
        return BytePairs.restored(tokenizer, marks)
    from whorl.lexicon.word_pieces import Pieces

    start, end, unknown = marks
    return Pieces.parse(tokenizer["json"], start=start, end=end, unknown=unknown)
