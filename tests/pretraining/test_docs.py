"""The examples in docs/pretraining.md run, and name calls and options that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from tests.toytext import toy_sentences
from whorl.pretraining import run
from whorl.pretraining.recipe import PretrainingRecipe

TEXT = (Path(__file__).parents[2] / "docs/pretraining.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, flags=re.M | re.S)


def test_the_python_examples_run(tmp_path, monkeypatch):
    """With a smaller budget than the text has."""
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    Path("texts/toy.txt").write_text("\n".join(toy_sentences(300)), encoding="utf-8")
    complete = run.pretrain

    def short(recipe, *args, **options):
        small = ["training.tokens=256", "training.rows=4", "training.pieces=16", "data.vocab=60"]
        return complete(recipe.override(["training.device=cpu", *small]), *args, **options)

    monkeypatch.setattr(run, "pretrain", short)
    loading, training = blocks("python")
    names = {}
    exec(training, names)
    assert names["outcome"].finished
    exec(loading, names)
    assert names["encoder"].config.layers == 4
    assert names["batch"].lengths.tolist()[0] >= 5


def test_the_keys_of_the_recipe_exist():
    settings = [setting for block in blocks("sh") for setting in re.findall(r"--set (\S+)", block)]
    recipe = PretrainingRecipe().override(settings)
    keys = {f"{name}.{key}" for name, part in recipe.to_dict().items() for key in part}
    mentioned = set(re.findall(r"`((?:data|training|model)\.\w+)", TEXT))
    assert mentioned <= keys


def test_the_options_of_the_commands_exist():
    typer = pytest.importorskip("typer")
    from whorl.cli.main import app

    commands = typer.main.get_command(app).commands
    known = {
        name: {option for parameter in commands[name].params for option in parameter.opts}
        for name in ("pretrain", "vectors", "train")
    }
    for block in blocks("sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                used = {word for word in words if word.startswith("--")}
                assert used <= known[words[1]], line
    mentioned = set(re.findall(r"`(--\w+)", TEXT))
    assert mentioned <= set().union(*known.values())
