"""From a piece to its documents, and to what is said about those that cannot be read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from whorl.corpus.columns import keep_json
from whorl.corpus.options import CorpusOptions
from whorl.corpus.pieces import Part, Piece
from whorl.corpus.reading import (
    READ_ERRORS,
    bounded_lines,
    describe_error,
    read_span,
    read_whole,
)
from whorl.errors import CorpusError

__all__ = ["Failure", "InputDocument", "Place", "check_text", "read_documents"]

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document begins: in a file, at a line or a row, both from 1."""

    file: str
    line: int | None = None
    row: int | None = None

    def __str__(self) -> str:
        number = self.line or self.row
        return self.file if number is None else f"{self.file}:{number}"


@dataclass(frozen=True, slots=True)
class InputDocument:
    """A document to parse."""

    id: str
    text: str
    place: Place
    kept: dict[str, Any]
    """The columns that are carried through."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A document, or the rest of a file, that is set aside."""

    place: Place
    reason: str
    id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the line of `errors.jsonl`."""
        place = {"file": self.place.file, "line": self.place.line, "row": self.place.row}
        return {"document": self.id, **place, "reason": self.reason}

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def read_documents(piece: Piece, options: CorpusOptions) -> Iterator[InputDocument | Failure]:
    """Yield the documents of a piece in order, each as it is or as the reason why it is set aside.

    Memory holds one document of at most the longest size.
    """
    for part in piece.parts:
        if options.kind == "parquet":
            from whorl.corpus.parquet_input import read_rows

            yield from read_rows(part, options)
        elif options.kind == "text" and options.documents in ("file", None):
            yield _file(part, options)
        elif part.count:
            yield from _from_lines(part, options)
        if part.error is not None:
            yield Failure(Place(part.file), f"not read to its end: {part.error}")


def _file(part: Part, options: CorpusOptions) -> InputDocument | Failure:
    place = Place(part.file)
    try:
        data = read_whole(part.file, options.longest_document)
    except READ_ERRORS as error:
        return Failure(place, describe_error(error), part.file)
    return _text_document(data, place, part.file, options)


def _from_lines(part: Part, options: CorpusOptions) -> Iterator[InputDocument | Failure]:
    try:
        for number, data in _numbered_units(part, options):
            place = Place(part.file, line=number)
            if options.kind == "jsonl":
                yield _record(data, place, options)
            else:
                yield _text_document(data, place, f"{part.file}:{number}", options)
    except EOFError as error:
        raise CorpusError(str(error)) from None
    except OSError as error:
        yield Failure(Place(part.file), f"not read to its end: {describe_error(error)}")


def _numbered_units(part: Part, options: CorpusOptions) -> Iterator[tuple[int, bytes]]:
    """Yield lines that are not blank, or paragraphs, with the numbers of their first lines."""
    limit = options.longest_document
    blocks = iter([part.data]) if part.data is not None else _blocks(part)
    lines = (
        (number, line.data) for number, line in enumerate(bounded_lines(blocks, limit), part.line)
    )
    if options.kind == "jsonl" or options.documents == "line":
        return ((number, data) for number, data in lines if data.strip())
    return _paragraphs(lines, limit)


def _blocks(part: Part) -> Iterator[bytes]:
    return read_span(part.file, part.start, part.count)


def _paragraphs(lines: Iterable[tuple[int, bytes]], limit: int) -> Iterator[tuple[int, bytes]]:
    first, size = 0, 0
    paragraph: list[bytes] = []
    for number, data in lines:
        if not data.strip():
            if paragraph:
                yield first, b"\n".join(paragraph)
            paragraph, size = [], 0
            continue
        if not paragraph:
            first = number
        if size <= limit + 1:  # more than fit into a document, so that it is too long for one
            paragraph.append(data)
            size += len(data) + 1
    if paragraph:
        yield first, b"\n".join(paragraph)


def _text_document(
    data: bytes, place: Place, name: str, options: CorpusOptions
) -> InputDocument | Failure:
    text = _decode(data, place, options)
    if isinstance(text, Failure):
        return Failure(place, text.reason, name)
    return InputDocument(name, text, place, {})


def _decode(data: bytes, place: Place, options: CorpusOptions) -> str | Failure:
    if len(data) > options.longest_document:
        return Failure(place, _too_long(options))
    if place.line in (None, 1):
        data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        return data.decode("utf-8", "strict" if options.invalid_utf8 == "set-aside" else "replace")
    except UnicodeDecodeError as error:
        return Failure(place, f"not UTF-8 at byte {error.start}: {error.reason}")


def _record(data: bytes, place: Place, options: CorpusOptions) -> InputDocument | Failure:
    line = _decode(data, place, options)
    if isinstance(line, Failure):
        return line
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        return Failure(place, f"not JSON: {error.msg} at column {error.colno}, near {line[:40]!r}")
    except (ValueError, RecursionError) as error:
        return Failure(place, f"not JSON that can be read: {error}")
    if not isinstance(record, dict):
        return Failure(place, f"expected a JSON object, not {line[:40]!r}")
    name: Any = str(place)
    if options.id is not None:
        name = record.get(options.id)
        if not isinstance(name, str) and (not isinstance(name, int) or isinstance(name, bool)):
            reason = (
                f"expected a string or an integer in the field {options.id!r}, not {name!r:.40}"
            )
            return Failure(place, reason)
    try:
        name = check_text(str(name), options)
        if options.text not in record:
            raise ValueError(f"no field {options.text!r}")
        text = check_text(record[options.text], options)
        kept = keep_json(record, options)
    except ValueError as error:
        return Failure(place, str(error), name if _SURROGATES.search(name) is None else None)
    return InputDocument(name, text, place, kept)


def check_text(text: Any, options: CorpusOptions) -> str:
    """Return a text that can be written as UTF-8; `ValueError` says what is wrong with others."""
    if not isinstance(text, str):
        kind = "null" if text is None else type(text).__name__
        raise ValueError(f"expected a text in {options.text!r}, not {kind}")
    if not text.isascii() and (match := _SURROGATES.search(text)):
        if options.invalid_utf8 == "set-aside":
            raise ValueError(f"half a surrogate pair at character {match.start()}")
        return _SURROGATES.sub("\ufffd", text)
    return text


def _too_long(options: CorpusOptions) -> str:
    return (
        f"longer than {options.longest_document:,} bytes, the most that a document may have: "
        "see --longest-document, and --documents for files of text"
    )
