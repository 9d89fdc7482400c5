"""`whorl transitions`, and how light the command line is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whorl.cli.main import app

PAPER = "(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))\n"
SEQUENCES = {
    "nonbinary": (
        "SHIFT SHIFT REDUCE-NP#2 SHIFT SHIFT REDUCE-ADVP#1 SHIFT REDUCE-ADJP#1 "
        "REDUCE-VP#3 SHIFT REDUCE-S#3 FINISH\n"
    ),
    "binary": (
        "SHIFT SHIFT REDUCE-LEFT-NP SHIFT SHIFT REDUCE-UNARY-ADVP REDUCE-RIGHT-VP* SHIFT "
        "REDUCE-UNARY-ADJP REDUCE-RIGHT-VP SHIFT REDUCE-RIGHT-S* REDUCE-LEFT-S FINISH\n"
    ),
    "topdown": (
        "NT-S NT-NP SHIFT SHIFT REDUCE NT-VP SHIFT NT-ADVP SHIFT REDUCE NT-ADJP SHIFT "
        "REDUCE REDUCE SHIFT REDUCE\n"
    ),
    "inorder": (
        "SHIFT PJ-NP SHIFT REDUCE PJ-S SHIFT PJ-VP SHIFT PJ-ADVP REDUCE SHIFT PJ-ADJP "
        "REDUCE REDUCE SHIFT REDUCE FINISH\n"
    ),
}
TABLE = """\
Transition     Stack                       Buffer               Added subtree
               [ ]                         [ The, ... , . ]
SHIFT          [ The ]                     [ public, ... , . ]
SHIFT          [ The, public ]             [ is, ... , . ]
REDUCE-NP#2    [ NP ]                      [ is, ... , . ]      NP → The public
SHIFT          [ NP, is ]                  [ still, ... , . ]
SHIFT          [ NP, is, still ]           [ cautious, . ]
REDUCE-ADVP#1  [ NP, is, ADVP ]            [ cautious, . ]      ADVP → still
SHIFT          [ NP, is, ADVP, cautious ]  [ . ]
REDUCE-ADJP#1  [ NP, is, ADVP, ADJP ]      [ . ]                ADJP → cautious
REDUCE-VP#3    [ NP, VP ]                  [ . ]                VP → is ADVP ADJP
SHIFT          [ NP, VP, . ]               [ ]
REDUCE-S#3     [ S ]                       [ ]                  S → NP VP .
FINISH         [ ]                         [ ]
"""


def transitions(*arguments: object, text: str = PAPER) -> Result:
    return CliRunner().invoke(app, ["transitions", *map(str, arguments)], input=text)


@pytest.mark.parametrize(("words", "code"), [(5000, 0), (5001, 1)])
def test_a_table_has_at_most_10000_rows(words, code):
    text = f"{'(S ' * (words - 1)}(X a){' (X a))' * (words - 1)}\n"  # two transitions a word
    done = transitions("--table", text=text)
    assert done.exit_code == code
    if code:
        assert "tree 1 has 10,002 transitions, and --table prints at most 10,000" in done.stderr
    assert transitions(text=text).exit_code == 0


@pytest.mark.parametrize("system", SEQUENCES)
def test_each_system_prints_one_line_per_tree(system):
    done = transitions("--system", system, text=PAPER * 2)
    assert (done.exit_code, done.stdout) == (0, SEQUENCES[system] * 2)


def test_a_file_and_standard_input_are_read_alike(tmp_path):
    file = tmp_path / "trees.txt"
    file.write_text(PAPER)
    assert (
        transitions(file).stdout
        == transitions("-").stdout
        == transitions().stdout
        == SEQUENCES["nonbinary"]
    )


def test_the_table_is_that_of_the_paper():
    assert transitions("--table").stdout == TABLE
    assert transitions("--table", text=PAPER * 2).stdout == f"{TABLE}\n{TABLE}"


def test_stats_count_for_all_four_systems():
    done = transitions("--stats", text=PAPER * 2)
    assert done.exit_code == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["2", "trees,", "12", "words"]
    assert rows[2:] == [
        ["nonbinary", "12.00", "2.00", "12", "24"],
        ["binary", "14.00", "2.33", "14", "28"],
        ["topdown", "16.00", "2.67", "16", "32"],
        ["inorder", "17.00", "2.83", "17", "34"],
    ]


def test_stats_of_nothing_are_zero():
    assert "0 trees, 0 words" in transitions("--stats", text="").stdout


def test_a_root_is_left_out_unless_it_is_kept():
    rooted = f"(TOP {PAPER.strip()})\n"
    assert transitions(text=rooted).stdout == SEQUENCES["nonbinary"]
    kept = transitions("--keep-root", text=rooted).stdout
    assert kept == SEQUENCES["nonbinary"].replace("FINISH", "REDUCE-TOP#1 FINISH")


def test_head_rules_can_be_chosen(tmp_path):
    heads = tmp_path / "heads.txt"
    heads.write_text("* right\n")
    right = transitions("-s", "binary", "--heads", "right").stdout
    assert right == transitions("-s", "binary", "--heads", heads).stdout != SEQUENCES["binary"]


def test_malformed_trees_stop_or_are_skipped():
    broken = "(S (A a)\n" + PAPER
    done = transitions(text=broken)
    assert done.exit_code == 1
    assert "<stdin>:1:1: " in done.stderr
    assert "Traceback" not in done.stderr
    done = transitions("--on-error", "skip", text=broken)
    assert (done.exit_code, done.stdout) == (0, SEQUENCES["nonbinary"])
    assert "skipped 1 malformed tree" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [("--system", "swap"), ("--table", "--stats"), ("--no-such-option",), ("--on-error", "ignore")],
)
def test_wrong_usage_exits_with_2(arguments):
    assert transitions(*arguments).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (("no such file.txt",), "", "no such file.txt"),
        (("--heads", "no such table"), PAPER, "no such table"),
        (("--system", "binary"), "(S (X* (A b) (C d)))", "the label 'X*' ends in '*'"),
        (("--system", "nonbinary", "--table"), "(X " * 9 + "(A b)" + ")" * 9, "max_unary = 8"),
        ((), "(S a (B c))", "a phrase beside a word"),
    ],
)
def test_bad_input_exits_with_1_and_a_message(arguments, text, message):
    done = transitions(*arguments, text=text)
    assert done.exit_code == 1
    assert done.stderr.startswith("whorl: error: ")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs head")
def test_a_closed_pipe_is_not_an_error(tmp_path: Path):
    file = tmp_path / "trees.txt"
    file.write_text(PAPER * 5000)
    whorl = f'{sys.executable} -c "from whorl.cli.main import main; main()" transitions "{file}"'
    done = subprocess.run(
        ["bash", "-c", f"{whorl} | head -n 1; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout, done.stderr) == (SEQUENCES["nonbinary"] + "0\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["transitions", "--help"]])
def test_help_loads_nothing_heavy(arguments):
    script = (
        "import sys\n"
        "from whorl.cli.main import main\n"
        f"sys.argv = ['whorl', *{arguments!r}]\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    heavy = {'rich', 'nltk', 'torch', 'numpy', 'whorl.evaluation', 'whorl.oracles'}\n"
        "    heavy &= sys.modules.keys()\n"
        "    print('heavy:', *sorted(heavy))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.endswith("heavy:\n")
