"""Batches of sentences of similar length, and chunks of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ChunkBuffer", "batches_by_length", "chunks_by_size", "shuffled_batches"]

T = TypeVar("T")


def batches_by_length(
    lengths: Sequence[int], size: int, *, max_padded: int | None = None
) -> Iterator[list[int]]:
    """Group indices into batches of similar length, shortest first; items of length 0 are left out.

    A batch holds at most `size` items. With `max_padded`, it also holds fewer when its items,
    padded to the longest, would exceed that many words; a single item always fits.
    """
    batch: list[int] = []
    order = sorted((i for i, length in enumerate(lengths) if length), key=lengths.__getitem__)
    for index in order:
        padded = (len(batch) + 1) * lengths[index]
        if batch and (len(batch) == size or (max_padded is not None and padded > max_padded)):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def shuffled_batches(
    lengths: Sequence[int], size: int, random: np.random.Generator, *, jitter: float = 8.0
) -> list[list[int]]:
    """Group indices into batches of similar length, in random order, for one epoch of training.

    Lengths differ by up to `jitter` words before sorting, so each epoch forms other batches.
    """
    offsets = random.random(len(lengths)) * jitter
    order = sorted(range(len(lengths)), key=lambda index: lengths[index] + offsets[index])
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    random.shuffle(batches)
    return batches


class ChunkBuffer(Generic[T]):
    """Items that are collected until their sizes add up to a limit."""

    def __init__(self, limit: int, size_of: Callable[[T], int]) -> None:
        self._limit = limit
        self._size_of = size_of
        self._items: list[T] = []
        self._total = 0

    def add(self, item: T) -> bool:
        """Add an item; return whether the buffer is full."""
        self._items.append(item)
        self._total += self._size_of(item)
        return self._total >= self._limit

    def take(self) -> list[T]:
        """Empty the buffer and return its items."""
        items, self._items, self._total = self._items, [], 0
        return items


def chunks_by_size(
    items: Iterable[T], limit: int, size_of: Callable[[T], int]
) -> Iterator[list[T]]:
    """Split a stream into lists whose sizes add up to about `limit`, at least one item each."""
    buffer = ChunkBuffer(limit, size_of)
    for item in items:
        if buffer.add(item):
            yield buffer.take()
    if rest := buffer.take():
        yield rest
