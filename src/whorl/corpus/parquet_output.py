"""Sentences as Parquet: one row each, with a schema that depends on the options alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from whorl.corpus.options import CorpusOptions

if TYPE_CHECKING:
    from whorl.corpus.shards import Sink

__all__ = ["JSON_TYPES", "ParquetShard", "output_schema", "sentence_fields"]

JSON_TYPES = {
    "bool": pa.bool_(),
    "int": pa.int64(),
    "float": pa.float64(),
    "string": pa.string(),
    "json": pa.string(),
}
"""The types of kept fields of JSON records."""

_ROWS = 1 << 13  # of a row group, at least
_CHUNK = 1 << 10  # rows that are held as Python objects
_SCHEMA_VERSION = {"whorl.schema": "1"}


def sentence_fields(options: CorpusOptions) -> list[pa.Field]:
    """Return the columns that a sentence gives."""
    fields = [
        pa.field("document", pa.string(), nullable=False),
        pa.field("sentence", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("start", pa.int64(), nullable=False),
        pa.field("end", pa.int64(), nullable=False),
    ]
    places = [("start", pa.int64()), ("end", pa.int64())]
    if options.with_tokens:
        token = pa.struct([("text", pa.string()), ("tag", pa.string()), *places])
        fields.append(pa.field("tokens", pa.list_(token)))
    fields += [
        pa.field("tree", pa.string(), nullable=False),
        pa.field("log_probability", pa.float64(), nullable=False),
    ]
    if options.with_constituents:
        words = [("left", pa.int32()), ("right", pa.int32())]
        phrase = [("label", pa.string()), *words, *places, ("probability", pa.float64())]
        fields.append(pa.field("constituents", pa.list_(pa.struct(phrase))))
    return fields


def output_schema(options: CorpusOptions, kept: pa.Schema | None = None) -> pa.Schema:
    """Return the schema of all shards: what a sentence gives, then the kept columns."""
    if kept is None:
        kept = pa.schema(
            [(column.name, JSON_TYPES[column.type or "json"]) for column in options.keep]
        )
    columns = [field.with_nullable(True).remove_metadata() for field in kept]
    return pa.schema([*sentence_fields(options), *columns], metadata=_SCHEMA_VERSION)


class ParquetShard:
    """Writes records into a Parquet file, whose bytes depend on nothing but the records.

    Memory holds the compressed file, which is written at the end.
    """

    def __init__(self, file: Sink, schema: pa.Schema) -> None:
        self._file = file
        self._schema = schema
        self._sink = pa.BufferOutputStream()
        self._writer = pq.ParquetWriter(self._sink, schema, compression="zstd")
        self._records: list[dict[str, Any]] = []
        self._batches: list[pa.RecordBatch] = []

    def add(self, record: dict[str, Any]) -> None:
        """Add a sentence."""
        self._records.append(record)
        if len(self._records) == _CHUNK:
            self._convert()

    def close(self) -> None:
        """Write what is left, and the file."""
        self._convert()
        self._write_group()
        self._writer.close()
        self._file.write(self._sink.getvalue())

    def _convert(self) -> None:
        self._batches.append(pa.RecordBatch.from_pylist(self._records, schema=self._schema))
        self._records = []
        if sum(batch.num_rows for batch in self._batches) >= _ROWS:
            self._write_group()

    def _write_group(self) -> None:
        table = pa.Table.from_batches(self._batches, schema=self._schema)
        if table.num_rows:
            self._writer.write_table(table, row_group_size=table.num_rows)
        self._batches = []
