"""The commands of `models/Makefile`, without running them: they must be commands that there are."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from whorl.cli.main import app

MODELS = Path(__file__).parents[1] / "models"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def dry_run(language: str, *variables: str) -> str:
    """Return what make would run."""
    done = subprocess.run(
        ["make", "-n", "-C", MODELS, language, "RUNS=/nowhere", "WHORL=whorl", *variables],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.replace("\\\n", " ")


def commands(language: str, *variables: str) -> list[list[str]]:
    """Return the words of each command of Whorl that makes a model."""
    found = re.findall(r"(?:^|\| )whorl ([^|\n]*)", dry_run(language, *variables), re.MULTILINE)
    return [words.split() for words in found]


def options(words: list[str]) -> set[str]:
    """Return the options that a command has."""
    command = get_command(app)
    for word in words:
        if not hasattr(command, "commands"):
            break
        command = command.commands[word]
    return {name for parameter in command.params for name in parameter.opts}


@pytest.mark.parametrize(
    ("language", "steps"),
    [
        ("id", {"train", "text", "pretrain", "vectors", "label"}),
        ("is", {"train", "text", "pretrain", "vectors", "label"}),
        ("nl", {"train", "text", "pretrain", "vectors", "label"}),
        ("ja", {"train"}),
    ],
)
def test_every_step_is_a_command_with_options_that_it_has(language, steps):
    plain, silver = commands(language), commands(language, "SILVER=1")
    assert {words[0] for words in plain} == {"train"}
    assert {words[0] for words in silver} == steps
    for words in plain + silver:
        used = {word for word in words if word.startswith("--")}
        assert used <= options(words), words


def test_each_convention_of_icelandic_has_its_text_and_its_silver_trees():
    plain = " ".join(commands("is")[-1])
    made = [" ".join(words) for words in commands("is", "SILVER=1")]
    for convention in ("modern", "historical"):
        assert f"--train {convention}=" in plain
        assert f"--text {convention}=" in plain
        assert any(
            f"text split - --model /nowhere/is/first --convention {convention}" in one
            for one in made
        )
        assert f"--silver {convention}=/nowhere/is/silver/{convention}" in made[-1]


@pytest.mark.parametrize("variables", [(), ("SILVER=1",), ("SILVER=1", "ENCODER=")])
def test_text_that_may_only_be_measured_with_is_left_out(variables):
    made = dry_run("id", *variables)
    assert "law.peraturan" in made
    assert "quran" not in made
    assert "hadith" not in made


def test_no_encoder_is_pretrained_where_none_is_wanted():
    made = commands("id", "SILVER=1", "ENCODER=")
    assert "pretrain" not in {words[0] for words in made}
    assert not [words for words in made if "--encoder" in words]
