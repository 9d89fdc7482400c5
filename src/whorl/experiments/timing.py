"""Timing of parsers on one core, and of the core itself, so that figures of two machines can be compared."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from whorl.parser import Parser, Tokens

__all__ = ["best_of", "gflops", "in_batches", "one_by_one", "one_thread"]


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch compute with one thread inside the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def best_of(work: Callable[[], object], rounds: int) -> float:
    """The seconds that some work takes: the least of several rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def gflops(size: int = 1024) -> float:
    """What the machine does in single-precision matrix products, in 10⁹ operations a second."""
    a, b = torch.randn(size, size), torch.randn(size, size)
    return 2 * size**3 / best_of(lambda: torch.mm(a, b), 10) / 1e9


def in_batches(parser: Parser, sentences: list[Tokens], batch: int, *, rounds: int = 1) -> float:
    """The seconds that all sentences take in batches of this size."""
    return best_of(lambda: list(parser.pipe(sentences, batch_size=batch)), rounds)


def one_by_one(parser: Parser, sentences: list[Tokens], *, rounds: int = 1) -> list[float]:
    """The seconds that each sentence takes when it is parsed alone, the least of several rounds over all."""
    times = [float("inf")] * len(sentences)
    for _ in range(rounds):
        for number, sentence in enumerate(sentences):
            start = time.perf_counter()
            parser.parse(sentence)
            times[number] = min(times[number], time.perf_counter() - start)
    return times
