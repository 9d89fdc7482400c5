"""Pieces: fixed runs of documents, each of which becomes one shard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from whorl.corpus.files import InputFile, compression
from whorl.corpus.options import CorpusOptions
from whorl.corpus.reading import LineReader

__all__ = ["START", "Part", "Piece", "Position", "plan_pieces"]


class Position(NamedTuple):
    """A place between two documents of the input."""

    file: int
    """The number of the file in the list of inputs, from 0."""
    start: int = 0
    """Bytes of content, or rows, before this place in the file."""
    line: int = 1
    """The number of the line that begins here."""


START = Position(0)


@dataclass(frozen=True, slots=True)
class Part:
    """A run of documents in one file."""

    file: str
    start: int
    """The first byte of content, or the first row, from 0."""
    count: int
    """Bytes or rows."""
    line: int = 1
    data: bytes | None = None
    """The bytes, if the file is compressed: only a reader from its beginning can get them."""
    error: str | None = None
    """Why nothing of the file can be read after this part."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive documents. Nothing but the input and the options decides which."""

    number: int
    """From 0."""
    parts: tuple[Part, ...]
    disk_bytes: int
    """Its share of the size of the input on disk, to estimate progress."""
    end: Position
    """Where the next piece begins."""


def plan_pieces(
    files: Iterable[InputFile],
    options: CorpusOptions,
    *,
    number: int = 0,
    start: Position = START,
    is_wanted: Callable[[int], bool] = lambda number: True,
) -> Iterator[Piece]:
    """Yield the pieces of an input from number `number` on, which begins at `start`.

    `files` begins with the file of `start`. Pieces for which `is_wanted` is false come without the
    data of compressed files. Memory holds one piece.
    """
    plan = _Plan(options, number, is_wanted)
    if options.kind == "parquet":
        add = _add_rows
    elif options.kind == "text" and options.documents in ("file", None):
        add = _add_file
    else:
        add = _add_lines
    for index, file in enumerate(files, start=start.file):
        first = start if index == start.file else Position(index)
        yield from add(plan, file, first)
    yield from plan.finish()


class _Plan:
    """The piece that is being put together."""

    def __init__(
        self, options: CorpusOptions, number: int, is_wanted: Callable[[int], bool]
    ) -> None:
        self.options = options
        self._is_wanted = is_wanted
        self._number = number
        self._parts: list[Part] = []
        self._size = self._disk_bytes = 0
        self._end = START

    @property
    def room(self) -> int:
        """How many bytes are missing until the piece is full."""
        return self.options.piece_size - self._size

    @property
    def keeps_data(self) -> bool:
        """Whether somebody will parse the piece."""
        return self._is_wanted(self._number)

    def add(self, part: Part, *, size: int, disk_bytes: int, end: Position) -> Iterator[Piece]:
        """Add a part; yield the piece if it is full."""
        if part.count or part.error:
            self._parts.append(part)
        self._size += size
        self._disk_bytes += disk_bytes
        self._end = end
        if self.room <= 0:
            yield from self.finish()

    def finish(self) -> Iterator[Piece]:
        """Yield the piece, unless it is empty."""
        if self._parts:
            yield Piece(self._number, tuple(self._parts), self._disk_bytes, self._end)
            self._number += 1
            self._parts, self._size, self._disk_bytes = [], 0, 0


def _add_file(plan: _Plan, file: InputFile, start: Position) -> Iterator[Piece]:
    """Add a file that is one document; workers read it."""
    part = Part(file.name, 0, max(file.size, 1))
    end = Position(start.file + 1)
    yield from plan.add(part, size=file.size, disk_bytes=file.size, end=end)


def _add_lines(plan: _Plan, file: InputFile, start: Position) -> Iterator[Piece]:
    """Add the lines of a file, or its paragraphs, as far as they fit into each piece."""
    options = plan.options
    is_compressed = bool(compression(file.name))
    ends_anywhere = options.kind == "jsonl" or options.documents == "line"
    longest = options.longest_document
    reader = LineReader(file.name, start.start, longest)
    place, line_number = start.start, start.line
    part_start, part_line, disk_start = place, line_number, 0
    data: list[bytes] = []
    paragraph_size, is_blank = 0, True
    for line in reader:
        if place == start.start > 0:
            disk_start = reader.disk_bytes
        if not ends_anywhere:
            was_blank, is_blank = is_blank, not line.data.strip()
            paragraph_size = 0 if is_blank else paragraph_size + line.size
        if place - part_start >= plan.room and (ends_anywhere or (was_blank and not is_blank)):
            yield from plan.add(
                _lines_part(file, part_start, place, part_line, data, is_compressed),
                size=place - part_start,
                disk_bytes=reader.disk_bytes - disk_start if is_compressed else place - part_start,
                end=Position(start.file, place, line_number),
            )
            part_start, part_line, disk_start, data = place, line_number, reader.disk_bytes, []
        if is_compressed and paragraph_size - line.size <= longest + 1 and plan.keeps_data:
            data.append(line.data + b"\n")
        place += line.size
        line_number += 1
    yield from plan.add(
        _lines_part(file, part_start, place, part_line, data, is_compressed, reader.error),
        size=place - part_start,
        disk_bytes=reader.disk_bytes - disk_start if is_compressed else place - part_start,
        end=Position(start.file + 1),
    )


def _lines_part(
    file: InputFile,
    start: int,
    end: int,
    line: int,
    data: list[bytes],
    is_compressed: bool,
    error: str | None = None,
) -> Part:
    content = b"".join(data) if is_compressed else None
    return Part(file.name, start, end - start, line, content, error)


def _add_rows(plan: _Plan, file: InputFile, start: Position) -> Iterator[Piece]:
    """Add the rows of a Parquet file; only the sizes in its footer are read."""
    from whorl.corpus.parquet_input import count_rows

    rows, row_size, error = count_rows(file, plan.options.text)
    if error is not None:
        yield from plan.add(
            Part(file.name, 0, 0, error=error),
            size=0,
            disk_bytes=file.size,
            end=Position(start.file + 1),
        )
        return
    row = start.start
    while row < rows:
        count = min(rows - row, max(1, -(-plan.room // row_size)))
        is_last = row + count == rows
        yield from plan.add(
            Part(file.name, row, count),
            size=count * row_size,
            disk_bytes=file.size * count // rows,
            end=Position(start.file + 1) if is_last else Position(start.file, row + count),
        )
        row += count
