"""A check that time grows with size and no faster, which holds on a busy machine too."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["assert_linear"]

from whorl.trees.brackets import paused_gc

FACTOR = 4  # caches cost up to three, a quadratic step would cost ten


def assert_linear(small: Callable[[], object], large: Callable[[], object]) -> None:
    """Fail if `large`, ten times the size of `small`, takes over `FACTOR` times ten times as long.

    Both are then at work for about as long, so that a busy machine hits them alike. It gets several
    chances.
    """
    ratios: list[float] = []
    for _ in range(6):
        ratios.append(_timed(large, 1) / max(_timed(small, 10), 1e-3))
        if ratios[-1] < FACTOR:
            return
    raise AssertionError(f"the large one took {ratios} times as long as ten small ones")


def _timed(work: Callable[[], object], times: int) -> float:
    """Return the processor time without garbage collection, which depends on the whole process."""
    with paused_gc():
        start = time.process_time()
        for _ in range(times):
            work()
        return time.process_time() - start
