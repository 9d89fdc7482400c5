"""Arrow in, Arrow out."""

from __future__ import annotations

import pickle

import pyarrow as pa
import pytest

from tests.corpus.conftest import MODEL
from whorl.corpus import BatchParser, parse_batch
from whorl.errors import CorpusError

TABLE = pa.table(
    {
        "text": ["Dogs bark. It works!", None, "", "Rain."],
        "key": ["a", "b", "c", "d"],
        "year": pa.array([1, 2, 3, 4], pa.int16()),
    }
)


def test_a_table_gives_a_table_and_a_record_batch_a_record_batch(parser):
    options = {"model": MODEL, "id": "key", "keep": ["year"], "with_constituents": True}
    table = parse_batch(TABLE, **options)
    assert isinstance(table, pa.Table)
    assert table.schema.field("year").type == pa.int16()
    rows = table.to_pylist()
    assert [(row["document"], row["sentence"], row["text"], row["year"]) for row in rows] == [
        ("a", 1, "Dogs bark.", 1),
        ("a", 2, "It works!", 1),
        ("d", 1, "Rain.", 4),
    ]
    assert [row["tree"] for row in rows] == [
        str(tree) for text in ("Dogs bark. It works!", "Rain.") for tree in parser(text).trees
    ]
    (batch,) = TABLE.to_batches()
    parsed = parse_batch(batch, **options)
    assert isinstance(parsed, pa.RecordBatch)
    assert pa.Table.from_batches([parsed]) == table


def test_a_batch_without_texts_gives_no_rows():
    empty = parse_batch(TABLE.slice(0, 0), model=MODEL)
    assert empty.num_rows == 0
    assert empty.schema == parse_batch(TABLE, model=MODEL).schema


def test_tables_of_several_chunks_number_their_rows(parser):
    rows = parse_batch(pa.concat_tables([TABLE, TABLE]), model=MODEL).to_pylist()
    assert [row["document"] for row in rows] == ["1", "1", "4", "5", "5", "8"]


def test_a_batch_parser_can_be_sent_to_another_process():
    parser = BatchParser(MODEL, id="key")
    expected = parser(TABLE)
    assert pickle.loads(pickle.dumps(parser))(TABLE) == expected


def test_the_schema_is_known_before_the_model_is_loaded():
    options = {"id": "key", "keep": ["year"], "with_tokens": True}
    schema = BatchParser("no-such-model", **options).schema(TABLE.schema)
    assert schema == BatchParser(MODEL, **options)(TABLE).schema
    assert schema.field("year").type == pa.int16()
    assert BatchParser(with_tokens=True).schema().names == schema.names[:-1]
    with pytest.raises(CorpusError, match="give its schema"):
        BatchParser(keep=["year"]).schema()


def test_a_missing_column_is_an_error():
    with pytest.raises(CorpusError, match="the batch: no column 'body'; there are text, key, year"):
        parse_batch(TABLE, model=MODEL, text="body")
