"""Timing, and the speed of the machine itself, by which figures of two machines compare."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

__all__ = [
    "best_of",
    "best_of_each",
    "numpy_gflops",
    "one_torch_thread",
    "percentile_95",
    "torch_gflops",
]

T = TypeVar("T")

_SIZE = 1024  # rows and columns of the matrices whose product is timed


def best_of(function: Callable[[], object], rounds: int) -> float:
    """Return the seconds that a call takes, in the fastest of several rounds."""
    return min(_seconds(function) for _ in range(rounds))


def best_of_each(
    function: Callable[[T], object], items: Sequence[T], *, rounds: int = 1
) -> list[float]:
    """Return the seconds that a call takes for each item, in the fastest of several rounds."""
    times = [float("inf")] * len(items)
    for _ in range(rounds):
        for index, item in enumerate(items):
            start = time.perf_counter()
            function(item)
            times[index] = min(times[index], time.perf_counter() - start)
    return times


def percentile_95(values: Sequence[float]) -> float:
    """Return the value that 95 % of the values lie below."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def numpy_gflops() -> float:
    """Return NumPy's rate of single-precision matrix products, in 10⁹ operations a second."""
    import numpy as np

    a, b = np.random.default_rng(0).standard_normal((2, _SIZE, _SIZE), dtype=np.float32)
    return _gflops(lambda: a @ b)


def torch_gflops() -> float:
    """Return PyTorch's rate of single-precision matrix products, in 10⁹ operations a second."""
    import torch

    a, b = torch.randn(2, _SIZE, _SIZE)
    return _gflops(lambda: torch.mm(a, b))


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Let PyTorch compute with one thread inside the block."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _gflops(multiply: Callable[[], object]) -> float:
    return 2 * _SIZE**3 / best_of(multiply, 10) / 1e9


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start
