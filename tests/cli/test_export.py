"""The `export` command, by running it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

from tests.model_folder.folders import save_stack_lstm
from tests.spans import span_recipe, write_treebank
from typer.testing import CliRunner

from whorl.cli.main import app
from whorl.training.run import train


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("export")
    train(span_recipe(write_treebank(place), "training.epochs=1"), place / "model")
    return place


def whorl(*args: str):
    return CliRunner().invoke(app, list(map(str, args)))


def test_an_exported_folder_is_small_and_parses(folder):
    done = whorl("export", folder / "model", "--int8", "--out", folder / "small")
    assert done.exit_code == 0, done.output
    assert "MB in all" in done.stderr
    (folder / "words.txt").write_text("It works\n\nRain\n", encoding="utf-8")
    parsed = whorl(
        "parse",
        folder / "words.txt",
        "--tokens",
        "--model",
        folder / "small",
        "--out",
        folder / "trees.out",
    )
    assert parsed.exit_code == 0, parsed.output
    lines = (folder / "trees.out").read_text(encoding="utf-8").splitlines()
    assert [bool(line) for line in lines] == [True, False, True]


def test_a_model_that_is_exported_already_is_an_error(folder):
    assert whorl("export", folder / "model", "--out", folder / "alone").exit_code == 0
    for model, precision in (("en", "int8"), (folder / "alone", "float32")):
        done = whorl("export", model)
        assert done.exit_code == 1
        assert f"{model} is exported already ({precision}): it runs without PyTorch" in done.stderr


def test_a_network_without_an_export_is_an_error(tmp_path):
    done = whorl("export", save_stack_lstm(tmp_path))
    assert done.exit_code == 1
    assert "the stack-lstm network has no export" in done.stderr


def test_one_precision_is_chosen_and_a_model_is_needed(folder, tmp_path):
    assert whorl("export", folder / "model", "--int8", "--float16").exit_code == 2
    done = whorl("export", tmp_path)
    assert done.exit_code == 1
    assert "not a model folder" in done.stderr
