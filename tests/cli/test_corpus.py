"""`whorl corpus`: options, messages and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("onnxruntime")

from whorl.cli.main import app

MODEL = Path(__file__).parents[1] / "compat/format-2/span-int8"


def corpus(*arguments):
    return CliRunner().invoke(app, ["corpus", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def books(tmp_path):
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "a.txt").write_text("Dogs bark. Cats sleep.\n\nIt works!\n")
    (folder / "b.txt").write_text("Rain.\n")
    return folder


def test_a_folder_of_text_becomes_shards(books, tmp_path):
    out = tmp_path / "out"
    done = corpus(books, "--out", out, "--model", MODEL, "--jobs", 1)
    assert done.exit_code == 0, done.output
    assert done.stderr == f"whorl: 4 sentences of 2 documents in 1 shards in {out}\n"
    rows = pq.read_table(out / "shards").to_pylist()
    assert [(row["document"], row["sentence"], row["text"]) for row in rows] == [
        (f"{books}/a.txt", 1, "Dogs bark."),
        (f"{books}/a.txt", 2, "Cats sleep."),
        (f"{books}/a.txt", 3, "It works!"),
        (f"{books}/b.txt", 1, "Rain."),
    ]
    done = corpus("--out", out, "--status")
    assert done.stdout.splitlines()[:2] == [
        "complete",
        "1 shards, 2 documents, 4 sentences, 0 errors",
    ]
    done = corpus("--out", out, "--verify")
    assert done.exit_code == 0
    assert done.stdout.endswith("all shards are as they were written\n")
    (out / "shards/000000.parquet").write_bytes(b"")
    done = corpus("--out", out, "--verify")
    assert done.exit_code == 1
    assert "shards/000000.parquet: damaged" in done.stderr


def test_a_dry_run_counts_and_writes_nothing(books, tmp_path):
    (books / "c.txt").write_bytes(b"\xff")
    done = corpus(books, "--out", tmp_path / "out", "--model", MODEL, "--dry-run")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[:4] == [
        "3 files, 41 bytes",
        "2 documents, 40 characters",
        "1 documents cannot be read",
        "1 pieces",
    ]
    assert lines[4].startswith("about ")
    assert not (tmp_path / "out").exists()


def test_tokenised_lines(tmp_path):
    (tmp_path / "a.txt").write_text("Dogs bark -LRB-\n\nIt works !\n")
    done = corpus(
        *(tmp_path / "a.txt", "--out", tmp_path / "out", "--model", MODEL, "--jobs", 1),
        *("--tokens", "--documents", "line", "--format", "jsonl"),
    )
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "out/shards/000000.jsonl").read_text().splitlines()
    assert [(row["document"], row["text"]) for row in map(json.loads, lines)] == [
        (f"{tmp_path}/a.txt:1", "Dogs bark ("),
        (f"{tmp_path}/a.txt:3", "It works !"),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no input: give files, folders or globs"),
        (["none.txt"], "no file or folder 'none.txt'"),
        (["books", "--keep", "x"], "files of text have no columns"),
        (
            ["a.jsonl", "--text", "body"],
            "none of the first 1 records has a field 'body'; the first has 'text'",
        ),
        (["a.jsonl", "--keep", "x=integer"], "the type is one of bool, int, float, string, json"),
        (["a.jsonl", "--keep", "tree"], "the output has a column of that name already"),
        (["a.jsonl", "--documents", "line"], "each record is a document"),
        (["books", "--shard", "0/4"], "expected a share such as 3/16"),
        (["books", "--piece-size", "big"], "expected a size such as"),
        (["a.parquet", "--text", "body"], "no column 'body'; there are text, n"),
        (["a.parquet", "--text", "n"], "the column 'n' holds int64, not text"),
        (["bad.jsonl"], "no document could be read: see"),
    ],
)
def test_mistakes(arguments, message, books, tmp_path, monkeypatch):
    import pyarrow as pa

    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text('{"text": "a"}\n')
    Path("bad.jsonl").write_text("{\n")
    pq.write_table(pa.table({"text": ["a"], "n": [1]}), "a.parquet")
    done = corpus(*arguments, "--out", "out", "--model", MODEL, "--jobs", 1)
    assert done.exit_code == 1
    assert message in done.stderr


def test_status_of_a_folder_without_a_run(tmp_path):
    done = corpus("--out", tmp_path, "--status")
    assert done.exit_code == 1
    assert "holds no corpus run" in done.stderr
