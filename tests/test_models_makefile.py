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


def commands(language: str) -> list[list[str]]:
    """Return the words of each command of Whorl that makes a model."""
    done = subprocess.run(
        ["make", "-n", "-C", MODELS, language, "RUNS=/nowhere", "WHORL=whorl"],
        capture_output=True,
        text=True,
        check=True,
    )
    joined = done.stdout.replace("\\\n", " ")
    return [
        match.split() for match in re.findall(r"(?:^|\| )whorl ([^|\n]*)", joined, re.MULTILINE)
    ]


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
    made = commands(language)
    assert {words[0] for words in made} == steps
    for words in made:
        used = {word for word in words if word.startswith("--")}
        assert used <= options(words), words


def test_each_convention_of_icelandic_has_its_text_and_its_silver_trees():
    made = [" ".join(words) for words in commands("is")]
    for convention in ("modern", "historical"):
        assert any(
            f"text split - --model /nowhere/is/first --convention {convention}" in one
            for one in made
        )
        assert f"--silver {convention}=/nowhere/is/silver/{convention}" in made[-1]
    assert not any("quran" in one or "hadith" in one for one in map(" ".join, commands("id")))
