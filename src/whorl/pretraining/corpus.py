"""A corpus: raw text as one long stream of piece ids on disk, made once, resumed if interrupted."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from whorl.batching import chunks_by_size
from whorl.errors import CorpusError
from whorl.files import replace_atomically, write_json
from whorl.lexicon.word_pieces import SEP, Pieces
from whorl.pretraining.recipe import CorpusSettings
from whorl.pretraining.text import sentences, text_files
from whorl.pretraining.vocabulary import alphabet_size, train_tokenizer

__all__ = ["Corpus", "prepare_corpus"]

Progress = Callable[[str, int, int], None]
"""Called with the name of the task, and how many of how many bytes of text are done."""

_BATCH = 10_000  # sentences encoded at a time
_SAMPLE = 5_000  # sentences per file that choose the alphabet
_EXAMPLES = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A tokenizer, a stream of ids with a separator after each sentence, counts, and examples."""

    tokenizer: Tokenizer
    ids: npt.NDArray[np.unsignedinteger[Any]]
    summary: dict[str, int]
    examples: list[str]


def prepare_corpus(data: CorpusSettings, cache: Path, on_progress: Progress) -> Corpus:
    """Make the corpus in a folder, or whatever is still missing there."""
    files = text_files(data.text)
    if not any(sentence for path in files for sentence in sentences(path, data.words)):
        raise CorpusError(f"{data.text} holds no sentences: there is no text to pretrain on")
    cache.mkdir(parents=True, exist_ok=True)
    state = _load_state(data, files, cache)
    tokenizer = _load_tokenizer(data, files, cache, on_progress)
    dtype = np.dtype(np.uint16 if tokenizer.get_vocab_size() <= 1 << 16 else np.uint32)
    stream = cache / "ids.bin"
    total, done = sum(path.stat().st_size for path in files), 0
    for number, path in enumerate(files):
        if number == len(state["done"]):
            start = sum(counts["pieces"] for counts in state["done"]) * dtype.itemsize
            counts = _encode(path, data.words, tokenizer, dtype, stream, start)
            state["examples"] += counts.pop("examples")
            state["done"].append(counts)
            write_json(cache / "corpus.json", state)
        done += path.stat().st_size
        on_progress("encoding", done, total)
    summary = {
        key: sum(counts[key] for counts in state["done"])
        for key in ("sentences", "words", "pieces")
    }
    if not summary["pieces"] or stream.stat().st_size != summary["pieces"] * dtype.itemsize:
        raise CorpusError(f"{stream} is damaged: expected {summary['pieces']} pieces in it")
    ids = np.memmap(stream, dtype=dtype, mode="r")
    examples = _spread(state["examples"], _EXAMPLES)
    return Corpus(tokenizer, ids, {"files": len(files), **summary}, examples)


def _load_state(data: CorpusSettings, files: list[Path], cache: Path) -> dict[str, Any]:
    """Return what is done in a folder; an error if it holds other text or settings."""
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
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CorpusError(f"{path} does not describe a corpus: {error!r}") from error
    if changed:
        raise CorpusError(
            f"the corpus in {cache} was made with other {', '.join(changed)}: choose another folder"
        )
    return state


def _digest(tokenizer: Tokenizer) -> str:
    return hashlib.sha256(tokenizer.to_str().encode("utf-8")).hexdigest()[:12]


def _load_tokenizer(
    data: CorpusSettings, files: list[Path], cache: Path, on_progress: Progress
) -> Tokenizer:
    """Load the tokenizer of a folder; one is copied or learned first if there is none."""
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
        with replace_atomically(path) as partial:
            tokenizer.save(str(partial))
    return Pieces.load(path).tokenizer


def _all_sentences(files: list[Path], words: str, on_progress: Progress) -> Iterator[str]:
    total, done = sum(path.stat().st_size for path in files), 0
    for path in files:
        yield from sentences(path, words)
        done += path.stat().st_size
        on_progress("vocabulary", done, total)


def _encode(
    path: Path, words: str, tokenizer: Tokenizer, dtype: np.dtype[Any], stream: Path, start: int
) -> dict[str, Any]:
    """Append a file's ids at byte `start`, over what an interrupted run may have left there."""
    counts = {"sentences": 0, "words": 0, "pieces": 0}
    examples: list[str] = []
    with stream.open("r+b" if stream.exists() else "wb") as out:
        out.truncate(start)
        out.seek(start)
        for lines in chunks_by_size(sentences(path, words), _BATCH, lambda _: 1):
            ids: list[int] = []
            for encoding in tokenizer.encode_batch_fast(lines):
                ids += encoding.ids
                ids.append(SEP)
            out.write(np.array(ids, dtype=dtype).tobytes())
            counts["sentences"] += len(lines)
            counts["words"] += sum(line.count(" ") + 1 for line in lines)
            counts["pieces"] += len(ids)
            examples = examples or [line for line in lines if 5 <= len(line.split()) <= 15]
        out.flush()
        os.fsync(out.fileno())
    return {"file": path.name, **counts, "examples": examples[:_EXAMPLES]}


def _spread(items: list[T], count: int) -> list[T]:
    """Return `count` items from all over a list."""
    return items[:: max(1, len(items) // count)][:count]
