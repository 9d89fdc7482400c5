"""Arrow in, Arrow out: what engines such as Ray Data and Spark call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from whorl.corpus.columns import parse_kept_columns
from whorl.corpus.documents import InputDocument
from whorl.corpus.options import CorpusOptions
from whorl.corpus.sentences import parse_documents
from whorl.errors import CorpusError
from whorl.extras import import_extra

if TYPE_CHECKING:
    import pyarrow as pa

    from whorl.parser import Parser

__all__ = ["BatchParser", "parse_batch"]

Batch = TypeVar("Batch", "pa.Table", "pa.RecordBatch")

_UNLIMITED = 1 << 62


def parse_batch(
    batch: Batch, *, model: str | Path = "en", keep: Sequence[str] = (), **options: Any
) -> Batch:
    """Parse the texts of an Arrow table or record batch; return one of the same kind.

    It has a row for each sentence, with the columns of `whorl corpus`. Options are those of
    `BatchParser`. Each process loads a model once.
    """
    return _cached(str(model), tuple(keep), tuple(sorted(options.items())))(batch)


class BatchParser:
    """Parses Arrow tables and record batches. It can be pickled, and loads its model on first use.

    `keep` names columns that are carried through. Other options are the fields of `CorpusOptions`,
    such as `text`, `id`, `beam`, `with_constituents` and `device`. Without `id`, a document is
    named by its row in the batch. A null has no sentences.
    """

    def __init__(
        self, model: str | Path = "en", *, keep: Sequence[str] = (), **options: Any
    ) -> None:
        self._model = model
        self._options = CorpusOptions(
            **{"longest_document": _UNLIMITED, "invalid_utf8": "replace", **options},
            kind="parquet",
            keep=parse_kept_columns(keep),
        )
        self._parser: Parser | None = None

    def __call__(self, batch: Batch) -> Batch:
        """Parse a table or record batch."""
        schema = self.schema(batch.schema)
        records = parse_documents(self._load(), self._documents(batch), self._options)
        result: Batch = type(batch).from_pylist(list(records), schema=schema)
        return result

    def schema(self, given: pa.Schema | None = None) -> pa.Schema:
        """Return the schema of the output, for engines that ask for it; no model is loaded.

        Kept columns have the types of the input, whose schema must be given if there are any.
        """
        pa = import_extra("pyarrow")
        from whorl.corpus.parquet_input import check_schema
        from whorl.corpus.parquet_output import output_schema

        if given is None:
            if self._options.keep:
                raise CorpusError("kept columns have the types of the input: give its schema")
            return output_schema(self._options)
        check_schema(given, self._options, "the batch")
        kept = pa.schema([given.field(column.name) for column in self._options.keep])
        return output_schema(self._options, kept)

    def _load(self) -> Parser:
        if self._parser is None:
            from whorl.parser import load

            options = self._options
            self._parser = load(self._model, device=options.device, convention=options.convention)
        return self._parser

    def _documents(self, batch: pa.Table | pa.RecordBatch) -> Iterator[InputDocument]:
        import pyarrow as pa

        from whorl.corpus.parquet_input import batch_documents

        first = 1
        for part in batch.to_batches() if isinstance(batch, pa.Table) else [batch]:
            texts = part.column(self._options.text)
            documents = batch_documents(part, self._options, file="the batch", first=first)
            for number, document in enumerate(documents):
                if isinstance(document, InputDocument):
                    name = document.id.removeprefix("the batch:")
                    yield InputDocument(name, document.text, document.place, document.kept)
                elif texts[number].is_valid:
                    raise CorpusError(str(document))
            first += part.num_rows

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the model."""
        return _restore, (self._model, self._options)


@cache
def _cached(model: str, keep: tuple[str, ...], options: tuple[tuple[str, Any], ...]) -> BatchParser:
    return BatchParser(model, keep=keep, **dict(options))


def _restore(model: str | Path, options: CorpusOptions) -> BatchParser:
    parser = BatchParser(model)
    parser._options = options
    return parser
