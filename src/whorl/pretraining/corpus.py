"""A corpus: raw text as one long stream of piece ids on disk, made once and taken up where making it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from whorl.errors import CorpusError
from whorl.files import replaced, write_json
from whorl.lexicon.word_pieces import SEP, Pieces
from whorl.pretraining.recipe import Text
from whorl.pretraining.text import sentences, text_files
from whorl.pretraining.vocabulary import alphabet_size, train_tokenizer

__all__ = ["Corpus", "prepare"]

Progress = Callable[[str, int, int], None]
"""Hears what is being done, how many of how many bytes of text."""

_BATCH = 10_000  # sentences encoded at a time
_SAMPLE = 5_000  # sentences of a file looked at for the alphabet
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The tokenizer, the stream (a sentence's pieces, a separator, the next one's), and what it was made from."""

    tokenizer: Tokenizer
    ids: npt.NDArray[np.unsignedinteger[Any]]
    summary: dict[str, int]
    examples: list[str]


def prepare(data: Text, cache: Path, on_progress: Progress) -> Corpus:
    """Make the corpus in a folder, or what of it is missing there."""
    files = text_files(data.text)
    if not any(sentence for path in files for sentence in sentences(path, data.words)):
        raise CorpusError(f"{data.text} holds no sentences: there is no text to pretrain on")
    cache.mkdir(parents=True, exist_ok=True)
    state = _begun(data, files, cache)
    tokenizer = _tokenizer(data, files, cache, on_progress)
    kind = np.dtype(np.uint16 if tokenizer.get_vocab_size() <= 1 << 16 else np.uint32)
    stream = cache / "ids.bin"
    total, done = sum(path.stat().st_size for path in files), 0
    for number, path in enumerate(files):
        if number == len(state["done"]):
            kept = sum(part["pieces"] for part in state["done"]) * kind.itemsize
            part = _encode(path, data.words, tokenizer, kind, stream, kept)
            state["examples"] += part.pop("examples")
            state["done"].append(part)
            write_json(cache / "corpus.json", state)
        done += path.stat().st_size
        on_progress("encoding", done, total)
    summary = {
        key: sum(part[key] for part in state["done"]) for key in ("sentences", "words", "pieces")
    }
    if not summary["pieces"] or stream.stat().st_size != summary["pieces"] * kind.itemsize:
        raise CorpusError(
            f"{stream} is empty or damaged: {summary['pieces']} pieces were expected in it"
        )
    ids = np.memmap(stream, dtype=kind, mode="r")
    return Corpus(tokenizer, ids, {"files": len(files), **summary}, _spread(state["examples"], 3))


def _begun(data: Text, files: list[Path], cache: Path) -> dict[str, Any]:
    """How far the folder has come; an error where it was begun with other text or settings."""
    made_of = {
        "vocabulary": data.vocabulary,
        "alphabet": data.alphabet,
        "words": data.words,
        "tokenizer": _digest(Pieces.load(data.tokenizer).tokenizer) if data.tokenizer else "",
        "files": [[path.name, path.stat().st_size] for path in files],
    }
    path = cache / "corpus.json"
    if not path.exists():
        write_json(path, {"made_of": made_of, "done": [], "examples": []})
    try:
        state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        changed = [key for key, value in made_of.items() if state["made_of"][key] != value]
    except (ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{path} does not describe a corpus: {error!r}") from error
    if changed:
        raise CorpusError(
            f"the corpus in {cache} was made of other {', '.join(changed)}: choose another folder"
        )
    return state


def _digest(tokenizer: Tokenizer) -> str:
    return hashlib.sha256(tokenizer.to_str().encode("utf-8")).hexdigest()[:12]


def _tokenizer(data: Text, files: list[Path], cache: Path, on_progress: Progress) -> Tokenizer:
    path = cache / "tokenizer.json"
    if not path.exists():
        if data.tokenizer:
            tokenizer = Pieces.load(data.tokenizer).tokenizer
        else:
            sample = (
                line for file in files for line in islice(sentences(file, data.words), _SAMPLE)
            )
            alphabet = data.alphabet or alphabet_size(sample, data.vocabulary)
            lines = _all_sentences(files, data.words, on_progress)
            tokenizer = train_tokenizer(lines, vocabulary=data.vocabulary, alphabet=alphabet)
        with replaced(path) as partial:
            tokenizer.save(str(partial))
    return Pieces.load(path).tokenizer


def _all_sentences(files: list[Path], words: str, on_progress: Progress) -> Iterator[str]:
    total, done = sum(path.stat().st_size for path in files), 0
    for path in files:
        yield from sentences(path, words)
        done += path.stat().st_size
        on_progress("vocabulary", done, total)


def _encode(
    path: Path, words: str, tokenizer: Tokenizer, kind: np.dtype[Any], stream: Path, kept: int
) -> dict[str, Any]:
    """Add a file's ids to the stream, in place of what an interrupted run left after the first `kept` bytes."""
    counts = {"sentences": 0, "words": 0, "pieces": 0}
    examples: list[str] = []
    with stream.open("r+b" if stream.exists() else "wb") as out:
        out.truncate(kept)
        out.seek(kept)
        for lines in _batches(sentences(path, words), _BATCH):
            flat: list[int] = []
            for encoded in tokenizer.encode_batch_fast(lines):
                flat += encoded.ids
                flat.append(SEP)
            out.write(np.array(flat, dtype=kind).tobytes())
            counts["sentences"] += len(lines)
            counts["words"] += sum(line.count(" ") + 1 for line in lines)
            counts["pieces"] += len(flat)
            examples = examples or [line for line in lines if 5 <= len(line.split()) <= 15][:3]
        out.flush()
        os.fsync(out.fileno())
    return {"file": path.name, **counts, "examples": examples}


def _batches(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    iterator = iter(lines)
    while batch := list(islice(iterator, size)):
        yield batch


def _spread(items: list[T], count: int) -> list[T]:
    """So many of the items, from all over the list."""
    return items[:: max(1, len(items) // count)][:count]
