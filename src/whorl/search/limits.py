"""The time that a search may take on one tree."""

from __future__ import annotations

from time import perf_counter

from whorl.errors import TimeLimitError

__all__ = ["Timer"]


class Timer:
    """Counts the time of one search on one tree; what the caller does between matches is free."""

    def __init__(self, limit: float | None, pattern: str) -> None:
        self._limit = limit
        self._pattern = pattern
        self._left = limit or 0.0
        self._deadline = 0.0
        self.resume()

    def pause(self) -> None:
        """Stop counting: a match goes to the caller."""
        if self._limit is not None:
            self._left = self._deadline - perf_counter()

    def resume(self) -> None:
        """Count again."""
        if self._limit is not None:
            self._deadline = perf_counter() + self._left

    def check(self) -> None:
        """Raise an error if the time is used up."""
        if self._limit is not None and perf_counter() > self._deadline:
            raise TimeLimitError(
                f"the search took more than {self._limit:g} s on one tree: {self._pattern}; "
                "expected a simpler pattern, a smaller tree or a higher time limit"
            )
