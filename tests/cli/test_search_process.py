"""`whorl search` as a process: pipes, terminals, memory."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "whorl", "search"]
TREE = "(S (NP (PRP It)) (VP (VBZ works)))\n"
PATIENCE = 60


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path):
    file = tmp_path / "trees.txt"
    file.write_text(TREE * 50_000, encoding="utf-8")
    process = subprocess.Popen(
        [*COMMAND, "NP", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"(NP (PRP It))\n"
    process.stdout.close()
    assert (process.wait(timeout=PATIENCE), process.stderr.read()) == (0, b"")


def test_enough_results_end_a_stream_that_does_not(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "NP", "--max", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        for _ in range(1000):
            process.stdin.write(TREE.encode() * 1000)
        raise AssertionError("it read everything")
    except BrokenPipeError:
        pass
    assert process.stdout.read() == b"(NP (PRP It))\n" * 2
    assert process.wait(timeout=PATIENCE) == 0


def on_terminal(tmp_path, *arguments: str, **environment: str) -> str:
    """What the command writes to a terminal."""
    pty = pytest.importorskip("pty")
    file = tmp_path / "trees.txt"
    file.write_text("(S (NP (PRP It\x07)) (VP (VBZ works)))\n", encoding="utf-8")
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    reader, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments, str(file)],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        env={**plain, "TERM": "xterm", **environment},
    )
    os.close(terminal)
    shown = b""
    try:
        while block := os.read(reader, 1 << 16):
            shown += block
    except OSError:  # the end of a terminal on Linux
        pass
    os.close(reader)
    assert process.wait(timeout=PATIENCE) == 0
    return shown.decode().replace("\r\n", "\n")


PLAIN = "(NP (PRP It\\x07))\n"


def test_a_terminal_gets_colours_and_no_control_characters_of_the_data(tmp_path):
    assert on_terminal(tmp_path, "NP") == "(NP (PRP \x1b[1;31mIt\\x07\x1b[0m))\n"


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (("NP", "--color", "never"), {}),
        (("NP",), {"NO_COLOR": "1"}),
        (("NP",), {"TERM": "dumb"}),
    ],
)
def test_colours_can_be_refused(tmp_path, arguments, environment):
    assert on_terminal(tmp_path, *arguments, **environment) == PLAIN


def test_colours_asked_for_come_in_spite_of_the_environment(tmp_path):
    shown = on_terminal(tmp_path, "NP", "--color", "always", NO_COLOR="1")
    assert shown == "(NP (PRP \x1b[1;31mIt\\x07\x1b[0m))\n"


def test_searching_trees_imports_no_parser(tmp_path):
    code = (
        "import sys; from whorl.cli.main import main\ntry: main()\n"
        "finally: assert not {'numpy', 'onnxruntime', 'rich', 'whorl.span'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "search", "NP"],
        input=TREE.encode(),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.stdout, done.stderr) == (b"(NP (PRP It))\n", b"")


def test_memory_does_not_grow_with_the_trees():
    if sys.platform != "linux":
        pytest.skip("ru_maxrss is in kilobytes on Linux")

    def peak(count: int) -> int:
        code = (
            "import resource, sys; from whorl.cli.main import main\ntry: main()\n"
            "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "search", "NP"],
            input=TREE.replace("It", "It" * 500).encode() * count,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
            timeout=PATIENCE,
        )
        return int(done.stderr)

    assert peak(15_000) < peak(3_000) * 1.25
