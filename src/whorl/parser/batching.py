"""Sentences parsed together: those of like length, so that they need no padding and end together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from whorl.engine import Parse
from whorl.engine.protocol import Engine, Tokens

__all__ = ["BATCH", "GPU_BATCH", "chunks", "parse_all"]

T = TypeVar("T")

BATCH = 256
"""How many hypotheses go in step unless told otherwise: as many sentences, or fewer with a beam."""

GPU_BATCH = 2048
"""The same on a GPU, which is idle while few are."""

_LONG = 128  # words: batches of longer sentences have fewer of them


def parse_all(
    engine: Engine, sentences: Sequence[Tokens], *, batch_size: int, beam: int, n_best: int
) -> list[list[Parse]]:
    """Parse sentences in batches, smaller ones the wider the beam is; one of no words has no parses."""
    found: list[list[Parse]] = [[] for _ in sentences]
    together = max(1, batch_size // max(beam, n_best))
    for numbers in _batches([len(sentence) for sentence in sentences], together):
        parses = engine.parse_nbest(
            [sentences[number] for number in numbers], beam=beam, n_best=n_best
        )
        for number, ways in zip(numbers, parses, strict=True):
            found[number] = ways
    return found


def _batches(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Numbers of sentences, shortest first: so many, or as many as have no more words in all than as many long ones."""
    batch: list[int] = []
    for number in sorted(
        (n for n, length in enumerate(lengths) if length), key=lengths.__getitem__
    ):
        if len(batch) == batch_size or (
            batch and (len(batch) + 1) * lengths[number] > batch_size * _LONG
        ):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def chunks(items: Iterable[tuple[T, int]], size: int) -> Iterator[list[T]]:
    """Items with their sizes in lists of about this size in all, an item at least."""
    chunk: list[T] = []
    total = 0
    for item, weight in items:
        chunk.append(item)
        total += weight
        if total >= size:
            yield chunk
            chunk, total = [], 0
    if chunk:
        yield chunk
