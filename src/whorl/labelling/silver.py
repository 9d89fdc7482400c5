"""Silver trees: raw text that a parser has labelled, each tree with its confidence, for others to learn from.

A file `news.txt.gz` of sentences becomes `news.trees`, a tree a line, and `news.scores`, line by
line the confidence, the log-probability of the tree and how many decisions that is of. The
confidence is the geometric mean of the decisions' probabilities. A recipe's treebank may take the
trees above some confidence alone (`least`).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from whorl.errors import CorpusError
from whorl.files import replaced
from whorl.model_folder.description import read_description
from whorl.parser.batching import parse_batched
from whorl.pretraining.text import text_lines
from whorl.text import read_tokens
from whorl.trees import format_tree

if TYPE_CHECKING:
    from whorl.span.engine import SpanEngine

__all__ = ["Labelled", "Labelling", "label"]

_AHEAD = 16  # batches that are read before they are parsed, so that sentences of like length can be put together


@dataclass(frozen=True, slots=True)
class Labelling:
    """With what to label: models, averaged if they are several, and which sentences."""

    models: tuple[str, ...]
    device: str = "cpu"
    convention: str | None = None
    batch: int = 128
    shortest: int = 2  # words; sentences of fewer stay out
    longest: int = 100  # likewise of more
    most: int = 0  # lines of each file, spread over all of it; 0: all
    beyond: int = 0  # of the lines that are left when so many are taken like that; 0: of all


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a file came to."""

    name: str
    trees: int
    words: int
    left_out: int


def label(
    files: Sequence[Path],
    folder: Path,
    labelling: Labelling,
    *,
    jobs: int = 1,
    on_file: Callable[[Labelled], None] | None = None,
) -> list[Labelled]:
    """Label files of sentences, one a line and tokenised, into a folder; those that it has already are not done again.

    With several jobs as many files are labelled side by side, each in a process with the models of
    its own.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [_name(path) for path in files]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise CorpusError(f"two files would both be labelled as {twice}.trees")
    missing = [path for path in files if not (folder / f"{_name(path)}.scores").exists()]
    if not missing:
        return []
    found = []
    for one in _performed(missing, folder, labelling, min(jobs, len(missing))):
        found.append(one)
        if on_file is not None:
            on_file(one)
    return found


def _performed(
    files: Sequence[Path], folder: Path, labelling: Labelling, jobs: int
) -> Iterator[Labelled]:
    if jobs == 1:
        engine = _engine(labelling)
        for path in files:
            yield _label_file(engine, path, folder, labelling)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (labelling,)) as pool:
        largest_first = sorted(files, key=lambda path: -path.stat().st_size)
        for future in as_completed(
            [pool.submit(_work, path, folder, labelling) for path in largest_first]
        ):
            yield future.result()


_ENGINES: list[SpanEngine] = []  # of a worker process, the one it has


def _begin(labelling: Labelling) -> None:
    _ENGINES.append(_engine(labelling))
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def _work(path: Path, folder: Path, labelling: Labelling) -> Labelled:
    return _label_file(_ENGINES[0], path, folder, labelling)


def _engine(labelling: Labelling) -> SpanEngine:
    """The models in PyTorch; one that was exported runs without on a CPU, which is faster."""
    from whorl.span.engine import load_engine, load_trained

    if labelling.device == "cpu" and len(labelling.models) == 1:
        (model,) = labelling.models
        return load_engine(
            model, read_description(Path(model), "span"), labelling.device, labelling.convention
        )
    import torch

    torch.set_float32_matmul_precision(
        "high"
    )  # on a GPU several times as fast, and as good for this
    return load_trained(labelling.models, labelling.device, labelling.convention)


def _label_file(engine: SpanEngine, path: Path, folder: Path, labelling: Labelling) -> Labelled:
    trees = words = read = 0
    name = _name(path)
    with (
        replaced(
            folder / f"{name}.scores"
        ) as scores,  # in place last: it says that the file is done
        replaced(folder / f"{name}.trees") as brackets,
        scores.open("w", encoding="utf-8") as scores_out,
        brackets.open("w", encoding="utf-8") as trees_out,
    ):
        sentences = (
            read_tokens(line) for line in _some_lines(path, labelling.most, labelling.beyond)
        )
        while chunk := list(islice(sentences, labelling.batch * _AHEAD)):
            read += len(chunk)
            chosen = [s for s in chunk if labelling.shortest <= len(s) <= labelling.longest]
            for (best,) in parse_batched(
                engine, chosen, batch_size=labelling.batch, beam=1, n_best=1
            ):
                score, decisions = best.log_probability, len(best.steps or ())
                trees_out.write(format_tree(best.tree) + "\n")
                scores_out.write(f"{math.exp(score / decisions):.4f}\t{score:.3f}\t{decisions}\n")
                trees += 1
                words += best.tree.right
    return Labelled(name, trees, words, read - trees)


def _some_lines(path: Path, most: int, beyond: int) -> Iterator[str]:
    """So many lines of a file, spread evenly over it, or all for 0; `beyond` are taken out first, in the same way."""
    count = sum(1 for _ in text_lines(path)) if most or beyond else 0
    place = 0
    for number, line in enumerate(text_lines(path)):
        if beyond and _taken(number, beyond, count):
            continue
        if not most or _taken(place, most, count - beyond):
            yield line
        place += 1


def _taken(number: int, most: int, count: int) -> bool:
    """Whether a line is among so many that are spread over all."""
    return most >= count or number * most // count != (number - 1) * most // count


def _name(path: Path) -> str:
    """A file's name without what says how it is packed."""
    name = path.name
    for suffix in (".gz", ".xz", ".txt"):
        name = name.removesuffix(suffix)
    return name
