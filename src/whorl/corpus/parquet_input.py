"""Parquet files as input: their rows, from the sizes in the footer and a few rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from whorl.corpus.documents import Failure, InputDocument, Place, check_text
from whorl.corpus.files import InputFile
from whorl.corpus.options import CorpusOptions
from whorl.corpus.pieces import Part
from whorl.errors import CorpusError

__all__ = [
    "batch_documents",
    "check_columns",
    "check_schema",
    "count_rows",
    "kept_schema",
    "read_rows",
]

_BLOCK = 1 << 20  # bytes of text that are read at a time, and of the column that are buffered
_SMALLEST_ROW = 100  # bytes; a repeated text may take fewer in the file
_MOST_ROWS = 4096
_ERRORS = (OSError, pa.ArrowException)


def _open(path: str) -> pq.ParquetFile:
    return pq.ParquetFile(path, buffer_size=_BLOCK, pre_buffer=False)


def check_columns(path: str, options: CorpusOptions) -> None:
    """Raise `CorpusError` if a file lacks a column that the options name, or has no text there."""
    try:
        with _open(path) as file:
            schema = file.schema_arrow
    except _ERRORS as error:
        raise CorpusError(f"{path} cannot be read as Parquet: {error}") from None
    check_schema(schema, options, path)


def check_schema(schema: pa.Schema, options: CorpusOptions, source: str) -> None:
    """Raise `CorpusError` if a schema lacks a column that the options name."""
    reason = _unfit(schema, options)
    if reason is not None:
        raise CorpusError(f"{source}: {reason}")


def kept_schema(path: str, options: CorpusOptions) -> pa.Schema:
    """Return the kept columns of a file with their types."""
    with _open(path) as file:
        return pa.schema([file.schema_arrow.field(column.name) for column in options.keep])


def _unfit(schema: pa.Schema, options: CorpusOptions) -> str | None:
    names = [options.text, *([options.id] if options.id else [])]
    for name in [*names, *(column.name for column in options.keep)]:
        if name not in schema.names:
            return f"no column {name!r}; there are {', '.join(schema.names)}"
    kind = schema.field(options.text).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if not any(check(kind) for check in (pa.types.is_string, pa.types.is_large_string)):
        return f"the column {options.text!r} holds {kind}, not text"
    return None


def count_rows(file: InputFile, text: str) -> tuple[int, int, str | None]:
    """Return the number of rows, the mean size of a text, and the reason if there is none."""
    try:
        with _open(file.name) as opened:
            footer = opened.metadata
            column = opened.schema_arrow.names.index(text)
            paths = [footer.schema.column(number).path for number in range(footer.num_columns)]
            column = paths.index(text)
            size = sum(
                footer.row_group(group).column(column).total_uncompressed_size
                for group in range(footer.num_row_groups)
            )
    except (*_ERRORS, ValueError) as error:
        return 0, 0, f"not read as Parquet with a column {text!r}: {error}"
    return footer.num_rows, max(_SMALLEST_ROW, size // max(1, footer.num_rows)), None


def read_rows(part: Part, options: CorpusOptions) -> Iterator[InputDocument | Failure]:
    """Yield the documents of a run of rows."""
    row = part.start
    try:
        for batch in _batches(part, options):
            yield from batch_documents(batch, options, file=part.file, first=row + 1)
            row += batch.num_rows
    except _ERRORS as error:
        yield Failure(Place(part.file, row=row + 1), f"not read to its end: {error}")


def _batches(part: Part, options: CorpusOptions) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a part in batches; rows before it in its row group are read and dropped."""
    if not part.count:
        return
    columns = [options.text, *([options.id] if options.id else [])]
    columns += [column.name for column in options.keep if column.name not in columns]
    with _open(part.file) as file:
        footer = file.metadata
        reason = _unfit(file.schema_arrow, options)
        if reason is not None:
            raise OSError(reason)
        first, stop = 0, part.start + part.count
        for group in range(footer.num_row_groups):
            rows = footer.row_group(group).num_rows
            if first < stop and first + rows > part.start:
                size = footer.row_group(group).total_byte_size // max(1, rows)
                count = min(_MOST_ROWS, max(1, _BLOCK // max(1, size)))
                place = first
                for batch in file.iter_batches(count, row_groups=[group], columns=columns):
                    low, high = max(part.start - place, 0), min(stop - place, batch.num_rows)
                    place += batch.num_rows
                    if low < high:
                        yield batch.slice(low, high - low)
                    if place >= stop:
                        break
            first += rows


def batch_documents(
    batch: pa.RecordBatch, options: CorpusOptions, *, file: str, first: int = 1
) -> Iterator[InputDocument | Failure]:
    """Yield the rows of a batch as documents; kept columns are scalars of Arrow.

    `file` and `first`, the number of the first row, say where they come from.
    """
    read = [_texts(batch.column(options.text))]
    read.append(_texts(batch.column(options.id)) if options.id else [None] * batch.num_rows)
    kept = [(column.name, batch.column(column.name)) for column in options.keep]
    for number, (text, name) in enumerate(zip(*read, strict=True)):
        columns = {column: values[number] for column, values in kept}
        yield _document(text, name, columns, Place(file, row=first + number), options)


def _texts(column: pa.Array) -> list[Any]:
    """Return the values of a column; of texts that are not UTF-8, the bytes."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        return [_decoded(value) for value in column.cast(pa.large_binary()).to_pylist()]


def _decoded(value: bytes | None) -> str | bytes | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return value


def _document(
    text: Any, id_value: Any, kept: dict[str, Any], place: Place, options: CorpusOptions
) -> InputDocument | Failure:
    name = str(place)
    if options.id is not None:
        if id_value is None:
            return Failure(place, f"null in the column {options.id!r}")
        if isinstance(id_value, bytes):
            return Failure(place, f"not UTF-8 in the column {options.id!r}")
        name = str(id_value)
    if isinstance(text, bytes):
        if options.invalid_utf8 == "set-aside":
            return Failure(place, f"not UTF-8 in the column {options.text!r}", name)
        text = text.decode(errors="replace")
    try:
        text = check_text(text, options)
    except ValueError as error:
        return Failure(place, str(error), name)
    if len(text) > options.longest_document or (
        4 * len(text) > options.longest_document < len(text.encode())
    ):
        return Failure(place, f"longer than {options.longest_document:,} bytes", name)
    return InputDocument(name, text, place, kept)
