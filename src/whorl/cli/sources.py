"""Where text comes from: files, standard input, an argument. Bytes are decoded here, in blocks, as they come."""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import IO, NamedTuple

from whorl.cli.common import note
from whorl.errors import TextError

__all__ = ["Origin", "Source", "find_sources"]

_BLOCK = 1 << 16  # bytes
_LIKE_A_FILE = re.compile(r"[/\\]|\w\.\w{1,8}$")  # a path, or a name with a suffix
_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # bytes that `surrogateescape` kept


class Origin(NamedTuple):
    """What a source is called."""

    name: str
    key: str | None
    """The file's name, or `-`; None for an argument."""


class Source:
    """A file, standard input, or an argument, read once from beginning to end."""

    def __init__(self, name: str, data: bytes | None = None, *, strict: bool = False) -> None:
        self.name = "standard input" if name == "-" else name
        self.origin = Origin(self.name, name if data is None else None)
        self.on_wait: Callable[[], None] = lambda: None
        """Called whenever there is nothing to read for the time being."""
        self._file = name
        self._data = data
        self._strict = strict

    def open(self) -> AbstractContextManager[IO[bytes]]:
        """The bytes; standard input is left open."""
        if self._data is not None:
            return io.BytesIO(self._data)
        if self._file == "-":
            return nullcontext(sys.stdin.buffer)
        return open(self._file, "rb", buffering=0)

    def chunks(self) -> Iterator[str]:
        """The text as it comes, without a byte-order mark; a byte that is not UTF-8 becomes U+FFFD, or is an error."""
        held, lines, before = b"", 1, 0
        bad, where, first = 0, "", True
        for block in self._blocks():
            data = held + block
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
            lines, before, held = lines + data.count(10, 0, used), before + used, data[used:]
            if text:
                yield text.removeprefix("\ufeff") if first else text
                first = False
        if bad:
            note(
                f"{self.name}: {bad} byte{'s' if bad > 1 else ''} not UTF-8, read as U+FFFD; the first is {where}"
            )

    def lines(self) -> Iterator[str]:
        r"""The lines, without their ends, which are `\n`; a last line need not have one."""
        held: list[str] = []
        for text in self.chunks():
            head, *rest = text.split("\n")
            held.append(head)
            if rest:
                yield "".join(held)
                yield from rest[:-1]
                held = [rest[-1]]
        if any(held):
            yield "".join(held)

    def _blocks(self) -> Iterator[bytes]:
        """Bytes as they come, the last block empty."""
        with self.open() as stream:
            read = getattr(stream, "read1", stream.read)
            while True:
                if not _is_ready(stream):
                    self.on_wait()
                block: bytes = read(_BLOCK)
                yield block
                if not block:
                    return


def find_sources(arguments: Sequence[str], *, strict: bool = False) -> list[Source]:
    """What the arguments stand for; without any, standard input.

    `-` is standard input and the name of a file is that file. All else is text, unless it looks
    like the name of a file that is missing: it has no white space, and a slash or a suffix, or
    there are other arguments.
    """
    return [
        _source(argument, strict, several=len(arguments) > 1) for argument in arguments or ["-"]
    ]


def _source(argument: str, strict: bool, *, several: bool) -> Source:
    if argument == "-" or os.path.exists(argument):
        if os.path.isdir(argument):
            raise TextError(f"{argument} is a folder: give the files in it")
        return Source(argument, strict=strict)
    if argument and not re.search(r"\s", argument):
        if several:
            raise TextError(
                f"no file {argument!r}; a text of several words is one argument: put it in quotes"
            )
        if _LIKE_A_FILE.search(argument):
            raise TextError(f"no file {argument!r}; if it is a text, give it on standard input")
    return Source("the argument", argument.encode("utf-8", "surrogateescape"), strict=strict)


def _is_ready(stream: IO[bytes]) -> bool:
    """Whether reading would not wait; True where it cannot be told."""
    with suppress(OSError, ValueError, io.UnsupportedOperation):
        return bool(select.select([stream.fileno()], [], [], 0)[0])
    return True
