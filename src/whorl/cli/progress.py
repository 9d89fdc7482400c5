"""How far a long command has come, for who sits before a terminal."""

from __future__ import annotations

import sys
import time

from whorl.cli.streams import raw_stream

__all__ = ["Progress"]

_EVERY = 0.2  # seconds


class Progress:
    """A line on standard error that is written anew again and again, if that is a terminal."""

    def __init__(self, what: str, *, shown: bool = True) -> None:
        self._what = what
        self._shown = shown and sys.stderr.isatty()
        self._count = 0
        self._start = time.monotonic()
        self._last = self._start

    def add(self, count: int) -> None:
        """So many more are done."""
        self._count += count
        if self._shown and (now := time.monotonic()) - self._last >= _EVERY:
            self._last = now
            rate = self._count / (now - self._start)
            print(
                f"\r{self._count:,} {self._what}, {rate:,.0f} a second",
                end="\x1b[K",
                file=raw_stream(sys.stderr),
                flush=True,
            )

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._last > self._start:
            print("\r\x1b[K", end="", file=raw_stream(sys.stderr), flush=True)
