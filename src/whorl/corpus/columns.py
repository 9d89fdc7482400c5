"""The columns of the output: what a sentence gives, and what is carried through from the input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast, get_args

from whorl.corpus.options import CorpusOptions, KeptColumn, KeptType
from whorl.errors import CorpusError

__all__ = ["OWN_COLUMNS", "infer_types", "keep_json", "parse_kept_columns"]

OWN_COLUMNS = (
    *("document", "sentence", "text", "start", "end", "tree", "log_probability"),
    *("tokens", "constituents"),
)
"""Names that no kept column may have."""

_LARGEST_INTEGER = 2**63
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
    "string": (str,),
}


def parse_kept_columns(names: Iterable[str]) -> tuple[KeptColumn, ...]:
    """Read `NAME` or `NAME=TYPE`."""
    columns: list[KeptColumn] = []
    for text in names:
        name, _, kind = text.partition("=")
        if kind not in ("", *get_args(KeptType)):
            raise CorpusError(
                f"--keep {text}: the type is one of {', '.join(get_args(KeptType))}, not {kind!r}"
            )
        if name in OWN_COLUMNS:
            raise CorpusError(f"--keep {text}: the output has a column of that name already")
        if name in {column.name for column in columns}:
            raise CorpusError(f"--keep {name} is given twice")
        columns.append(KeptColumn(name, cast(KeptType, kind) or None))
    return tuple(columns)


def infer_types(
    columns: Iterable[KeptColumn], records: Iterable[Mapping[str, Any]]
) -> tuple[KeptColumn, ...]:
    """Choose the types of columns that have none by the values in some records.

    Lists, objects, and columns of several types or of nulls alone become JSON.
    """
    sample = list(records)
    return tuple(
        column if column.type else replace(column, type=_common_type(column.name, sample))
        for column in columns
    )


def _common_type(name: str, records: Iterable[Mapping[str, Any]]) -> KeptType:
    kinds = {type(record[name]) for record in records if record.get(name) is not None}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return "int"
    if kinds and kinds <= {int, float}:
        return "float"
    return "string" if kinds == {str} else "json"


def keep_json(record: Mapping[str, Any], options: CorpusOptions) -> dict[str, Any]:
    """Return the kept fields of a JSON record; `ValueError` if one has another type.

    Output in JSON takes values as they are.
    """
    if options.format == "jsonl":
        values = {column.name: record.get(column.name) for column in options.keep}
        for name, value in values.items():
            _writable(json.dumps(value, ensure_ascii=False), name)
        return values
    return {column.name: _keep(record.get(column.name), column) for column in options.keep}


def _keep(value: Any, column: KeptColumn) -> Any:
    if value is None:
        return None
    if column.type == "json" or column.type is None:
        return _writable(json.dumps(value, ensure_ascii=False), column.name)
    fits = isinstance(value, _PYTHON_TYPES[column.type])
    if not fits or (isinstance(value, bool) and column.type != "bool"):
        raise ValueError(
            f"expected {column.type} in the kept field {column.name!r}, not {value!r:.40}: "
            f"--keep {column.name}=json takes any value"
        )
    if isinstance(value, str):
        return _writable(value, column.name)
    if column.type == "float":
        return float(value)
    if column.type == "int" and not -_LARGEST_INTEGER <= value < _LARGEST_INTEGER:
        raise ValueError(f"an integer of more than 64 bits in the kept field {column.name!r}")
    return value


def _writable(text: str, name: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"half a surrogate pair in the kept field {name!r}") from None
    return text
