"""`whorl train` and `whorl parse` as a person runs them, with the stack-LSTM network."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import Result
from typer.testing import CliRunner

pytest.importorskip("torch")

from tests.parsers import TEXT

from whorl.cli.main import app
from whorl.training.recipe import Recipe
from whorl.training.run import train
from whorl.trees import read_tree, read_trees


def whorl(*args: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, args, input=stdin.encode(), catch_exceptions=False)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parse")
    (folder / "trees.txt").write_text(
        "".join(f"(TOP {tree})\n" for tree in read_trees(TEXT)), encoding="utf-8"
    )
    settings = [f"data.{name}={folder / 'trees.txt'}" for name in ("train", "dev")]
    small = ["model.input_dim=16", "model.hidden_dim=16", "data.folds=2", "training.epochs=1"]
    train(Recipe().override([*settings, *small]), folder / "model")
    return folder


def test_a_line_in_is_a_line_out_whatever_it_holds(model):
    lines = ["The public is still cautious .", "", "one", "( 😀 )", "word " * 300]
    done = whorl(
        "parse", "--tokens", "--model", str(model / "model"), stdin="\n".join(lines) + "\n"
    )
    assert done.exit_code == 0, done.stderr
    trees = done.stdout.split("\n")
    assert trees[1] == ""
    assert [read_tree(tree).words() if tree else [] for tree in trees[:-1]] == [
        line.split() for line in lines
    ]


def test_tagged_words_keep_their_tags_and_trees_are_parsed_anew(model):
    done = whorl(
        "parse", "--model", str(model / "model"), "--input", "tagged", stdin="It_PRP works_VBZ\n"
    )
    assert read_tree(done.stdout).tags() == ["PRP", "VBZ"]
    out = model / "out.txt"
    done = whorl(
        "parse",
        "--model",
        str(model / "model"),
        "--input",
        "trees",
        "--beam",
        "2",
        "-o",
        str(out),
        str(model / "trees.txt"),
    )
    assert done.exit_code == 0, done.stderr
    again = read_trees(out.read_text(encoding="utf-8"))
    assert [tree.tags() for tree in again] == [tree.tags() for tree in read_trees(TEXT)]


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (("--model", "nowhere"), "", "no model 'nowhere'"),
        (
            ("--model", "MODEL", "--input", "tagged"),
            "It_PRP works\n",
            "input:1: expected word_TAG, not 'works'",
        ),
        (("--model", "MODEL", "missing.txt"), "", "no file 'missing.txt'"),
        (("--model", "MODEL", "--tokens", "--input", "trees"), "", "contradict each other"),
    ],
)
def test_bad_input_is_one_line_and_exit_1(model, args, stdin, message):
    done = whorl(
        "parse", *(str(model / "model") if arg == "MODEL" else arg for arg in args), stdin=stdin
    )
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_without_its_packages_a_command_says_what_to_install():
    code = "import sys; sys.modules['torch'] = None; from whorl.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "train", "--out", "x"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "pip install 'whorl[train]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_stack_lstm_network_is_measured_too(model):
    done = whorl(
        "bench", "-m", str(model / "model"), "It works. Rain!", "--rounds", "1", "--json", "-"
    )
    record = json.loads(done.stdout)
    assert (record["network"], record["runs_on"], record["sentences"]) == ("stack-lstm", "torch", 2)
    assert record["transitions_per_sentence"] >= 4


def test_several_trees_of_a_sentence_by_the_stack_lstm_network(model):
    args = (
        "parse",
        "-m",
        str(model / "model"),
        "--tokens",
        "--nbest",
        "2",
        "--beam",
        "4",
        "--format",
        "jsonl",
    )
    record = json.loads(whorl(*args, stdin="It works\n").stdout)
    assert len({one["tree"] for one in record["parses"]}) == 2
    assert record["constituents"][0]["probability"] is None
