"""`whorl search --edit`: whole treebanks, edited."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from whorl.cli.main import app

DOG = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"
RAIN = "(TOP (NP (NN Rain)))"
BOTH = f"{DOG}\n{RAIN}\n"


def edit(*arguments: object, text: str = BOTH) -> Result:
    return CliRunner().invoke(app, ["search", *map(str, arguments)], input=text)


def test_all_trees_are_written_and_the_changed_ones_counted():
    done = edit("DT=x", "--edit", "prune x")
    assert (done.exit_code, done.stderr) == (0, "whorl: changed 1 of 2 trees\n")
    assert done.stdout == f"(S (NP (NN dog)) (VP (VBZ barks)))\n{RAIN}\n"


def test_operations_are_carried_out_in_order():
    done = edit("NP=x < NN=y", "-e", "relabel x NX", "-e", "relabel y NNP")
    assert done.stdout == ("(S (NX (DT the) (NNP dog)) (VP (VBZ barks)))\n(TOP (NX (NNP Rain)))\n")
    assert edit("NP=x < NN=y", "-e", "relabel x NX\nrelabel y NNP").stdout == done.stdout


def test_scripts_are_files_of_several_edits(tmp_path):
    script = tmp_path / "script"
    script.write_text(
        "% phrases\nNP=x\n\nrelabel x NX\n\nVBZ=v\n\nrelabel v VB\n", encoding="utf-8"
    )
    (tmp_path / "trees.txt").write_text(BOTH, encoding="utf-8")
    done = edit("--edit-file", script, tmp_path / "trees.txt", text="")
    assert done.stdout == "(S (NX (DT the) (NN dog)) (VP (VB barks)))\n(TOP (NX (NN Rain)))\n"
    assert done.stderr == "whorl: changed 2 of 2 trees\n"


def test_the_output_may_be_the_input(tmp_path):
    file = tmp_path / "trees.txt"
    file.write_text(BOTH * 100, encoding="utf-8")
    assert edit("DT=x", "-e", "prune x", file, "--out", file).exit_code == 0
    assert file.read_text() == f"(S (NP (NN dog)) (VP (VBZ barks)))\n{RAIN}\n" * 100
    before = file.read_text()
    assert edit("NN=x", "-e", "insert (NN a) >1 x", file, "--out", file).exit_code == 1
    assert (file.read_text(), [path.name for path in tmp_path.iterdir()]) == (before, [file.name])


def test_trees_of_which_nothing_is_left_are_left_out():
    done = edit("TOP=x", "-e", "prune x")
    assert done.stdout == f"{DOG}\n"
    assert done.stderr == "whorl: changed 0 of 2 trees, and nothing is left of 1\n"


def test_the_root_can_be_renamed_first():
    done = edit("ROOT < NP=x", "-e", "relabel x FRAG", "--root", "ROOT", text=RAIN)
    assert done.stdout == "(ROOT (FRAG (NN Rain)))\n"


def test_words_without_tags_are_written_and_read_on_request():
    done = edit("NN=x < dog", "-e", "excise x x", text=DOG)
    untagged = "(S (NP (DT the) dog) (VP (VBZ barks)))\n"
    assert done.stdout == untagged
    assert edit("NP < dog", text=untagged).exit_code == 1
    found = edit("NP < dog", "--untagged", "-n", "--color", "always", text=untagged)
    assert found.stdout.endswith(":(NP (DT \x1b[1;31mthe\x1b[0m) \x1b[1;31mdog\x1b[0m)\n")
    again = edit("DT=x", "-e", "prune x", "--untagged", text=untagged)
    assert again.stdout == "(S (NP dog) (VP (VBZ barks)))\n"


ENDLESS = ("NN=x", "-e", "insert (JJ big) $+ x")


def test_an_edit_that_fails_names_the_tree():
    done = edit(*ENDLESS)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "error: standard input:1: tree 1: the pattern still matches" in done.stderr
    done = edit(*ENDLESS, "--max-changes", 7)
    assert "after 7 changes" in done.stderr


def test_a_tree_whose_edit_fails_can_stay_as_it_is():
    done = edit(*ENDLESS, "--on-error", "skip", text=f"{DOG}\n(S (A\n(S (A a))\n")
    assert (done.exit_code, done.stdout) == (0, f"{DOG}\n(S (A a))\n")
    notes = done.stderr.splitlines()
    assert notes[0] == "whorl: skipped 1 malformed tree:"
    assert notes[2] == "whorl: left 1 tree unchanged, in which the edit failed:"
    assert notes[-1] == "whorl: changed 0 of 2 trees"


def test_an_invalid_operation_is_shown_with_a_caret():
    done = edit("NP=x", "-e", "prune y")
    assert done.exit_code == 1
    assert done.stderr.endswith("\n  prune y\n        ^\n")


@pytest.mark.parametrize(
    "flags",
    [
        ("--count",),
        ("--max", "1"),
        ("-f", "words"),
        ("--invert",),
        ("--nodes",),
        ("-l",),
        ("-q",),
        ("-n",),
        ("--parse",),
        ("--name", "x"),
        ("--patterns", "file"),
        ("--edit-file", "file"),
    ],
)
def test_options_for_results_do_not_go_with_edits(flags):
    assert edit("NP=x", "-e", "prune x", *flags).exit_code == 2


def test_an_edit_needs_a_pattern(tmp_path: Path):
    assert edit("--edit", "prune x").exit_code == 2
