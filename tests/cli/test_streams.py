"""Standard streams that are closed, full, or terminals, with the real command in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from whorl.cli.streams import escape_controls

pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")

TREE = "(S (NP (PRP It)) (VP (VBZ works)))"
CLOSED = "whorl: error: standard input or output is closed\n"
FULL = "whorl: error: standard input or output: No space left on device\n"


def shell(command: str, redirection: str = "", **options: object) -> tuple[int, str, str]:
    """Run `whorl COMMAND` in a shell; return its exit code, standard output and standard error."""
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m whorl {command} {redirection}', sys.executable],
        capture_output=True,
        encoding="utf-8",
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        timeout=120,
        check=False,
        **options,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def trees(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "trees.txt"
    path.write_text(f"{TREE}\n", encoding="utf-8")
    return path


WRITING = [
    "parse 'It works'",
    "parse 'It works' --format json",
    "parse 'It works' --format svg",
    "parse --tokens --jobs 2 trees.txt",
    "draw trees.txt",
    "draw trees.txt --format svg",
    "evaluate trees.txt trees.txt",
    "transitions trees.txt",
    "treebank stats trees.txt",
    "search NP trees.txt",
    "search NP --count trees.txt",
    "search NP=x --edit 'relabel x NX' trees.txt",
    "complexity --trees trees.txt",
    "models",
    "--help",
    "--version",
    "parse --help",
    "treebank --help",
]


@pytest.mark.parametrize("command", WRITING)
def test_output_to_a_closed_stream_is_an_error(trees, command):
    assert shell(command, ">&-") == (1, "", CLOSED)


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_to_a_full_device_is_an_error(trees, command):
    assert shell(command, ">/dev/full") == (1, "", FULL)


@pytest.mark.parametrize(
    "command",
    [
        "parse",
        "parse --tokens",
        "parse --input trees",
        "draw",
        "evaluate trees.txt -",
        "transitions",
    ],
)
def test_input_from_a_closed_stream_is_an_error(trees, command):
    assert shell(command, "<&-") == (1, "", CLOSED)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("parse missing.txt", 1),
        ("draw missing.txt", 1),
        ("models nothing", 1),
        ("parse --nonsense", 2),
        ("nonsense", 2),
    ],
)
@pytest.mark.parametrize("redirection", ["2>&-", "2>&- <&-"])
def test_messages_to_a_closed_stream_are_dropped(trees, command, code, redirection):
    assert shell(command, redirection) == (code, "", "")


@pytest.mark.parametrize("redirection", [">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_files_are_written_without_any_standard_stream(trees, redirection):
    for command in ("parse 'It works' --out out.txt", "parse --tokens trees.txt -j 2 -o out.txt"):
        assert shell(command, redirection) == (0, "", "")
        assert (trees.parent / "out.txt").read_text(encoding="utf-8").startswith("(TOP")
        (trees.parent / "out.txt").unlink()
    assert shell("draw trees.txt --format latex --out out.tex", redirection) == (0, "", "")
    assert (trees.parent / "out.tex").read_text(encoding="utf-8").startswith("\\")


def test_unused_closed_streams_do_no_harm(trees):
    code, output, errors = shell("parse 'It works'", "<&- 2>&-")
    assert (code, output, errors) == (0, "(TOP (S (NP (PRP It)) (VP (VBZ works))))\n", "")


def in_terminal(*command: str, text: bytes = b"") -> bytes:
    """Run a command whose output and messages go to a terminal, and return what that receives."""
    pty = pytest.importorskip("pty")
    reader, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "whorl", *command],
        stdin=subprocess.PIPE,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    process.stdin.write(text)
    process.stdin.close()
    received = b""
    while True:
        try:
            received += os.read(reader, 1 << 16)
        except OSError:  # the other end is closed
            break
    process.wait(timeout=60)
    os.close(reader)
    return received


RED = b"\x1b[31mIt"
SHOWN = rb"\x1b[31mIt"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (("parse", "--tokens"), RED + b" works\n"),
        (("parse", "--tokens", "--format", "pretty"), RED + b" works\n"),
        (("parse", "--tokens", "--format", "conll"), RED + b" works\n"),
        (("draw",), b"(S (A " + RED + b"))\n"),
        (("draw", "--format", "latex"), b"(S (A " + RED + b"))\n"),
        (("draw", "--out", "/dev/stdout"), b"(S (A " + RED + b"))\n"),
        (("transitions",), b"(" + RED + b" (A a))\n"),
        (("draw",), b"(S (A a) " + RED + b" (\n"),
        (("draw", "--on-error", "skip"), b"(S (A a) " + RED + b" (\n"),
        (("parse", "--input", "tagged"), RED + b"\n"),
        (("parse", RED.decode() + ".txt"), b""),
        (("draw", RED.decode() + ".txt"), b""),
        (("parse", "--format", RED.decode()), b""),
        ((RED.decode(),), b""),
        (("treebank", "stats", "-"), b"(" + RED + b" (A a))\n"),
        (("evaluate", "trees.txt", RED.decode()), b""),
    ],
)
def test_control_characters_are_shown_on_a_terminal(trees, command, text):
    received = in_terminal(*command, text=text)
    assert SHOWN in received
    assert RED not in received


def test_other_control_characters_are_shown_too():
    assert escape_controls("a\tb\nc é 日本 \u202e") == "a\tb\nc é 日本 \u202e"
    assert escape_controls("\0\a\b\r\x7f\x85\x9b") == r"\x00\x07\x08\x0d\x7f\x85\x9b"


def test_control_characters_reach_pipes_and_files_as_they_are(trees):
    for command in ("draw", "draw --out out.txt && cat out.txt"):
        code, output, _ = shell(command, input=f"(S (A {RED.decode()}))\n")
        assert code == 0
        assert RED.decode() in output
