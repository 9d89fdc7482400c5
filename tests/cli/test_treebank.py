from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whorl.cli.main import app
from whorl.trees import apportion

PENN = (
    "( (S (NP-SBJ (-NONE- *)) "
    "(VP (VB go) (NP-1 (NP (NN home))) (PRT|ADVP (RP up)) (NML (CD 1\\/2)))))\n"
)
NOTHING = "( (S (NP (-NONE- *))))\n"
BROKEN = "( (S (NP (NN x))\n"


def whorl(*arguments: object, text: str | None = None) -> Result:
    return CliRunner().invoke(app, ["treebank", *map(str, arguments)], input=text)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_clean_writes_one_tree_per_line_and_says_what_it_left_out(tmp_path):
    file = write(tmp_path / "a.mrg", PENN + NOTHING)
    done = whorl("clean", file)
    assert done.exit_code == 0
    assert done.stdout == "(TOP (S (VP (VB go) (NP (NN home)) (PRT (RP up)) (NML (CD 1\\/2)))))\n"
    assert "left out 1 of 2 trees" in done.stderr


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--splice", "NML,NX"], "(TOP (S (VP (VB go) (NP (NN home)) (PRT (RP up)) (CD 1\\/2))))"),
        (["--slashes"], "(TOP (S (VP (VB go) (NP (NN home)) (PRT (RP up)) (NML (CD 1/2)))))"),
        (
            ["--keep-alternatives"],
            "(TOP (S (VP (VB go) (NP (NN home)) (PRT|ADVP (RP up)) (NML (CD 1\\/2)))))",
        ),
        (
            ["--keep-function-tags"],
            "(TOP (S (VP (VB go) (NP-1 (NP (NN home))) (PRT (RP up)) (NML (CD 1\\/2)))))",
        ),
        (
            ["--keep-loops"],
            "(TOP (S (VP (VB go) (NP (NP (NN home))) (PRT (RP up)) (NML (CD 1\\/2)))))",
        ),
        (
            ["--keep-traces"],
            "(TOP (S (NP (-NONE- *)) (VP (VB go) (NP (NN home)) (PRT (RP up)) (NML (CD 1\\/2)))))",
        ),
        (["--root", "none"], "(S (VP (VB go) (NP (NN home)) (PRT (RP up)) (NML (CD 1\\/2))))"),
        (["--root", "keep"], "( (S (VP (VB go) (NP (NN home)) (PRT (RP up)) (NML (CD 1\\/2)))))"),
        (
            ["--root", "ROOT"],
            "(ROOT (S (VP (VB go) (NP (NN home)) (PRT (RP up)) (NML (CD 1\\/2)))))",
        ),
    ],
)
def test_each_step_of_cleaning_has_its_option(options: list[str], expected: str):
    assert whorl("clean", "-", *options, text=PENN).stdout == expected + "\n"


def test_clean_reads_a_part_of_a_layout_and_writes_a_file(tmp_path):
    for section in (22, 23):
        write(
            tmp_path / "wsj" / str(section) / f"wsj_{section}00.mrg", f"\n( (S (NN w{section}) ))\n"
        )
    done = whorl(
        "clean",
        tmp_path / "wsj",
        "--layout",
        "wsj",
        "--split",
        "test",
        "--out",
        tmp_path / "out.txt",
    )
    assert done.exit_code == 0
    assert done.stdout == ""
    assert (tmp_path / "out.txt").read_text() == "(TOP (S (NN w23)))\n"


def test_clean_stops_at_a_malformed_tree_and_leaves_no_file(tmp_path):
    file = write(tmp_path / "a.txt", "(S (A a))\n" + BROKEN)
    done = whorl("clean", file, "--out", tmp_path / "out.txt")
    assert done.exit_code == 1
    assert "a.txt:2:1: unclosed bracket" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt"]


def test_clean_can_skip_and_lists_what_it_skipped(tmp_path):
    file = write(tmp_path / "a.txt", "(S (A a))\n" + BROKEN + "(S (B b))\n")
    done = whorl("clean", file, "--on-error", "skip")
    assert done.exit_code == 0
    assert done.stdout == "(TOP (S (A a)))\n(TOP (S (B b)))\n"
    assert "skipped 1 malformed tree:\n" in done.stderr
    assert "a.txt:2:1" in done.stderr


def test_wrong_usage_exits_with_2_and_a_missing_file_with_1(tmp_path):
    assert whorl("clean", "-", "--layout", "negra", text="").exit_code == 2
    assert whorl("clean", "-", "--split", "validation", text="").exit_code == 2
    assert whorl("split", "-", text="").exit_code == 2
    missing = whorl("stats", tmp_path / "absent")
    assert missing.exit_code == 1
    assert "no such file or folder" in missing.stderr


def test_split_by_the_standard_split(tmp_path):
    for section in range(25):
        write(
            tmp_path / "wsj" / f"{section:02}" / f"wsj_{section:02}00.mrg",
            f"\n( (S (NN w{section:02}) ))\n",
        )
    done = whorl("split", tmp_path / "wsj", "--out", tmp_path / "out")
    assert done.exit_code == 0
    assert "train.txt: 20 trees" in done.stdout
    parts = {
        name: (tmp_path / "out" / f"{name}.txt").read_text() for name in ("train", "dev", "test")
    }
    assert parts["dev"] == "( (S (NN w22)))\n"
    assert parts["test"] == "( (S (NN w23)))\n"
    assert parts["train"].splitlines()[0] == "( (S (NN w02)))"
    assert parts["train"].splitlines()[-1] == "( (S (NN w21)))"


def test_split_without_a_standard_split_needs_a_ratio(tmp_path):
    file = write(tmp_path / "a.txt", "(S (A a))\n")
    done = whorl("split", file, "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert "no standard split" in done.stderr
    assert not (tmp_path / "out").exists()


def test_split_by_ratio_is_exact_keeps_order_and_depends_on_the_seed_only(tmp_path):
    lines = [f"(S (A w{i:03}))" for i in range(50)]
    file = write(tmp_path / "a.txt", "\n".join(lines) + "\n")

    def parts(out: str, *options: str) -> list[list[str]]:
        assert (
            whorl("split", file, "--out", tmp_path / out, "--ratio", "80/10/10", *options).exit_code
            == 0
        )
        return [
            (tmp_path / out / f"{name}.txt").read_text().splitlines()
            for name in ("train", "dev", "test")
        ]

    first = parts("one")
    assert [len(part) for part in first] == [40, 5, 5]
    assert sorted(line for part in first for line in part) == lines
    assert all(part == sorted(part) for part in first)
    assert parts("two") == first
    assert parts("three", "--seed", "1") != first


def test_the_random_split_never_changes():
    parts = apportion(10, (6, 2, 2), 0)
    assert [i for i, part in enumerate(parts) if part == "dev"] == [4, 7]
    assert [i for i, part in enumerate(parts) if part == "test"] == [3, 9]


@pytest.mark.parametrize("ratio", ["80/20", "a/b/c", "0/1/1", "-1/1/1", "nan/1/1", ""])
def test_a_malformed_ratio_is_wrong_usage(tmp_path, ratio: str):
    done = whorl("split", "-", "--out", tmp_path / "out", "--ratio", ratio, text="(S (A a))")
    assert done.exit_code == 2
    assert "80/10/10" in done.stderr


TWO = "(TOP (S (NP (NN a)) (VP (VB b) (NP (NN c) (NN d)))))\n(TOP (FRAG (NN e)))\n"


def test_stats_in_json():
    done = whorl("stats", "-", "--json", text=TWO)
    assert json.loads(done.stdout) == {
        "trees": 2,
        "words": 5,
        "phrases": 7,
        "sentence_length": {"mean": 2.5, "max": 4},
        "depth": {"mean": 3.0, "max": 4},
        "longest_unary_chain": 2,
        "children_per_phrase": {"mean": 10 / 7, "max": 2, "counts": {"1": 4, "2": 3}},
        "labels": {"NP": 2, "TOP": 2, "FRAG": 1, "S": 1, "VP": 1},
        "tags": {"NN": 4, "VB": 1},
    }


def test_stats_in_columns():
    lines = whorl("stats", "-", text=TWO).stdout.splitlines()
    assert lines[:3] == [
        "Treebank",
        "  what                       count",
        "  trees                          2",
    ]
    assert "  NP         2  28.57 %" in lines
    assert "  1             4  57.14 %" in lines


def test_stats_of_nothing_are_zeros():
    assert json.loads(whorl("stats", "-", "--json", text="").stdout)["sentence_length"] == {
        "mean": 0.0,
        "max": 0,
    }
    assert whorl("stats", "-", text="").exit_code == 0


def test_check_lists_everything_and_fails_only_on_malformed_trees(tmp_path):
    odd = "(TOP (S* (NP (NP (NN \u00a0))) (NP-SBJ (-NONE- *T*-1))))\n"
    file = write(tmp_path / "a.txt", "(S (A a))\n" + odd)
    done = whorl("check", file)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        f"{file}: tree 2: temporary label: S* over words 1 to 2: "
        "labels of this form are kept for binarisation",
        f"{file}: tree 2: unary loop: NP over NP over words 1 to 1",
        f"{file}: tree 2: blank word: word 1, tagged NN, shows nothing: '\\xa0'",
        f"{file}: tree 2: function tag: NP-SBJ over words 2 to 2",
        f"{file}: tree 2: trace: *T*-1 at word 2",
        "2 well-formed trees, 0 malformed, 5 suspicions",
        "  blank word: 1",
        "  function tag: 1",
        "  temporary label: 1",
        "  trace: 1",
        "  unary loop: 1",
    ]
    write(file, "(S (A a))\n" + BROKEN + "(S (B b)))\n(S (C c))\n")
    done = whorl("check", file)
    assert done.exit_code == 1
    assert f"{file}:2:1: unclosed bracket" in done.stdout
    assert f"{file}:3:10: extra closing bracket" in done.stdout
    assert "3 well-formed trees, 2 malformed, 0 suspicions" in done.stdout


def test_check_goes_on_after_a_file_that_cannot_be_decoded(tmp_path):
    (tmp_path / "a.mrg").write_bytes(b"( (S (NN caf\xe9)) )\n")
    write(tmp_path / "b.parse", "(S (A a))\n")
    done = whorl("check", tmp_path)
    assert done.exit_code == 1
    assert "a.mrg:1: undecodable byte 0xe9" in done.stdout
    assert "1 well-formed trees, 1 malformed" in done.stdout
