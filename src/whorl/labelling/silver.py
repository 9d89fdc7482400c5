"""Silver trees: raw text that a parser has labelled, with a confidence for each tree.

A file `news.txt.gz` of sentences becomes `news.trees`, one tree per line, and `news.scores`, whose
lines hold the confidence, the log-probability of the tree and the number of its decisions. The
confidence is the geometric mean of the decisions' probabilities. A recipe's treebank may take only
trees above some confidence (`least`).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from whorl.batching import chunks_by_size
from whorl.catalogue import find_model
from whorl.errors import CorpusError
from whorl.files import replace_atomically
from whorl.model_folder.description import read_description
from whorl.parser.batching import parse_batched
from whorl.pretraining.text import text_lines
from whorl.processes import exit_with_parent
from whorl.text import read_tokens
from whorl.trees import format_tree

if TYPE_CHECKING:
    from whorl.span.engine import SpanEngine

__all__ = ["LabelledFile", "LabellingOptions", "label_files"]

_READ_AHEAD = 16  # batches read before they are parsed, so that sentences of similar length meet


@dataclass(frozen=True, slots=True)
class LabellingOptions:
    """The models, whose scores are averaged if there are several, and the choice of sentences."""

    models: tuple[str, ...]
    """Names or folders."""
    device: str = "cpu"
    convention: str | None = None
    batch: int = 128
    min_words: int = 2
    """Shorter sentences are left out."""
    max_words: int = 100
    """Longer sentences are left out."""
    max_lines: int = 0
    """Take this many lines of each file, spread evenly over it; 0 takes all."""
    skipped_lines: int = 0
    """First leave out the lines that `max_lines` would take if it were this number."""


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """The counts of one labelled file."""

    name: str
    trees: int
    words: int
    left_out: int


def label_files(
    files: Sequence[Path],
    folder: Path,
    options: LabellingOptions,
    *,
    jobs: int = 1,
    on_file: Callable[[LabelledFile], None] | None = None,
) -> list[LabelledFile]:
    """Label files of tokenised sentences, one per line, into a folder; skip those already labelled.

    With several jobs, as many processes label one file each; every process loads the models.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [_stem(path) for path in files]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise CorpusError(f"two files would both be labelled as {twice}.trees")
    missing = [path for path in files if not (folder / f"{_stem(path)}.scores").exists()]
    if not missing:
        return []
    labelled = []
    for file in _label_missing(missing, folder, options, min(jobs, len(missing))):
        labelled.append(file)
        if on_file is not None:
            on_file(file)
    return labelled


def _label_missing(
    files: Sequence[Path], folder: Path, options: LabellingOptions, jobs: int
) -> Iterator[LabelledFile]:
    if jobs == 1:
        engine = _load_engine(options)
        for path in files:
            yield _label_file(engine, path, folder, options)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker, (options,)) as pool:
        largest_first = sorted(files, key=lambda path: -path.stat().st_size)
        futures = [pool.submit(_label_in_worker, path, folder, options) for path in largest_first]
        for future in as_completed(futures):
            yield future.result()


_WORKER_ENGINES: list[SpanEngine] = []  # one, in a worker process


def _start_worker(options: LabellingOptions) -> None:
    exit_with_parent()
    _WORKER_ENGINES.append(_load_engine(options))
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def _label_in_worker(path: Path, folder: Path, options: LabellingOptions) -> LabelledFile:
    return _label_file(_WORKER_ENGINES[0], path, folder, options)


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


def _label_file(
    engine: SpanEngine, path: Path, folder: Path, options: LabellingOptions
) -> LabelledFile:
    trees = words = lines = 0
    name = _stem(path)
    with (
        # The scores come into place last: they mark the file as labelled.
        replace_atomically(folder / f"{name}.scores") as scores_path,
        replace_atomically(folder / f"{name}.trees") as trees_path,
        scores_path.open("w", encoding="utf-8") as scores_file,
        trees_path.open("w", encoding="utf-8") as trees_file,
    ):
        sentences = map(read_tokens, _choose_lines(path, options))
        for chunk in chunks_by_size(sentences, options.batch * _READ_AHEAD, lambda _: 1):
            lines += len(chunk)
            chosen = [s for s in chunk if options.min_words <= len(s) <= options.max_words]
            for (best,) in parse_batched(
                engine, chosen, batch_size=options.batch, beam=1, n_best=1
            ):
                score, decisions = best.log_probability, len(best.steps or ())
                trees_file.write(format_tree(best.tree) + "\n")
                confidence = math.exp(score / decisions)
                scores_file.write(f"{confidence:.4f}\t{score:.3f}\t{decisions}\n")
                trees += 1
                words += best.tree.right
    return LabelledFile(name, trees, words, lines - trees)


def _choose_lines(path: Path, options: LabellingOptions) -> Iterator[str]:
    """Yield the lines that `skipped_lines` and `max_lines` choose."""
    wanted, skipped = options.max_lines, options.skipped_lines
    count = sum(1 for _ in text_lines(path)) if wanted or skipped else 0
    place = 0
    for number, line in enumerate(text_lines(path)):
        if skipped and _is_chosen(number, skipped, count):
            continue
        if not wanted or _is_chosen(place, wanted, count - skipped):
            yield line
        place += 1


def _is_chosen(number: int, wanted: int, count: int) -> bool:
    """Tell whether a line is among `wanted` lines that are spread evenly over `count`."""
    return wanted >= count or number * wanted // count != (number - 1) * wanted // count


def _stem(path: Path) -> str:
    """Return a file's name without the suffixes of text and compression."""
    name = path.name
    for suffix in (".gz", ".xz", ".txt"):
        name = name.removesuffix(suffix)
    return name
