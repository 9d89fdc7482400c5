"""The examples in the documents of `whorl search` and `whorl complexity` are true."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from whorl.cli.main import app

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name: str) -> list[str]:
    return [text for _, text in BLOCK.findall((DOCS / name).read_text(encoding="utf-8"))]


def check(session: str) -> int:
    """Run each command of a session and compare what it prints; return their number."""
    commands = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    for command in commands:
        line, _, expected = command.partition("\n")
        text, _, call = line.rpartition(" | ")
        program, *arguments = shlex.split(call)
        assert program == "whorl"
        done = CliRunner().invoke(app, arguments, input=" ".join(shlex.split(text)[1:]))
        assert done.stdout == expected, line
    return len(commands)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    pytest.importorskip("onnxruntime")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_search():
    tree, *others = blocks("search.md")
    Path("treebank.txt").write_text(tree, encoding="utf-8")
    (patterns,) = (text for text in others if text.startswith("# noun phrases"))
    Path("patterns.txt").write_text(patterns, encoding="utf-8")
    assert sum(check(text) for text in others if text.startswith("$ ")) == 7


def test_complexity():
    anna, ben, *others = blocks("complexity.md")
    Path("essays").mkdir()
    Path("essays/anna.txt").write_text(anna, encoding="utf-8")
    Path("essays/ben.txt").write_text(ben, encoding="utf-8")
    assert sum(check(text) for text in others if text.startswith("$ ")) == 1
