"""Standard streams: closed ones are reopened, and terminals get no control characters from data."""

from __future__ import annotations

import os
import re
import sys
from typing import IO, Any, cast

__all__ = ["escape_controls", "guard_terminal", "prepare_streams", "raw_stream"]

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tab and line feed


def prepare_streams() -> None:
    """Make the three standard streams usable: open, in UTF-8 whatever the locale, and guarded.

    A closed stream is reopened on the null device. Standard input and output are opened the wrong
    way round, so that using them is an error; messages to a closed standard error are dropped.
    """
    for name, mode, flags in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        stream = getattr(sys, name)
        if stream is None:
            descriptor = os.open(os.devnull, flags)  # the lowest that is free: the closed one
            os.set_inheritable(descriptor, True)
            stream = open(descriptor, mode, closefd=False)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
        setattr(sys, name, guard_terminal(stream))


def escape_controls(text: str) -> str:
    r"""Replace control characters by their escapes, such as `\x1b`."""
    return _CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


class _TerminalStream:
    """A text stream to a terminal that shows control characters rather than sending them."""

    def __init__(self, stream: IO[str]) -> None:
        self.raw_stream = stream

    def write(self, text: str) -> int:
        """Write a text with its control characters escaped."""
        return self.raw_stream.write(escape_controls(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw_stream, name)


def guard_terminal(stream: IO[str]) -> IO[str]:
    """Return the stream itself, or one that escapes control characters if it is a terminal."""
    return cast(IO[str], _TerminalStream(stream)) if stream.isatty() else stream


def raw_stream(stream: IO[str]) -> IO[str]:
    """Return the stream under the guard, for output that moves the cursor or has colours."""
    return cast(IO[str], getattr(stream, "raw_stream", stream))
