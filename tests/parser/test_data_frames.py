"""Documents as tables of PyArrow and pandas: what the rows say, and that the schema is stable."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("onnxruntime")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")

import whorl
from tests.strategies import trees
from whorl.engine import Parse
from whorl.errors import MissingPackageError
from whorl.parser.data_frames import SCHEMAS
from whorl.parser.documents import Document, Sentence
from whorl.trees import read_tree

TEXT = "She saw the man with a telescope.  “It works (well),” he said.\n\nRain"
KINDS = list(SCHEMAS)


@pytest.fixture(scope="module")
def parser():
    return whorl.load()


@pytest.fixture(scope="module")
def document(parser):
    return parser(TEXT)


def records(document, rows, **options):
    return document.to_arrow(rows, **options).to_pylist()


def check(document):
    """Assert what must hold for the tables of any document."""
    constituents = records(document, "constituents")
    number = 0
    for sentence_number, sentence in enumerate(document):
        for one in sentence.constituents():
            record = constituents[number]
            assert (record["sentence"], record["row"]) == (sentence_number, number)
            names = ("label", "left", "right", "start", "end", "probability")
            assert [record[name] for name in names] == [getattr(one, name) for name in names]
            number += 1
    assert number == len(constituents)
    for record in constituents:
        if record["parent"] is None:
            assert record["depth"] == 0
            continue
        parent = constituents[record["parent"]]
        assert parent["row"] < record["row"]
        assert parent["sentence"] == record["sentence"]
        assert parent["depth"] + 1 == record["depth"]
        assert parent["left"] <= record["left"] < record["right"] <= parent["right"]
    tokens = records(document, "tokens")
    expected = [
        (n, word, token.tag, token.start, token.end)
        for n, sentence in enumerate(document)
        for word, token in enumerate(sentence.tokens)
    ]
    names = ("sentence", "word", "tag", "start", "end")
    assert [tuple(record[name] for name in names) for record in tokens] == expected
    for record in tokens:
        parent = constituents[record["parent"]]
        assert parent["depth"] + 1 == record["depth"]
        assert parent["sentence"] == record["sentence"]
        assert parent["left"] <= record["word"] < parent["right"]
        # The parent is the lowest phrase over the word: no phrase below it has the word.
        assert not any(
            other["parent"] == parent["row"] and other["left"] <= record["word"] < other["right"]
            for other in constituents
        )


def test_rows_of_constituents_and_tokens_agree_with_the_document(document):
    check(document)
    for record in records(document, "constituents") + records(document, "sentences"):
        assert record["text"] == TEXT[record["start"] : record["end"]]
    tokens = records(document, "tokens")
    assert all(token["written"] == TEXT[token["start"] : token["end"]] for token in tokens)
    assert [token["text"] for token in tokens if token["written"] == "“"] == ["``"]


@given(st.lists(trees(empty_roots=False), max_size=4))
def test_rows_of_any_trees_agree_with_them(some):
    sentences = [Sentence.from_words(tree.words(), [Parse(tree, 0.0)]) for tree in some]
    document = Document(" ", tuple(sentences))
    constituents = records(document, "constituents")
    assert [record["label"] for record in constituents] == [
        node.label for tree in some for node in tree.phrases()
    ]
    rows = iter(constituents)
    for tree in some:
        below = [(tree, None)]
        while below:
            node, parent = below.pop()
            if node.children:
                record = next(rows)
                assert record["parent"] == parent
                below += [(child, record["row"]) for child in node.children[::-1]]
    assert [(record["tag"], record["text"]) for record in records(document, "tokens")] == [
        (leaf.tag, leaf.word) for tree in some for leaf in tree.leaves()
    ]


def test_rows_of_sentences(document):
    for number, (record, sentence) in enumerate(
        zip(records(document, "sentences"), document, strict=True)
    ):
        assert record == {
            "document": 0,
            "sentence": number,
            "start": sentence.start,
            "end": sentence.end,
            "text": sentence.text,
            "tree": str(sentence.tree),
            "log_probability": sentence.log_probability,
            "confidence": sentence.confidence,
        }


@pytest.mark.parametrize("rows", KINDS)
def test_an_empty_document_gives_an_empty_table_of_the_same_schema(parser, document, rows):
    empty = parser("")
    table = empty.to_arrow(rows)
    assert table.num_rows == 0
    assert table.schema == document.to_arrow(rows).schema
    assert table.schema.names == list(SCHEMAS[rows])
    frame = empty.to_pandas(rows)
    assert len(frame) == 0
    assert dict(frame.dtypes) == dict(document.to_pandas(rows).dtypes)


@pytest.mark.parametrize("rows", KINDS)
def test_pandas_has_the_rows_of_arrow(document, rows):
    frame = document.to_pandas(rows, document=7)
    assert list(frame.columns) == list(SCHEMAS[rows])
    arrow = document.to_arrow(rows, document=7)
    assert (frame["document"] == 7).all()
    for name in frame.columns:
        values = [None if pd.isna(value) else value for value in frame[name]]
        assert values == arrow[name].to_pylist()
    kinds = {"int32?": "Int32", "float64?": "float64"}
    assert [str(dtype) for dtype in frame.dtypes] == [
        kinds.get(kind, kind) for kind in SCHEMAS[rows].values()
    ]


@pytest.mark.parametrize("rows", KINDS)
def test_tables_of_many_documents_are_concatenated(parser, document, rows):
    documents = [document, parser(""), parser("It works.")]
    tables = [one.to_arrow(rows, document=number) for number, one in enumerate(documents)]
    table = pa.concat_tables(tables)
    assert table.num_rows == sum(part.num_rows for part in tables)
    assert set(table["document"].to_pylist()) == {0, 2}
    frames = [one.to_pandas(rows, document=number) for number, one in enumerate(documents)]
    frame = pd.concat(frames, ignore_index=True)
    assert dict(frame.dtypes) == dict(frames[0].dtypes)
    assert frame["document"].tolist() == table["document"].to_pylist()


def test_parents_are_found_by_document_and_row(parser, document):
    frames = [one.to_pandas(document=n) for n, one in enumerate((document, parser("It works.")))]
    frame = pd.concat(frames, ignore_index=True)
    parents = frame.merge(
        frame, left_on=["document", "parent"], right_on=["document", "row"], suffixes=("", "_above")
    )
    assert len(parents) == frame["parent"].notna().sum()
    assert (parents["depth_above"] + 1 == parents["depth"]).all()
    works = parents[(parents["document"] == 1) & (parents["label"] == "VP")]
    assert works["label_above"].tolist() == ["S"]


@pytest.mark.parametrize("rows", KINDS)
def test_a_sentence_is_a_table_as_well(document, rows):
    second = document[1]
    table = second.to_arrow(rows)
    assert table.schema == document.to_arrow(rows).schema
    assert set(table["sentence"].to_pylist()) == {0}
    offsets = [row["start"] for row in records(document, rows) if row["sentence"] == 1]
    assert table["start"].to_pylist() == offsets
    assert second.to_pandas(rows)["start"].tolist() == offsets


@settings(max_examples=30)
@given(st.text("ab.?! \n\t\"'()“”\0\ud800\udc00😀-", max_size=40))
def test_any_text_fits_into_both(parser, text):
    document = parser(text)
    check(document)
    for rows in KINDS:
        document.to_pandas(rows)


def test_half_surrogates_are_replaced(parser):
    (token,) = records(parser("\ud800"), "tokens")
    assert (token["text"], token["written"]) == ("\ufffd", "\ufffd")
    assert parser("\ud800").to_pandas("tokens")["text"].tolist() == ["\ufffd"]


def test_a_model_without_probabilities_gives_nulls():
    sentence = Sentence.from_words(["It"], [Parse(read_tree("(S (PRP It))"), -1.0)])
    assert sentence.to_arrow()["probability"].to_pylist() == [None]
    assert sentence.to_pandas("sentences")["confidence"].isna().all()
    assert str(sentence.to_pandas()["probability"].dtype) == "float64"


def test_other_rows_are_refused(document):
    for convert in (document.to_arrow, document.to_pandas, document[0].to_arrow):
        with pytest.raises(
            ValueError, match="rows must be one of constituents, tokens, sentences, not 'words'"
        ):
            convert("words")


def test_documents_are_told_apart_by_whole_numbers(document):
    for number in ("a.txt", 1.5, None):
        with pytest.raises(TypeError, match="integer"):
            document.to_arrow(document=number)


@pytest.mark.parametrize(("package", "extra"), [("pyarrow", "arrow"), ("pandas", "pandas")])
def test_a_missing_package_is_named_with_the_command_to_install_it(
    document, monkeypatch, package, extra
):
    monkeypatch.setitem(sys.modules, package, None)
    convert = document.to_arrow if package == "pyarrow" else document.to_pandas
    with pytest.raises(MissingPackageError, match=rf"pip install 'whorl\[{extra}\]'"):
        convert()
