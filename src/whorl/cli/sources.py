"""Input sources: files, standard input, an argument. Bytes are decoded in blocks as they arrive."""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import IO

from whorl.cli.common import note
from whorl.errors import TextError

__all__ = ["InputSource", "find_sources"]

_BLOCK = 1 << 16  # bytes
_LIKE_A_FILE = re.compile(r"[/\\]|\w\.\w{1,8}$")  # a path, or a name with a suffix
_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # bytes that `surrogateescape` preserved


class InputSource:
    """A file, standard input, or an argument, read once from beginning to end."""

    def __init__(self, name: str, data: bytes | None = None, *, strict: bool = False) -> None:
        self.name = "standard input" if name == "-" else name
        """The source as messages name it."""
        self.path = name if data is None else None
        """The file's name, `-` for standard input, None for an argument."""
        self.on_wait: Callable[[], None] = lambda: None
        """Called before a read that would block."""
        self._data = data
        self._strict = strict

    def open(self) -> AbstractContextManager[IO[bytes]]:
        """Open the bytes; standard input is not closed afterwards."""
        if self.path is None:
            return io.BytesIO(self._data or b"")
        if self.path == "-":
            return nullcontext(sys.stdin.buffer)
        return open(self.path, "rb", buffering=0)

    def chunks(self) -> Iterator[str]:
        """Yield the text in pieces as it arrives, without a byte-order mark.

        A byte that is not UTF-8 becomes U+FFFD, or is an error.
        """
        rest, lines, before = b"", 1, 0
        bad, where, first = 0, "", True
        for block in self._blocks():
            data = rest + block
            try:
                text, used = codecs.utf_8_decode(data, "strict", not block)
            except UnicodeDecodeError as error:
                place = (
                    f"byte {before + error.start}, line {lines + data.count(10, 0, error.start)}"
                )
                if self._strict:
                    raise TextError(f"{self.name}: not UTF-8 at {place}: {error.reason}") from None
                text, used = codecs.utf_8_decode(data, "surrogateescape", not block)
                text, count = _NOT_UTF8.subn("\ufffd", text)
                bad, where = bad + count, where or place
            lines, before, rest = lines + data.count(10, 0, used), before + used, data[used:]
            if text:
                yield text.removeprefix("\ufeff") if first else text
                first = False
        if bad:
            note(
                f"{self.name}: {bad} byte{'s' if bad > 1 else ''} not UTF-8, read as U+FFFD; "
                f"the first is {where}"
            )

    def lines(self) -> Iterator[str]:
        r"""Yield the lines without their `\n`; the last line need not have one."""
        parts: list[str] = []
        for text in self.chunks():
            head, *rest = text.split("\n")
            parts.append(head)
            if rest:
                yield "".join(parts)
                yield from rest[:-1]
                parts = [rest[-1]]
        if any(parts):
            yield "".join(parts)

    def _blocks(self) -> Iterator[bytes]:
        """Yield bytes as they arrive; the last block is empty."""
        with self.open() as stream:
            read = getattr(stream, "read1", stream.read)
            while True:
                if not _is_ready(stream):
                    self.on_wait()
                block: bytes = read(_BLOCK)
                yield block
                if not block:
                    return


def find_sources(arguments: Sequence[str], *, strict: bool = False) -> list[InputSource]:
    """Return the sources that the arguments stand for; without arguments, standard input.

    `-` is standard input and the name of an existing file is that file. Anything else is text,
    unless it looks like the name of a missing file: it has no white space, and either a slash or a
    suffix, or there are other arguments.
    """
    return [
        _source(argument, strict, several=len(arguments) > 1) for argument in arguments or ["-"]
    ]


def _source(argument: str, strict: bool, *, several: bool) -> InputSource:
    if argument == "-" or os.path.exists(argument):
        if os.path.isdir(argument):
            raise TextError(f"{argument} is a folder: give the files in it")
        return InputSource(argument, strict=strict)
    if argument and not re.search(r"\s", argument):
        if several:
            raise TextError(f"no file {argument!r}; put a text of several words in quotes")
        if _LIKE_A_FILE.search(argument):
            raise TextError(f"no file {argument!r}; if it is a text, use standard input")
    return InputSource("the argument", argument.encode("utf-8", "surrogateescape"), strict=strict)


def _is_ready(stream: IO[bytes]) -> bool:
    """Return whether a read would not block; True where that is unknown."""
    with suppress(OSError, ValueError, io.UnsupportedOperation):
        return bool(select.select([stream.fileno()], [], [], 0)[0])
    return True
