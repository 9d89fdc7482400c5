"""`whorl train`: flags, what it prints, and runs that are taken up."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from whorl.cli.main import app
from whorl.cli.train import Pace

pytest.importorskip("torch")

from tests.parsers import TEXT

from whorl.trees import read_trees

SMALL = ["model.input=16", "model.hidden=8", "training.batch=2", "data.tags=gold", "training.patience=0"]


@pytest.fixture
def run(tmp_path):
    (tmp_path / "trees.txt").write_text("".join(f"{tree}\n" for tree in read_trees(TEXT)), encoding="utf-8")

    def invoke(*arguments):
        return CliRunner().invoke(app, ["train", "--out", str(tmp_path / "m"), *arguments])

    return invoke


@pytest.fixture
def flags(tmp_path):
    trees = str(tmp_path / "trees.txt")
    return ["--train", trees, "--dev", trees, *(flag for setting in SMALL for flag in ("--set", setting))]


def test_a_line_an_epoch_and_keys_that_are_shortened(tmp_path, run, flags):
    result = run(*flags, "--epochs", "2", "--system", "topdown", "--oracle", "dynamic")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["epoch", "1"], ["epoch", "2"]]
    assert all(line.endswith("min left") for line in lines)
    assert "2 epochs, best development F1" in result.stderr
    saved = json.loads((tmp_path / "m/recipe.json").read_text(encoding="utf-8"))
    assert (saved["model"]["hidden_dim"], saved["model"]["input_dim"], saved["model"]["system"]) == (8, 16, "topdown")


def test_a_run_is_taken_up_by_the_name_of_its_folder_alone(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    result = run("--resume", "--epochs", "3")
    assert result.exit_code == 0, result.output
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["2", "3"]
    assert json.loads((tmp_path / "m/recipe.json").read_text(encoding="utf-8"))["training"]["epochs"] == 3


def test_a_run_that_was_stopped_before_its_first_epoch_ended_is_taken_up_too(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    for path in (tmp_path / "m").iterdir():
        if path.name != "recipe.json":
            path.unlink()
    result = run("--resume")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 1


def test_what_cannot_be_taken_up_changes_nothing_and_is_told(tmp_path, run, flags):
    assert "the recipe names no train trees" in run("--resume").stderr
    assert run(*flags, "--epochs", "1").exit_code == 0
    before = (tmp_path / "m/recipe.json").read_bytes()
    result = run("--resume", "--set", "model.hidden=16")
    assert result.exit_code == 1
    assert "differs in model.hidden_dim" in result.stderr
    assert (tmp_path / "m/recipe.json").read_bytes() == before
    for text in ("[", "[3]", '{"model": 3}', '{"model": {"hidden_dim": "x"}}'):
        (tmp_path / "m/recipe.json").write_text(text, encoding="utf-8")
        assert "recipe.json is not the recipe of a run" in run("--resume").stderr


def test_the_time_left_is_that_of_the_epochs_to_come_at_the_pace_of_this_run():
    pace = Pace(done=4, epochs=10, began=100.0)  # taken up after four
    assert pace.left(0.0, 100.0) == 0
    assert pace.left(0.5, 105.0) == pytest.approx(55)
    pace.done = 6
    assert pace.left(0.0, 120.0) == pytest.approx(40)
    pace.done = 10
    assert pace.left(0.0, 160.0) == 0
