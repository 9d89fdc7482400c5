"""Timing with PyTorch on one core."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from whorl.bench.timing import product_rate

__all__ = ["gflops", "one_thread"]


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch compute with one thread inside the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def gflops(size: int = 1024) -> float:
    """What PyTorch does in single-precision matrix products, in 10⁹ operations a second."""
    a, b = torch.randn(size, size), torch.randn(size, size)
    return product_rate(lambda: torch.mm(a, b), size)
