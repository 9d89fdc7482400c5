"""The number of threads that numerical libraries start; they read it from the environment."""

from __future__ import annotations

__all__ = ["thread_variables"]


def thread_variables(threads: int) -> dict[str, str]:
    """Return the environment variables that set the number of threads, for use before imports."""
    return dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads)
    )
