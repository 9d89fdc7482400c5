"""How many threads numerical libraries start, which they read from the environment as they are imported."""

from __future__ import annotations

__all__ = ["thread_variables"]


def thread_variables(threads: int) -> dict[str, str]:
    """What the environment must hold for so many threads."""
    return dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads)
    )
