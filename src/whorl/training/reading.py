"""Reading tree files into arrays, by several processes if there is much to read.

The main process cuts files into blocks, and each worker reads and packs blocks. Nothing here
imports PyTorch, so workers start quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from whorl.batching import chunks_by_size
from whorl.errors import WhorlError
from whorl.training.packed import PackedTrees, pack_trees
from whorl.trees import detect_layout, splice, treebank_files
from whorl.trees.brackets import Block, BlockReader, paused_gc
from whorl.trees.layouts import iter_file_blocks
from whorl.workers import map_in_workers

__all__ = ["PER_WORKER", "Piece", "read_packed", "workers_for"]

PER_WORKER = 16 * 10**6
"""The bytes of trees that make another process worth its start."""

_CHUNK = 1 << 20  # characters that a worker reads at a time


class Piece(NamedTuple):
    """Some trees of a file; every file has a piece, if only an empty one."""

    source: int
    """The number of its treebank among those read."""
    file: Path
    scores: list[float] | None
    """The confidence of each tree in the file, in its first piece."""
    trees: PackedTrees


class _Task(NamedTuple):
    source: int
    file: Path
    scores: list[float] | None = None
    blocks: Sequence[Block] = ()
    error: WhorlError | None = None


def workers_for(paths: Iterable[str], jobs: int) -> int:
    """Return how many of at most `jobs` processes are worth starting to read some treebanks."""
    return max(1, min(jobs, sum(map(_size, paths)) // PER_WORKER))


def _size(path: str) -> int:
    try:
        return sum(file.stat().st_size for file in treebank_files(path))
    except (WhorlError, OSError):
        return 0  # reading it says what is wrong


def read_packed(
    paths: Sequence[str],
    labels: frozenset[str],
    scores: Callable[[int, Path], list[float] | None],
    *,
    workers: int = 1,
) -> Generator[Piece, None, None]:
    """Read treebanks in order, without the phrases of some labels, piece by piece.

    `scores` reads the confidences that belong to a file. Errors come in the order of the trees,
    however many workers there are; a single one is this process.
    """
    tasks, pack = _tasks(paths, scores), partial(_pack, labels=labels)
    with closing(_mapped(pack, tasks, workers)) as mapped:
        for task, packed in mapped:
            if task.error is not None:
                raise task.error
            yield Piece(task.source, task.file, task.scores, packed)


def _mapped(
    pack: Callable[[BlockReader, Sequence[Block]], PackedTrees],
    tasks: Iterator[_Task],
    workers: int,
) -> Generator[tuple[_Task, PackedTrees], None, None]:
    if workers == 1:
        reader = BlockReader()
        return ((task, pack(reader, task.blocks)) for task in tasks)
    return map_in_workers(BlockReader, pack, tasks, workers, sent=lambda task: task.blocks)


def _tasks(
    paths: Sequence[str], scores: Callable[[int, Path], list[float] | None]
) -> Iterator[_Task]:
    """Yield what to read; an error is the last task, since trees before it may be wrong, too."""
    source, file = 0, Path()
    try:
        for source, path in enumerate(paths):
            for file in treebank_files(path):
                confidences = scores(source, file)
                blocks = iter_file_blocks(file, detect_layout(file))
                chunks = chunks_by_size(blocks, _CHUNK, lambda block: len(block.text))
                yield _Task(source, file, confidences, next(chunks, []))
                for chunk in chunks:
                    yield _Task(source, file, blocks=chunk)
    except WhorlError as error:
        yield _Task(source, file, error=error)


def _pack(reader: BlockReader, blocks: Sequence[Block], *, labels: frozenset[str]) -> PackedTrees:
    with paused_gc():
        trees = [tree for block in blocks for tree in reader.read(block)]
        return pack_trees([splice(tree, labels) for tree in trees] if labels else trees)
