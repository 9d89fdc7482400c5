"""Pieces: fixed by the input, whole documents, the same from wherever planning resumes."""

from __future__ import annotations

import gzip
import json
import lzma

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from whorl.corpus.documents import InputDocument, read_documents
from whorl.corpus.files import find_files, read_list, write_list
from whorl.corpus.options import CorpusOptions, default_piece_size, parse_size
from whorl.corpus.pieces import plan_pieces
from whorl.errors import CorpusError

COMPRESS = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: (
        zstandard.compress(data[: len(data) // 2]) + zstandard.compress(data[len(data) // 2 :])
    ),
}
LINES = st.lists(st.sampled_from(["", " ", "\r", "a", "bc d", "é", "x" * 30]), max_size=30)


def plan(folder, options, **rest):
    found = find_files([str(folder)], options.kind)[1]
    write_list(folder.parent / "inputs", found)
    start = rest.get("start")
    files = read_list(folder.parent / "inputs", start.file if start else 0)
    return list(plan_pieces(files, options, **rest))


def documents(pieces, options):
    return [
        (document.id.rpartition("/")[2], document.text)
        for piece in pieces
        for document in read_documents(piece, options)
        if isinstance(document, InputDocument)
    ]


def check_resumption(folder, options, pieces):
    for done, piece in enumerate(pieces, start=1):
        resumed = plan(folder, options, number=done, start=piece.end)
        assert _without_sizes(resumed) == _without_sizes(pieces[done:])


def _without_sizes(pieces):
    return [(piece.number, piece.parts, piece.end) for piece in pieces]


@settings(max_examples=60)
@given(
    contents=st.lists(st.tuples(LINES, st.booleans(), st.sampled_from(list(COMPRESS))), max_size=4),
    size=st.integers(1, 60),
)
@pytest.mark.parametrize("unit", ["line", "paragraph", "file"])
def test_text_is_cut_into_the_documents_it_has(unit, contents, size, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pieces") / "in"
    folder.mkdir()
    (folder / "0.txt").write_bytes(b"first")
    expected = [("0.txt" if unit == "file" else "0.txt:1", "first")]
    for number, (lines, ends, suffix) in enumerate(contents, start=1):
        text = "\n".join(lines) + ("\n" if ends else "")
        name = f"{number}.txt{suffix}"
        (folder / name).write_bytes(COMPRESS[suffix](text.encode()))
        if unit == "file":
            expected.append((name, text))
        else:
            expected += [(f"{name}:{line}", part) for line, part in _units(text, unit)]
    options = CorpusOptions(kind="text", documents=unit, piece_size=size)
    pieces = plan(folder, options)
    assert documents(pieces, options) == expected
    assert [piece.number for piece in pieces] == list(range(len(pieces)))
    check_resumption(folder, options, pieces)


def _units(text, unit):
    found, paragraph = [], []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if unit == "line" and line.strip():
            found.append((number, line))
        elif unit == "paragraph" and line.strip():
            paragraph.append((number, line))
        elif unit == "paragraph" and paragraph:
            found.append((paragraph[0][0], "\n".join(line for _, line in paragraph)))
            paragraph = []
    return found


@settings(max_examples=40)
@given(
    counts=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), min_size=1, max_size=4),
    size=st.integers(1, 1500),
)
def test_parquet_is_cut_into_its_rows(counts, size, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pieces") / "in"
    folder.mkdir()
    expected = []
    for number, (rows, group) in enumerate(counts):
        texts = [f"text {number} {row}" for row in range(rows)]
        pq.write_table(
            pa.table({"text": pa.array(texts, pa.string())}),
            folder / f"{number}.parquet",
            row_group_size=group,
        )
        expected += [(f"{number}.parquet:{row}", text) for row, text in enumerate(texts, start=1)]
    options = CorpusOptions(kind="parquet", piece_size=size)
    pieces = plan(folder, options)
    assert documents(pieces, options) == expected
    check_resumption(folder, options, pieces)


def test_pieces_that_nobody_parses_carry_no_data(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(b'{"text": "a"}\n' * 50))
    options = CorpusOptions(kind="jsonl", piece_size=100)
    pieces = plan(folder, options, is_wanted=lambda number: number == 2)
    assert [len(piece.parts[0].data) for piece in pieces][:4] == [0, 0, 112, 0]


def test_a_line_of_any_length_takes_bounded_memory(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    limit = 1 << 20
    long = json.dumps({"text": "x" * (5 * limit)}).encode()
    lines = [b'{"text": "a"}', long, b'{"text": "b"}', b'{"text": "' + b"y" * limit + b'"}', b""]
    data = b"\n".join(lines)
    (folder / "a.jsonl").write_bytes(data)
    (folder / "b.jsonl.zst").write_bytes(zstandard.compress(data))
    options = CorpusOptions(kind="jsonl", piece_size=100, longest_document=limit)
    pieces = plan(folder, options)
    assert max(len(part.data or b"") for piece in pieces for part in piece.parts) < limit + 100
    assert [text for _, text in documents(pieces, options)] == ["a", "b", "a", "b"]
    failures = [
        document
        for piece in pieces
        for document in read_documents(piece, options)
        if not isinstance(document, InputDocument)
    ]
    assert [(failure.place.line, failure.reason[:27]) for failure in failures] == [
        (line, "longer than 1,048,576 bytes") for line in (2, 4, 2, 4)
    ]


def test_a_paragraph_of_any_length_takes_bounded_memory(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    limit = 1 << 20
    data = b"a\n\n" + b"many words\n" * (limit // 2) + b"\nb\n"
    (folder / "a.txt.gz").write_bytes(gzip.compress(data, 1))
    (folder / "b.txt").write_bytes(data)
    options = CorpusOptions(
        kind="text", documents="paragraph", piece_size=100, longest_document=limit
    )
    pieces = plan(folder, options)
    assert max(len(part.data or b"") for piece in pieces for part in piece.parts) < 2 * limit + 100
    assert [text for _, text in documents(pieces, options)] == ["a", "b", "a", "b"]


def test_the_size_of_pieces_depends_on_the_input():
    assert default_piece_size(10) == 128 << 10
    assert default_piece_size(1 << 30) == 2 << 20
    assert default_piece_size(1 << 40) == 8 << 20
    assert [parse_size(text) for text in ("500", "64MB", "2g", "1 kB".replace(" ", ""))] == [
        *(500, 64_000_000, 2_000_000_000, 1000)
    ]
    for text in ("", "x", "-1", "1.5G", "5T", "0"):
        with pytest.raises(CorpusError, match="expected a size"):
            parse_size(text)
