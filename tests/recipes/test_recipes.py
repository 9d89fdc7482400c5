"""Recipes in the package: by name, by path, and with paths relative to the right folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import whorl
from whorl.cli.main import app
from whorl.errors import RecipeError
from whorl.recipes import base_folder, find_recipe, recipe_names
from whorl.training.recipe import Recipe

NAMES = [
    "en",
    "en-accurate",
    "en-assistant",
    "en-teacher",
    "pretrain",
    "span-bilstm",
    "stack-lstm",
]


def test_recipes_lie_in_the_package():
    assert recipe_names() == NAMES
    for name in NAMES:
        assert find_recipe(name) == Path(whorl.__file__).parent / "recipes" / f"{name}.toml"


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_is_valid_and_shows_the_command_that_uses_it(name):
    if name == "pretrain":
        pytest.importorskip("torch")
        from whorl.pretraining.recipe import PretrainingRecipe

        assert PretrainingRecipe.read(name)
    else:
        assert Recipe.read(name)
    option = "--recipe " if name == "pretrain" else "whorl train "
    assert f"{option}{name} " in find_recipe(name).read_text(encoding="utf-8")


def test_a_path_still_works_and_a_name_takes_precedence(tmp_path, monkeypatch):
    (tmp_path / "en").write_text("[training]\nseed = 7\n", encoding="utf-8")
    (tmp_path / "mine.toml").write_text("[training]\nseed = 8\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert Recipe.read("mine.toml").training.seed == 8
    assert Recipe.read("./en").training.seed == 7
    assert Recipe.read(Path("en")).training.seed == 7
    assert Recipe.read("en").training.seed == 1


def test_an_unknown_name_lists_the_names():
    with pytest.raises(RecipeError, match=", ".join(NAMES)):
        find_recipe("span-lstm")


def test_paths_are_relative_to_the_file_or_for_a_name_to_the_working_directory(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[data]\ntrain = "t.txt"\n', encoding="utf-8")
    assert Recipe.read(path).data.train == str(tmp_path / "t.txt")
    assert Recipe.read("en").data.vectors == str(Path("../shared/vectors/en.100d.txt.gz"))
    assert base_folder(find_recipe("en")) == Path()


@pytest.mark.parametrize(
    "command",
    [
        ["train", "span-lstm", "--out", "m"],
        ["reproduce", "all", "span-lstm", "--plan"],
        ["pretrain", "text", "--recipe", "span-lstm", "--out", "m"],
    ],
)
def test_commands_name_the_recipes_when_there_is_no_such_recipe(command, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert "span-bilstm" in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_table_is_planned_with_a_recipe_by_name(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    command = ["reproduce", "speed", "stack-lstm", "--train", "t", "--dev", "d", "--test", "e"]
    result = CliRunner().invoke(app, [*command, "--seeds", "1", "--plan"])
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("to do\n")
