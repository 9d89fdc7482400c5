"""`whorl complexity`: files, folders, tables, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whorl.cli.main import app
from whorl.complexity import INDICES, STRUCTURES, count_structures
from whorl.trees import read_trees

ONE = "(TOP (S (NP (PRP It)) (VP (VBZ works)) (. .)))\n"
TWO = (
    "(TOP (S (NP-SBJ (PRP I)) (VP (VBP know) (SBAR (-NONE- 0) (S (NP-SBJ (PRP it)) "
    "(VP (VBZ works) (NP (-NONE- *T*-1)))))) (. .)))\n"
)
BARE = "(ROOT (S (NP (PRP I)) (VP (VBP know) (SBAR (S (NP (PRP it)) (VP (VBZ works))))) (. .)))"


def complexity(*arguments: object, text: str = "") -> Result:
    return CliRunner().invoke(app, ["complexity", *map(str, arguments)], input=text)


def rows(*arguments: object, text: str = "") -> list[dict[str, str]]:
    done = complexity(*arguments, "--csv", text=text)
    assert (done.exit_code, done.stderr) == (0, "")
    return list(csv.DictReader(io.StringIO(done.stdout)))


@pytest.fixture
def files(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text(ONE, encoding="utf-8")
    Path("two.txt").write_text(TWO, encoding="utf-8")
    return tmp_path


def test_csv_has_the_columns_of_the_published_analyzer(files):
    done = complexity("--trees", "--csv", "one.txt", "two.txt")
    assert done.stdout == (
        "Filename,W,S,VP,C,T,DC,CT,CP,CN,"
        "MLS,MLT,MLC,C/S,VP/T,C/T,DC/C,DC/T,T/S,CT/T,CP/T,CP/C,CN/T,CN/C\n"
        "one.txt,2,1,1,1,1,0,0,0,0,"
        "2.0000,2.0000,2.0000,1.0000,1.0000,1.0000,0.0000,0.0000,1.0000,"
        "0.0000,0.0000,0.0000,0.0000,0.0000\n"
        "two.txt,4,1,2,2,1,1,1,0,1,"
        "4.0000,4.0000,2.0000,2.0000,2.0000,2.0000,0.5000,1.0000,1.0000,"
        "1.0000,0.0000,0.0000,1.0000,0.5000\n"
    )


def test_function_tags_and_traces_do_not_count(files):
    (row,) = rows("--trees", "two.txt")
    expected = count_structures(read_trees(BARE)).as_dict()
    assert {name: int(row[name]) for name in STRUCTURES} == expected


def test_tables_have_a_row_for_each_file_and_the_mean(files):
    done = complexity("--trees", "one.txt", "two.txt")
    assert done.exit_code == 0
    structures, *indices = done.stdout.split("\n\n")
    assert [line.split()[0] for line in structures.splitlines()] == [
        "Structures",
        "file",
        "one.txt",
        "two.txt",
        "mean",
    ]
    assert structures.splitlines()[-1].split()[1:4] == ["3.00", "1.00", "1.50"]
    columns = [name for table in indices for name in table.splitlines()[1].split()[1:]]
    assert sorted(columns) == sorted(INDICES)
    assert "mean" not in complexity("--trees", "one.txt").stdout
    assert "mean" not in complexity("--trees", "one.txt", "two.txt", "--no-mean").stdout


def test_json_has_numbers(files):
    result = json.loads(complexity("--trees", "--json", "one.txt", "two.txt").stdout)
    assert [record["source"] for record in result["files"]] == ["one.txt", "two.txt"]
    for record in (*result["files"], result["mean"]):
        assert [key for key in record if key != "source"] == [*STRUCTURES, *INDICES]
    assert (result["files"][1]["C"], result["mean"]["C"], result["mean"]["DC/C"]) == (2, 1.5, 0.25)
    assert list(json.loads(complexity("--trees", "--json", "one.txt").stdout)) == ["files"]


def test_the_mean_is_a_row_of_csv_on_request(files):
    assert [row["Filename"] for row in rows("--trees", "one.txt", "two.txt", "--mean")] == [
        "one.txt",
        "two.txt",
        "mean",
    ]


def test_trees_come_from_standard_input_and_folders(files):
    (row,) = rows("--trees", text=ONE + TWO)
    assert (row["Filename"], row["W"], row["S"]) == ("-", "6", "2")
    (files / "bank").mkdir()
    for part, text in (("train", ONE), ("dev", TWO)):
        (files / "bank" / f"{part}.txt").write_text(text, encoding="utf-8")
    assert [row["Filename"] for row in rows("--trees", "bank")] == [
        "bank/train.txt",
        "bank/dev.txt",
    ]


def test_malformed_trees_stop_or_are_skipped(files):
    Path("bad.txt").write_text(f"(S (A\n{ONE}", encoding="utf-8")
    done = complexity("--trees", "bad.txt")
    assert done.exit_code == 1
    assert "bad.txt:1:1: unclosed bracket" in done.stderr
    done = complexity("--trees", "bad.txt", "--csv", "--on-error", "skip")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1].startswith("bad.txt,2,1,1,1,1")
    assert "skipped 1 malformed tree" in done.stderr


def test_a_file_without_trees_has_zeros(files):
    Path("empty.txt").write_text("", encoding="utf-8")
    (row,) = rows("--trees", "empty.txt")
    assert {row[name] for name in STRUCTURES} == {"0"}
    assert {row[name] for name in INDICES} == {"0.0000"}


def test_csv_and_json_exclude_each_other(files):
    assert complexity("--trees", "one.txt", "--csv", "--json").exit_code == 2


class TestText:
    @pytest.fixture
    def model(self, span_model):
        return ("--model", span_model)

    def test_each_text_is_parsed(self, model, files):
        Path("a.txt").write_text("It works.\n\nIt works.\n", encoding="utf-8")
        (files / "essays" / "later").mkdir(parents=True)
        Path("essays/later/b.txt").write_text("It works.", encoding="utf-8")
        Path("essays/c.txt").write_text("", encoding="utf-8")
        Path("essays/notes.md").write_text("It works.", encoding="utf-8")
        found = rows(*model, "a.txt", "essays")
        assert [(row["Filename"], row["S"]) for row in found] == [
            ("a.txt", "2"),
            ("essays/c.txt", "0"),
            ("essays/later/b.txt", "1"),
        ]
        assert found == rows(*model, "a.txt", "essays", "--jobs", 2, "--batch", 1)

    def test_a_text_is_measured_as_its_trees_are(self, model, files):
        text = "It works.\n\nRain\n\nIt works"
        trees = CliRunner().invoke(app, ["parse", *map(str, model)], input=text).stdout
        (from_text,) = rows(*model, text=text)
        assert [from_text] == rows("--trees", text=trees)
        assert from_text["W"] == "5"

    def test_a_folder_without_texts_is_an_error(self, model, files):
        (files / "empty").mkdir()
        done = complexity(*model, "empty")
        assert done.exit_code == 1
        assert "empty: no texts found; expected files *.txt below it" in done.stderr
