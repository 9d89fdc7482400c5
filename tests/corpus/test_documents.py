"""What cannot be read is set aside with file, place and reason, and everything else is read."""

from __future__ import annotations

import gzip
import json
import lzma
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from whorl.corpus.documents import Failure, read_documents
from whorl.corpus.files import InputFile, find_files, infer_kind
from whorl.corpus.options import CorpusOptions, KeptColumn
from whorl.corpus.pieces import plan_pieces
from whorl.errors import CorpusError


def read(path, **options):
    chosen = CorpusOptions(**{"kind": infer_kind(str(path)), "piece_size": 10_000, **options})
    pieces = plan_pieces([InputFile.of(str(path))], chosen)
    items = [item for piece in pieces for item in read_documents(piece, chosen)]
    failures = [item for item in items if isinstance(item, Failure)]
    return [item for item in items if not isinstance(item, Failure)], failures


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            b'{"text": "a"',
            "not JSON: Expecting ',' delimiter at column 13, near '{\"text\": \"a\"'",
        ),
        (b'["a"]', "expected a JSON object, not '[\"a\"]'"),
        (b'{"body": "a"}', "no field 'text'"),
        (b'{"text": null}', "expected a text in 'text', not null"),
        (b'{"text": ["a"]}', "expected a text in 'text', not list"),
        (b'{"text": "\\ud800"}', "half a surrogate pair at character 0"),
        (b'{"text": "\xff"}', "not UTF-8 at byte 10: invalid start byte"),
        (b"[" * 100_000, "not JSON that can be read: "),
        (b'{"text": "a", "n": 1.5}', "expected int in the kept field 'n', not 1.5"),
        (b'{"text": "a", "n": true}', "expected int in the kept field 'n', not True"),
        (b'{"text": "a", "n": %d}' % 2**63, "an integer of more than 64 bits"),
    ],
)
def test_a_record_that_cannot_be_read(tmp_path, line, reason):
    path = write(tmp_path / "a.jsonl", b'{"text": "x"}\n\n' + line + b'\n{"text": "y"}\n')
    documents, failures = read(path, keep=(KeptColumn("n", "int"),))
    assert [document.text for document in documents] == ["x", "y"]
    assert len(failures) == 1
    assert (failures[0].place.line, failures[0].reason.startswith(reason)) == (3, True), failures
    assert str(failures[0]).startswith(f"{path}:3: ")


def test_invalid_bytes_are_replaced_on_request(tmp_path):
    path = write(tmp_path / "a.jsonl", b'{"text": "\xffa"}\n{"text": "\\ud800b"}\n')
    documents, failures = read(path, invalid_utf8="replace")
    assert [document.text for document in documents] == ["\ufffda", "\ufffdb"]
    assert not failures
    path = write(tmp_path / "a.txt", b"\xffa")
    assert [document.text for document in read(path, invalid_utf8="replace")[0]] == ["\ufffda"]
    assert read(path)[1][0].reason == "not UTF-8 at byte 0: invalid start byte"


def test_ids_are_texts_or_integers(tmp_path):
    lines = [{"id": "a", "text": "x"}, {"id": 7, "text": "x"}, {"id": None, "text": "x"}]
    path = write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, lines)).encode())
    documents, failures = read(path, id="id")
    assert [document.id for document in documents] == ["a", "7"]
    assert "expected a string or an integer in the field 'id', not None" in failures[0].reason


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = write(tmp_path / "a.txt", b"\xef\xbb\xbfa\n\nb")
    assert [document.text for document in read(path)[0]] == ["a\n\nb"]
    assert [document.text for document in read(path, documents="line")[0]] == ["a", "b"]


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".gz", gzip.compress), (".xz", lzma.compress), (".zst", zstandard.compress)],
)
@pytest.mark.parametrize("unit", ["line", "file"])
def test_a_truncated_file_gives_what_comes_before(tmp_path, suffix, compress, unit):
    text = "".join(f"line {number} {hash(str(number))}\n" for number in range(20_000)).encode()
    data = compress(text)
    path = write(tmp_path / f"a.txt{suffix}", data[: len(data) * 2 // 3])
    documents, failures = read(path, documents=unit)
    assert len(failures) == 1
    assert "ended before" in failures[0].reason
    if unit == "line":
        assert failures[0].reason.startswith("not read to its end: ")
        assert 1000 < len(documents) < 20_000
        lines = text.decode().split("\n")
        assert [document.text for document in documents] == lines[: len(documents)]
    else:
        assert not documents


def test_files_that_are_not_what_they_seem(tmp_path):
    for name in ("a.jsonl.gz", "a.jsonl.xz", "a.jsonl.zst"):
        documents, failures = read(write(tmp_path / name, b"plain text, not compressed"))
        assert not documents
        assert failures[0].reason.startswith("not read to its end: ")
    documents, failures = read(write(tmp_path / "a.parquet", b"PAR1 no PAR1"))
    assert not documents
    assert "not read as Parquet" in failures[0].reason


def test_a_file_that_cannot_be_opened_is_set_aside(tmp_path):
    path = write(tmp_path / "a.txt", b"text")
    options = CorpusOptions(kind="text")
    for chosen in (options, CorpusOptions(kind="text", documents="line")):
        path.write_bytes(b"text")
        file = InputFile.of(str(path))
        path.unlink()
        (piece,) = plan_pieces([file], chosen)
        (failure,) = read_documents(piece, chosen)
        assert "No such file" in failure.reason


def test_a_file_that_becomes_shorter_is_an_error(tmp_path):
    path = write(tmp_path / "a.txt", b"one\ntwo\n")
    options = CorpusOptions(kind="text", documents="line", piece_size=100)
    (piece,) = plan_pieces([InputFile.of(str(path))], options)
    path.write_bytes(b"one\n")
    with pytest.raises(CorpusError, match="become shorter"):
        list(read_documents(piece, options))


def test_a_file_longer_than_a_document_may_be_is_set_aside(tmp_path):
    path = write(tmp_path / "a.txt.gz", gzip.compress(b"a " * (1 << 20)))
    _, failures = read(path, longest_document=1 << 20)
    assert "longer than 1,048,576 bytes" in failures[0].reason
    assert "--documents" in failures[0].reason
    assert len(read(path, longest_document=2 << 20)[0]) == 1


def test_rows_of_parquet(tmp_path):
    when = datetime(2026, 11, 18, 12, 30, 0, 5)
    table = pa.table(
        {
            "text": pa.array(["a", None, "c"], pa.large_string()),
            "when": pa.array([when] * 3, pa.timestamp("us")),
            "key": pa.array([5, 6, None]),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    documents, failures = read(
        tmp_path / "a.parquet", id="key", keep=(KeptColumn("when"),), text="text"
    )
    assert [(document.id, document.text) for document in documents] == [("5", "a")]
    assert documents[0].kept["when"].as_py() == when
    assert [(failure.place.row, failure.reason) for failure in failures] == [
        (2, "expected a text in 'text', not null"),
        (3, "null in the column 'key'"),
    ]


def test_a_text_of_parquet_that_is_not_utf8(tmp_path):
    raw = pa.array([b"a", b"\xff", b"c"], pa.binary())
    texts = pa.StringArray.from_buffers(3, *raw.buffers()[1:])
    pq.write_table(pa.table({"text": texts}), tmp_path / "a.parquet")
    documents, failures = read(tmp_path / "a.parquet")
    assert [document.text for document in documents] == ["a", "c"]
    assert [(failure.place.row, failure.reason) for failure in failures] == [
        (2, "not UTF-8 in the column 'text'")
    ]
    documents, _ = read(tmp_path / "a.parquet", invalid_utf8="replace")
    assert [document.text for document in documents] == ["a", "\ufffd", "c"]


def test_files_are_found_in_order_and_by_kind(tmp_path):
    for name in ("b/2.txt", "b/1.txt.gz", "a.txt", "c.text", ".hidden.txt", "b/.x/y.txt", "n.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")

    def names(*arguments, kind=None, leave_out=None):
        found_kind, files = find_files([str(a) for a in arguments], kind, leave_out=leave_out)
        found = [file.name.removeprefix(f"{tmp_path}/") for file in files]
        return found_kind, found

    assert names(tmp_path) == ("text", ["a.txt", "b/1.txt.gz", "b/2.txt", "c.text"])
    assert names(tmp_path, kind="text")[1] == ["a.txt", "b/1.txt.gz", "b/2.txt", "c.text", "n.md"]
    assert names(tmp_path, leave_out=tmp_path / "b")[1] == ["a.txt", "c.text"]
    assert names(tmp_path / "c.text", tmp_path / "*.txt") == ("text", ["c.text", "a.txt"])
    assert names(tmp_path / "**/2.txt") == ("text", ["b/2.txt"])
    (tmp_path / "z.jsonl").write_bytes(b"{}")
    with pytest.raises(CorpusError, match=r"z\.jsonl is jsonl, files before it are text"):
        names(tmp_path)
    assert names(tmp_path, kind="jsonl") == ("jsonl", ["n.md", "z.jsonl"])
    for arguments, message in (
        ([tmp_path / "none"], "no file or folder"),
        ([tmp_path / "a.txt", tmp_path / "a.txt"], "given twice"),
        ([tmp_path / "b/2.txt", tmp_path / "b"], "is given twice: it is in"),
        ([tmp_path / "b/.x"], None),
    ):
        if message is not None:
            with pytest.raises(CorpusError, match=message):
                names(*arguments)
    (tmp_path / "data.json").write_bytes(b"{}")
    with pytest.raises(CorpusError, match="say with --from"):
        names(tmp_path / "data.json")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match=r"no files named \*\.txt"):
        names(tmp_path / "empty")
