"""`whorl pretrain`: flags, recipes, what it prints, and how it fails."""

from __future__ import annotations

import json

import pytest
from tests.toytext import toy_sentences
from typer.testing import CliRunner

from whorl.cli.main import app

pytest.importorskip("torch")
pytest.importorskip("tokenizers")

SIZES = ["--layers", "1", "--width", "16", "--vocabulary", "50", "--rows", "4", "--device", "cpu"]


@pytest.fixture
def run(tmp_path):
    (tmp_path / "text").mkdir()
    (tmp_path / "text/t.txt").write_text("\n".join(toy_sentences(300)), encoding="utf-8")

    def invoke(*arguments):
        return CliRunner().invoke(
            app, ["pretrain", str(tmp_path / "text"), "--out", str(tmp_path / "e"), *arguments]
        )

    return invoke


def described(tmp_path):
    return json.loads((tmp_path / "e/encoder.json").read_text(encoding="utf-8"))


def test_an_encoder_is_written_and_losses_are_printed(tmp_path, run):
    result = run(*SIZES, "--tokens", "4096", "--seed", "3", "--int8", "--set", "training.log=4")
    assert result.exit_code == 0, result.output
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["4", "8"]
    assert "4,096 pieces seen" in result.stderr
    assert "1 files, 300 sentences, 1,800 words" in result.stderr
    saved = described(tmp_path)
    assert (saved["config"]["layers"], saved["config"]["width"], saved["weights"]) == (
        *(1, 16),
        "encoder.int8.safetensors",
    )
    assert saved["recipe"]["training"]["seed"] == 3


def test_a_recipe_is_read_and_flags_override_it(tmp_path, run):
    recipe = tmp_path / "r.toml"
    recipe.write_text(
        "[model]\nlayers = 3\nwidth = 8\n[training]\ntokens = 512\nstop = 512\n", encoding="utf-8"
    )
    result = run("--recipe", str(recipe), *SIZES[2:])
    assert result.exit_code == 0, result.output
    assert (described(tmp_path)["config"]["layers"], described(tmp_path)["config"]["width"]) == (
        3,
        16,
    )
    assert run("--recipe", str(recipe), *SIZES[2:]).exit_code == 1


def test_a_run_that_stops_early_says_so_and_resumes(tmp_path, run):
    result = run(*SIZES, "--tokens", "2048", "--set", "training.stop=1024")
    assert "before the end of its schedule" in result.stderr
    result = run(*SIZES, "--tokens", "2048", "--resume")
    assert result.exit_code == 0
    assert described(tmp_path)["outcome"]["step"] == 4


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_text_is_an_error_that_says_so(tmp_path, run, text):
    (tmp_path / "empty.txt").write_text(text, encoding="utf-8")
    result = run("--set", f"data.text={tmp_path / 'empty.txt'}")
    assert result.exit_code == 1
    assert "empty.txt holds no sentences: there is no text to pretrain on" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--minutes", "1", "--tokens", "5"], "--minutes and --tokens both say how long"),
        (["--width", "7"], "cannot be split into 1 heads"),
        (["--set", "model.depth=7"], "unknown key 'depth'"),
        (["--set", "data.text=/none"], "is neither a file nor a folder"),
        (["--set", "data.text="], "no text to pretrain on: give TEXT, or set data.text"),
    ],
)
def test_an_error_is_one_line(run, arguments, message):
    result = run(*arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
