"""Sentences as the rows of tables, for PyArrow and pandas: constituents, tokens or sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import index
from typing import TYPE_CHECKING, Any, Literal, get_args

from whorl.extras import import_extra
from whorl.trees import Node, Tree

if TYPE_CHECKING:
    from whorl.parser.documents import Sentence

__all__ = ["SCHEMAS", "Rows", "to_arrow", "to_pandas"]

Rows = Literal["constituents", "tokens", "sentences"]

SCHEMAS: dict[Rows, dict[str, str]] = {
    "constituents": {
        "document": "int64",
        "sentence": "int32",
        "row": "int32",
        "parent": "int32?",
        "depth": "int32",
        "label": "string",
        "left": "int32",
        "right": "int32",
        "start": "int64",
        "end": "int64",
        "text": "string",
        "probability": "float64?",
    },
    "tokens": {
        "document": "int64",
        "sentence": "int32",
        "word": "int32",
        "parent": "int32",
        "depth": "int32",
        "tag": "string",
        "start": "int64",
        "end": "int64",
        "text": "string",
        "written": "string",
    },
    "sentences": {
        "document": "int64",
        "sentence": "int32",
        "start": "int64",
        "end": "int64",
        "text": "string",
        "tree": "string",
        "log_probability": "float64",
        "confidence": "float64?",
    },
}
"""The columns of each table and their types; `?` marks those that may be null."""

_PANDAS_TYPES = {"int32?": "Int32", "float64?": "float64"}  # the others have the same name

# Strings of Arrow are UTF-8, which has no code for half a surrogate pair.
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_arrow(sentences: Iterable[Sentence], rows: Rows, document: int) -> Any:
    """Return a `pyarrow.Table` with the rows of these sentences."""
    pyarrow = import_extra("pyarrow")
    columns = _columns(sentences, rows, document)
    types = {name: kind.removesuffix("?") for name, kind in SCHEMAS[rows].items()}
    schema = pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in types.items()])
    return pyarrow.table(columns, schema=schema)


def to_pandas(sentences: Iterable[Sentence], rows: Rows, document: int) -> Any:
    """Return a `pandas.DataFrame` with the rows of these sentences."""
    pandas = import_extra("pandas")
    columns = _columns(sentences, rows, document)
    types = SCHEMAS[rows]
    return pandas.DataFrame(
        {
            name: pandas.Series(values, dtype=_PANDAS_TYPES.get(types[name], types[name]))
            for name, values in columns.items()
        }
    )


def _columns(sentences: Iterable[Sentence], rows: Rows, document: int) -> dict[str, list[Any]]:
    if rows not in get_args(Rows):
        raise ValueError(f"rows must be one of {', '.join(get_args(Rows))}, not {rows!r}")
    make = {"constituents": _constituents, "tokens": _tokens, "sentences": _sentences}[rows]
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMAS[rows]}
    document_number = index(document)
    for record in make(sentences):
        for column, value in zip(columns.values(), (document_number, *record), strict=True):
            column.append(value)
    for name, kind in SCHEMAS[rows].items():
        if kind == "string":
            columns[name] = [_SURROGATE.sub("\ufffd", text) for text in columns[name]]
    return columns


def _constituents(sentences: Iterable[Sentence]) -> Iterator[tuple[Any, ...]]:
    row = 0
    for number, sentence in enumerate(sentences):
        phrases = (place for place in _walk(sentence.tree, row) if type(place[0]) is Tree)
        for one, (_, parent, depth) in zip(sentence.constituents(), phrases, strict=True):
            yield (
                *(number, row, parent, depth, one.label, one.left, one.right),
                *(one.start, one.end, one.text, one.probability),
            )
            row += 1


def _tokens(sentences: Iterable[Sentence]) -> Iterator[tuple[Any, ...]]:
    row = 0
    for number, sentence in enumerate(sentences):
        places = list(_walk(sentence.tree, row))
        row += sum(type(node) is Tree for node, _, _ in places)
        leaves = (place for place in places if type(place[0]) is not Tree)
        for word, (token, (_, parent, depth)) in enumerate(
            zip(sentence.tokens, leaves, strict=True)
        ):
            written = sentence.text[token.start - sentence.start : token.end - sentence.start]
            yield (
                *(number, word, parent, depth, token.tag, token.start, token.end),
                *(token.text, written),
            )


def _sentences(sentences: Iterable[Sentence]) -> Iterator[tuple[Any, ...]]:
    for number, sentence in enumerate(sentences):
        yield (
            *(number, sentence.start, sentence.end, sentence.text),
            *(str(sentence.tree), sentence.log_probability, sentence.confidence),
        )


def _walk(tree: Tree, row: int) -> Iterator[tuple[Node, int | None, int]]:
    """Yield each node with its parent's row and its depth; phrases have the rows from `row` on."""
    pending: list[tuple[Node, int | None, int]] = [(tree, None, 0)]
    while pending:
        place = pending.pop()
        yield place
        node, _, depth = place
        if type(node) is Tree:
            pending.extend((child, row, depth + 1) for child in node.children[::-1])
            row += 1
