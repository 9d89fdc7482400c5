"""A check that time grows with size and no faster, which holds on a busy machine too."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["assert_linear"]

FACTOR = 30  # for ten times the size: caches cost up to three, a quadratic step would cost a hundred


def assert_linear(small: Callable[[], object], large: Callable[[], object]) -> None:
    """Fail if `large`, ten times the size of `small`, takes more than `FACTOR` times its processor time.

    Only the best of three runs counts, and a machine that was busy just then gets three more chances.
    """
    ratios = []
    for _ in range(4):
        shortest = min(_timed(small) for _ in range(3))
        ratios.append(min(_timed(large) for _ in range(3)) / max(shortest, 1e-3))
        if ratios[-1] < FACTOR:
            return
    raise AssertionError(f"ten times the size took {ratios} times the time")


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
