"""Silver trees: raw text that a parser has labelled, with a confidence for each tree.

A file `news.txt.gz` of sentences becomes `news.trees`, one tree per line, and `news.scores`, whose
lines hold the confidence, the log-probability of the tree and the number of its decisions. The
confidence is the geometric mean of the decisions' probabilities. A recipe's treebank may take only
trees above some confidence (`least`).

Processes share the work by chunks of the text, whatever the sizes of the files. Finished chunks are
kept, so an interrupted run loses little.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whorl.catalogue import find_model
from whorl.errors import CorpusError
from whorl.labelling.exclusion import Exclusion
from whorl.labelling.silver_folder import LabelledChunk, SilverFolder
from whorl.labelling.silver_text import SentenceChoice, TextChunk, read_chunks, text_name
from whorl.model_folder.description import read_description
from whorl.parser.batching import parse_batched
from whorl.trees import format_tree
from whorl.workers import map_in_workers

if TYPE_CHECKING:
    from whorl.span.engine import SpanEngine

__all__ = ["LabelledFile", "LabellingOptions", "label_files"]

_CHUNK = 4096  # lines: many batches, so that sentences of similar length meet


@dataclass(frozen=True, slots=True)
class LabellingOptions:
    """The models, whose scores are averaged if there are several, and the choice of sentences."""

    models: tuple[str, ...]
    """Names or folders."""
    device: str = "cpu"
    convention: str | None = None
    batch: int = 128
    beam: int = 1
    """The width of the beam; 1 is greedy."""
    choice: SentenceChoice = field(default_factory=SentenceChoice)
    chunk: int = _CHUNK
    """The lines that a process labels at a time, and that an interruption may lose."""


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """The counts of one labelled file."""

    name: str
    trees: int
    words: int
    left_out: int
    """Lines that were too short or too long."""
    excluded: int
    """Lines that are sentences of the excluded trees."""


def label_files(
    files: Sequence[Path],
    folder: Path,
    options: LabellingOptions,
    *,
    exclusion: Exclusion | None = None,
    jobs: int = 1,
    on_chunk: Callable[[int], None] | None = None,
    on_file: Callable[[LabelledFile], None] | None = None,
) -> list[LabelledFile]:
    """Label files of tokenised sentences, one per line, into a folder; skip what is labelled there.

    Sentences of the `exclusion` are left out. `on_chunk` receives the number of trees in each
    chunk. With several jobs, as many processes label chunks; every process loads the models.
    """
    names = [text_name(path) for path in files]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise CorpusError(f"two files would both be labelled as {twice}.trees")
    silver, exclusion = SilverFolder(folder), exclusion or Exclusion()
    silver.prepare(_settings(options, exclusion))
    missing = [path for path in files if not silver.is_finished(text_name(path))]
    labelled = []
    if missing:
        chunks = _chunks(missing, silver, options, exclusion)
        with closing(_labelled_chunks(chunks, options, jobs)) as results:
            for chunk, result in results:
                name = text_name(chunk.path)
                if result is not None:
                    silver.save_chunk(name, chunk.number, _state(chunk.path), result)
                    if on_chunk is not None:
                        on_chunk(len(result.trees))
                if isinstance(chunk, _EndOfFile):
                    labelled.append(LabelledFile(name, *silver.finish(name, chunk.number)))
                    if on_file is not None:
                        on_file(labelled[-1])
    return labelled


class _EndOfFile(TextChunk):
    """Follows the last chunk of a file; its number is the number of chunks."""

    __slots__ = ()


def _chunks(
    files: Sequence[Path], silver: SilverFolder, options: LabellingOptions, exclusion: Exclusion
) -> Iterator[TextChunk]:
    """Yield the chunks that are not labelled yet, and the end of each file."""
    for path in files:
        name, source, count = text_name(path), _state(path), 0
        for chunk in read_chunks(path, options.choice, exclusion, options.chunk):
            count += 1
            if not silver.has_chunk(name, chunk.number, source):
                yield chunk
        yield _EndOfFile(path, count, [])


def _labelled_chunks(
    chunks: Iterator[TextChunk], options: LabellingOptions, jobs: int
) -> Generator[tuple[TextChunk, LabelledChunk | None], None, None]:
    if jobs == 1:
        engine = _load_engine(options)
        for chunk in chunks:
            yield chunk, _label_chunk(engine, chunk, options=options)
        return
    load, label = partial(_start_worker, options), partial(_label_chunk, options=options)
    yield from map_in_workers(load, label, chunks, jobs)


def _start_worker(options: LabellingOptions) -> SpanEngine:
    engine = _load_engine(options)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    return engine


def _load_engine(options: LabellingOptions) -> SpanEngine:
    """Load the models in PyTorch; a single exported model on a CPU runs without it, and faster."""
    from whorl.span.engine import load_engine, load_trained

    folders = [find_model(model) for model in options.models]
    if options.device == "cpu" and len(folders) == 1:
        saved = read_description(folders[0], "span")
        return load_engine(folders[0], saved, options.device, options.convention)
    import torch

    # On a GPU this is several times as fast, and accurate enough.
    torch.set_float32_matmul_precision("high")
    return load_trained(folders, options.device, options.convention)


def _label_chunk(
    engine: SpanEngine, chunk: TextChunk, *, options: LabellingOptions
) -> LabelledChunk | None:
    if isinstance(chunk, _EndOfFile):
        return None
    trees, scores, words = [], [], 0
    for (best,) in parse_batched(
        engine, chunk.sentences, batch_size=options.batch, beam=options.beam, n_best=1
    ):
        score, decisions = best.log_probability, len(best.steps or ())
        trees.append(format_tree(best.tree))
        scores.append(f"{math.exp(score / decisions):.4f}\t{score:.3f}\t{decisions}")
        words += best.tree.right
    return LabelledChunk(trees, scores, words, chunk.left_out, chunk.excluded)


def _settings(options: LabellingOptions, exclusion: Exclusion) -> dict[str, Any]:
    """Return what the trees depend on, apart from the texts."""
    return {
        "models": [_identity(find_model(model)) for model in options.models],
        "convention": options.convention,
        "beam": options.beam,
        **asdict(options.choice),
        "chunk": options.chunk,
        "excluded": exclusion.digest,
    }


def _identity(folder: Path) -> str:
    """Return a name for a model that depends on its weights, not on where it is."""
    saved = read_description(folder, "span")
    described = {key: value for key, value in saved.items() if key not in ("card", "calibration")}
    text = json.dumps(described, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _state(path: Path) -> list[int]:
    """Return what changes when somebody writes to a file."""
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]
