"""The help of every command, with the Typer that is installed."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest
import typer.main
from typer.testing import CliRunner

from whorl.cli.main import app


def commands(command, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the path of each command and group."""
    yield path
    for name, subcommand in getattr(command, "commands", {}).items():
        yield from commands(subcommand, *path, name)


COMMANDS = list(commands(typer.main.get_command(app)))


def test_there_are_commands():
    assert {("parse",), ("draw",), ("train",), ("treebank", "stats")} < set(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help(path, option):
    done = CliRunner().invoke(app, [*path, option])
    assert (done.exit_code, done.exception) == (0, None), done.output
    assert "Usage:" in done.stdout
    command = typer.main.get_command(app)
    for name in path:
        command = command.commands[name]
    for parameter in command.params:
        for name in parameter.opts:
            if name.startswith("--"):
                assert name in done.stdout
    first = inspect.cleandoc(command.help).split(".")[0].split()
    assert " ".join(first[:5]) in " ".join(done.stdout.split())


def test_options_are_checked():
    run = CliRunner()
    for arguments in (
        ["parse", "--format", "png"],
        ["parse", "--nbest", "1001"],
        ["parse", "--no"],
    ):
        done = run.invoke(app, arguments)
        assert done.exit_code == 2
        assert "Usage:" in done.output
