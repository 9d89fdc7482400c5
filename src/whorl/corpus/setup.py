"""Before a run: what the input holds, and options that follow from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from whorl.corpus.columns import infer_types
from whorl.corpus.files import InputFile, InputSummary, compression
from whorl.corpus.options import CorpusOptions, default_piece_size
from whorl.corpus.reading import LineReader
from whorl.errors import CorpusError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["complete_options"]

_SAMPLE = 1000  # records by which the types of kept fields are inferred


def complete_options(
    options: CorpusOptions, inputs: InputSummary, files: Callable[[], Iterable[InputFile]]
) -> tuple[CorpusOptions, pa.Schema | None]:
    """Choose what the input decides: the size of pieces, and the types of kept columns.

    Returns the kept columns of Parquet input as well. `CorpusError` if the first file lacks a
    column, or none of the first records has a text: then a name is wrong.
    """
    if not options.piece_size:
        options = replace(options, piece_size=default_piece_size(inputs.bytes))
    if options.format == "parquet":
        _require("pyarrow")
    if any(compression(file.name) == ".zst" for file in files()):
        _require("zstandard")
    if options.kind == "parquet":
        from whorl.corpus.parquet_input import check_columns, kept_schema

        first = next(iter(files())).name
        check_columns(first, options)
        return options, kept_schema(first, options)
    if options.kind == "jsonl":
        sample = list(islice(_records(files(), options), _SAMPLE))
        _check_fields(sample, options)
        if options.format == "parquet":
            options = replace(options, keep=infer_types(options.keep, sample))
    return options, None


def _require(package: str) -> None:
    """Report a missing extra before any work; workers import the package."""
    if find_spec(package) is None:
        raise ModuleNotFoundError(f"no module named {package!r}", name=package)


def _records(files: Iterable[InputFile], options: CorpusOptions) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects that can be read."""
    for file in files:
        for line in LineReader(file.name, 0, options.longest_document):
            try:
                record = json.loads(line.data)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                yield record


def _check_fields(records: list[Mapping[str, Any]], options: CorpusOptions) -> None:
    names = [options.text, *([options.id] if options.id else [])]
    for name in [*names, *(column.name for column in options.keep)]:
        if records and all(name not in record for record in records):
            raise CorpusError(
                f"none of the first {len(records)} records has a field {name!r}; "
                f"the first has {', '.join(map(repr, records[0])) or 'none'}"
            )
