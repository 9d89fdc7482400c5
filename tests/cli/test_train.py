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

SMALL = [
    "model.input=16",
    "model.hidden=8",
    "training.batch=2",
    "data.tags=gold",
    "training.patience=0",
]


@pytest.fixture
def run(tmp_path):
    (tmp_path / "trees.txt").write_text(
        "".join(f"{tree}\n" for tree in read_trees(TEXT)), encoding="utf-8"
    )

    def invoke(*arguments):
        return CliRunner().invoke(app, ["train", "--out", str(tmp_path / "m"), *arguments])

    return invoke


@pytest.fixture
def flags(tmp_path):
    trees = str(tmp_path / "trees.txt")
    return [
        "--train",
        trees,
        "--dev",
        trees,
        *(flag for setting in SMALL for flag in ("--set", setting)),
    ]


def test_a_line_an_epoch_and_keys_that_are_shortened(tmp_path, run, flags):
    result = run(*flags, "--epochs", "2", "--system", "topdown", "--oracle", "dynamic")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["epoch", "1"], ["epoch", "2"]]
    assert all(line.endswith("min left") for line in lines)
    assert "2 epochs, best development F1" in result.stderr
    saved = json.loads((tmp_path / "m/recipe.json").read_text(encoding="utf-8"))
    assert (
        saved["model"]["hidden_dim"],
        saved["model"]["input_dim"],
        saved["model"]["system"],
    ) == (8, 16, "topdown")


def test_a_run_is_taken_up_by_the_name_of_its_folder_alone(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    result = run("--resume", "--epochs", "3")
    assert result.exit_code == 0, result.output
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["2", "3"]
    assert (
        json.loads((tmp_path / "m/recipe.json").read_text(encoding="utf-8"))["training"]["epochs"]
        == 3
    )


def test_a_run_that_was_stopped_before_its_first_epoch_ended_is_taken_up_too(tmp_path, run, flags):
    assert run(*flags, "--epochs", "1").exit_code == 0
    for path in (tmp_path / "m").iterdir():
        if path.name != "recipe.json":
            path.unlink()
    result = run("--resume")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 1


def test_what_cannot_be_taken_up_changes_nothing_and_is_told(tmp_path, run, flags):
    assert f"nothing to resume: {tmp_path / 'm'} holds no training run" in run("--resume").stderr
    assert run(*flags, "--epochs", "1").exit_code == 0
    before = (tmp_path / "m/recipe.json").read_bytes()
    result = run("--resume", "--set", "model.hidden=16")
    assert result.exit_code == 1
    assert "differs in model.hidden_dim" in result.stderr
    assert (tmp_path / "m/recipe.json").read_bytes() == before
    for text in ("[", "[3]", '{"model": 3}', '{"model": {"hidden_dim": "x"}}'):
        (tmp_path / "m/recipe.json").write_text(text, encoding="utf-8")
        assert "recipe.json is not the recipe of a run" in run("--resume").stderr


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("training.batch=0", "training.batch must be at least 1, not 0"),
        ("training.epochs=0", "training.epochs must be at least 1, not 0"),
        ("span.dropout=1.5", "span.dropout must be at least 0 and below 1, not 1.5"),
        ("training.rate=inf", "training.rate must be at least 0, not inf"),
        ("training.clip=0", "training.clip must be above 0, not 0"),
    ],
)
def test_a_number_out_of_range_is_an_error_that_names_the_range(run, flags, setting, message):
    result = run(*flags, "--set", setting)
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "network",
    [
        [],
        ["--oracle", "dynamic", "--set", "training.explore=1"],
        ["--network", "span", "--set", "span.lstm_dim=8"],
    ],
)
@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_training_that_diverges_is_an_error_that_names_the_rate(run, flags, network, optimiser):
    settings = ["--set", "training.rate=1e30", "--set", f"training.optimiser={optimiser}"]
    result = run(*flags, *network, *settings, "--epochs", "2")
    assert result.exit_code == 1, result.output
    assert "training diverged in epoch 1" in result.stderr
    assert "lower training.rate, which is 1e+30" in result.stderr


def test_vectors_that_are_not_finite_are_an_error_that_names_the_line(tmp_path, run, flags):
    path = tmp_path / "vectors.txt"
    path.write_text("the 0.5 1\nof nan 1\n", encoding="utf-8")
    result = run(*flags, "--vectors", str(path), "--epochs", "1")
    assert result.exit_code == 1
    assert f"{path}:2: the vector of 'of' holds NaN or infinity" in result.stderr


@pytest.mark.parametrize("text", ["", '{"epoch": 1, "be', "[]", "{}", '{"recipe": {"model": 3}}'])
def test_a_damaged_checkpoint_is_an_error_that_names_it(tmp_path, run, flags, text):
    assert run(*flags, "--epochs", "1").exit_code == 0
    path = tmp_path / "m/checkpoint.json"
    path.write_text(text, encoding="utf-8")
    result = run("--resume")
    assert result.exit_code == 1, result.output
    assert f"{path} is damaged" in result.stderr


@pytest.mark.parametrize("network", ["stack-lstm", "span"])
@pytest.mark.parametrize("role", ["train", "dev"])
def test_an_empty_treebank_is_an_error_that_names_it(tmp_path, run, flags, network, role):
    path = tmp_path / "empty.txt"
    path.touch()
    result = run(*flags, "--network", network, f"--{role}", str(path))
    assert result.exit_code == 1
    assert f"no trees in {path}" in result.stderr


def test_the_time_left_is_that_of_the_epochs_to_come_at_the_pace_of_this_run():
    pace = Pace(done=4, epochs=10, began=100.0)  # taken up after four
    assert pace.left(0.0, 100.0) == 0
    assert pace.left(0.5, 105.0) == pytest.approx(55)
    pace.done = 6
    assert pace.left(0.0, 120.0) == pytest.approx(40)
    pace.done = 10
    assert pace.left(0.0, 160.0) == 0
