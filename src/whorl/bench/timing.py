"""Timing of parsers, and of the machine itself, so that figures of two machines can be compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

from whorl.parser import Parser, Tokens

__all__ = ["best_of", "gflops", "in_batches", "late", "one_by_one", "product_rate"]


def best_of(work: Callable[[], object], rounds: int) -> float:
    """The seconds that some work takes: the least of several rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def gflops(size: int = 1024) -> float:
    """What NumPy does in single-precision matrix products, in 10⁹ operations a second."""
    import numpy as np

    a, b = np.random.default_rng(0).standard_normal((2, size, size), dtype=np.float32)
    return product_rate(lambda: a @ b, size)


def product_rate(product: Callable[[], object], size: int) -> float:
    """The rate of a product of square matrices of this size, in 10⁹ operations a second."""
    return 2 * size**3 / best_of(product, 10) / 1e9


def in_batches(
    parser: Parser, sentences: Sequence[Tokens], batch: int, *, rounds: int = 1
) -> float:
    """The seconds that all sentences take in batches of this size."""
    return best_of(lambda: list(parser.pipe(sentences, batch_size=batch)), rounds)


def one_by_one(parser: Parser, sentences: Sequence[Tokens], *, rounds: int = 1) -> list[float]:
    """The seconds that each sentence takes when it is parsed alone, the least of several rounds over all."""
    times = [float("inf")] * len(sentences)
    for _ in range(rounds):
        for number, sentence in enumerate(sentences):
            start = time.perf_counter()
            parser.parse(sentence)
            times[number] = min(times[number], time.perf_counter() - start)
    return times


def late(values: Sequence[float]) -> float:
    """What 95 % of the values are below."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]
