"""Bytes of input files, plain or compressed, in blocks, and their lines of bounded length."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from whorl.corpus.files import compression

__all__ = [
    "READ_ERRORS",
    "Line",
    "LineReader",
    "bounded_lines",
    "describe_error",
    "read_span",
    "read_whole",
]

READ_ERRORS = (OSError, EOFError, lzma.LZMAError, zlib.error)
"""What reading a file that is damaged, truncated or forbidden raises."""

_BLOCK = 1 << 18  # bytes
_ZSTD_BLOCK = 1 << 12  # compressed bytes: a block may be a 30,000th of what it holds
_ZSTD_WINDOW = 1 << 31  # bytes; `zstd --long=31` needs that


class Line(NamedTuple):
    """A line of a file without its line break, cut off if it is longer than a document may be."""

    data: bytes
    size: int
    """Bytes in the file, line break included."""


@contextmanager
def _open_input(path: str) -> Generator[tuple[IO[bytes], Any], None, None]:
    """Open a file for reading; yield the file as it is on disk, and a stream of its content."""
    suffix = compression(path)
    with Path(path).open("rb") as raw:
        if suffix == ".gz":
            with gzip.GzipFile(fileobj=raw) as stream:
                yield raw, stream
        elif suffix == ".xz":
            with lzma.LZMAFile(raw) as stream:
                yield raw, stream
        else:
            yield raw, _ZstdStream(raw) if suffix == ".zst" else raw


class LineReader:
    """The lines of a file from a place on.

    A file that cannot be read to its end ends where reading fails, and `error` says why. Blocks
    have the same borders however often the file is read, so that it always ends at the same line.
    """

    def __init__(self, path: str, start: int, limit: int) -> None:
        self.error: str | None = None
        self.disk_bytes = 0
        """How much of the file on disk has been read."""
        self._path = path
        self._start = start
        self._limit = limit

    def __iter__(self) -> Iterator[Line]:
        return bounded_lines(self._blocks(), self._limit, is_whole=lambda: self.error is None)

    def _blocks(self) -> Iterator[bytes]:
        try:
            with _open_input(self._path) as (raw, stream):
                skipped = 0
                if not compression(self._path):
                    skipped = raw.seek(self._start)
                while block := stream.read1(_BLOCK):
                    self.disk_bytes = raw.tell()
                    skip = min(self._start - skipped, len(block))
                    skipped += skip
                    if skip < len(block):
                        yield block[skip:] if skip else block
        except READ_ERRORS as error:
            self.error = describe_error(error)


def bounded_lines(
    blocks: Iterator[bytes], limit: int, *, is_whole: Callable[[], bool] = lambda: True
) -> Iterator[Line]:
    """Split blocks into lines that hold at most one byte more than `limit`.

    The last line counts without a line break too, unless the file is damaged after it.
    """
    pending: list[bytes] = []
    kept = size = 0
    for block in blocks:
        head, *rest = block.split(b"\n")
        if kept <= limit:
            pending.append(head[: limit + 1 - kept])
            kept += len(pending[-1])
        size += len(head)
        if not rest:
            continue
        yield Line(b"".join(pending), size + 1)
        *whole, last = rest
        for line in whole:
            yield Line(line[: limit + 1], len(line) + 1)
        pending, size = [last[: limit + 1]], len(last)
        kept = len(pending[0])
    if size and is_whole():
        yield Line(b"".join(pending), size)


def read_span(path: str, start: int, count: int) -> Iterator[bytes]:
    """Yield the blocks of a part of a plain file; `EOFError` if the file has become shorter."""
    with Path(path).open("rb") as stream:
        stream.seek(start)
        while count:
            block = stream.read(min(_BLOCK, count))
            if not block:
                raise EOFError(f"{path} has become shorter while it was read")
            count -= len(block)
            yield block


def read_whole(path: str, limit: int) -> bytes:
    """Read a file; of one that is longer than `limit`, one byte more than that."""
    with _open_input(path) as (_, stream):
        parts, count = [], 0
        while count <= limit and (block := stream.read1(_BLOCK)):
            parts.append(block)
            count += len(block)
        return b"".join(parts)[: limit + 1]


def describe_error(error: Exception) -> str:
    """Say why a file cannot be read."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


class _ZstdStream:
    """The content of a file of Zstandard frames; a frame without an end is an `EOFError`."""

    def __init__(self, raw: IO[bytes]) -> None:
        import zstandard

        self._error = zstandard.ZstdError
        self._library = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
        self._frame = self._library.decompressobj()
        self._raw = raw
        self._begun = False  # a frame that has not ended
        self._input = b""

    def read1(self, _size: int) -> bytes:
        """Return the next bytes, as many as one step gives; none at the end."""
        while True:
            data = self._input or self._raw.read(_ZSTD_BLOCK)
            self._input = b""
            if not data:
                if self._begun:
                    raise EOFError("Compressed file ended before the end of its last frame")
                return b""
            self._begun = True
            try:
                content = self._frame.decompress(data)
            except self._error as error:
                raise OSError(str(error)) from None
            if self._frame.eof:
                self._input = self._frame.unused_data
                self._frame = self._library.decompressobj()
                self._begun = False
            if content:
                return content
