"""`whorl parse` as a process: streams, pipes, signals, files."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

import pytest
from tests.signals import interruptible

COMMAND = [sys.executable, "-c", "from whorl.cli.main import main; main()", "parse"]
PATIENCE = 60


@pytest.fixture
def start(span_model):
    """Start `whorl parse` with pipes."""
    started = []

    def run(*args: str, **options: object) -> subprocess.Popen[bytes]:
        pipes = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            **options,
        }
        process = subprocess.Popen(
            [*COMMAND, "--model", str(span_model), *args], preexec_fn=interruptible, **pipes
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()


def answer(process: subprocess.Popen[bytes], given: bytes) -> bytes:
    process.stdin.write(given)
    process.stdin.flush()
    assert select.select([process.stdout], [], [], PATIENCE)[0], "no output came"
    return os.read(process.stdout.fileno(), 1 << 16)


@pytest.mark.parametrize(("args", "end"), [(("--tokens",), b"\n"), ((), b"\n\n")])
def test_output_comes_as_input_does(start, args, end):
    process = start(*args)
    for _ in range(2):
        assert answer(process, b"It works" + end) == b"(TOP (S (NP (PRP It)) (VP (VBZ works))))\n"
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == 0


def test_a_reader_that_goes_away_ends_it_quietly(start):
    process = start("--tokens", "--batch", "1")
    assert answer(process, b"Rain\n")
    process.stdout.close()
    try:
        for _ in range(1000):
            process.stdin.write(b"Rain\n" * 100)
            process.stdin.flush()
    except BrokenPipeError:
        pass
    process.wait(timeout=PATIENCE)
    assert (process.stderr.read(), process.returncode) == (b"", 0)


@pytest.mark.parametrize(("sent", "said"), [("SIGINT", b"whorl: interrupted\n"), ("SIGTERM", b"")])
def test_an_interrupted_run_leaves_the_file_that_was_there(start, tmp_path, sent, said):
    out = tmp_path / "out.txt"
    out.write_text("before")
    process = start("--tokens", "--out", str(out))
    process.stdin.write(b"Rain\n")
    process.stdin.flush()
    end = time.monotonic() + PATIENCE
    while not any(path.stat().st_size for path in tmp_path.glob(".*partial")):
        assert time.monotonic() < end, "nothing was written"
        time.sleep(0.02)
    process.send_signal(getattr(signal, sent))
    process.wait(timeout=PATIENCE)
    assert process.returncode == 128 + getattr(signal, sent)
    assert process.stderr.read() == said
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.txt", "before")]


def test_progress_is_for_terminals(start):
    pty = pytest.importorskip("pty")
    reader, terminal = pty.openpty()
    process = start("--tokens", stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    end = time.monotonic() + PATIENCE
    shown = ""
    while " sentences, " not in shown:
        assert time.monotonic() < end, "nothing was shown"
        process.stdin.write(b"Rain\n")
        process.stdin.flush()
        if select.select([reader], [], [], 0.1)[0]:
            shown += os.read(reader, 1 << 16).decode(errors="replace")
    process.stdin.close()
    while "\x1b[?25h" not in shown:  # the cursor is back, after the line was erased
        assert select.select([reader], [], [], PATIENCE)[0], f"the line stayed: {shown!r}"
        shown += os.read(reader, 1 << 16).decode(errors="replace")
    assert "\x1b[2K" in shown.rsplit(" sentences, ", 1)[1]
    assert process.wait(timeout=PATIENCE) == 0
    os.close(reader)


def test_an_exported_model_needs_neither_pytorch_nor_rich(span_model):
    code = (
        "import sys; sys.modules.update(torch=None); from whorl.cli.main import main\ntry: main()\n"
    )
    code += "finally: assert 'rich' not in sys.modules"
    command = [sys.executable, "-c", code, "parse", "--model", str(span_model), "It works"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"(TOP (S (NP (PRP It)) (VP (VBZ works))))\n", b"")


@pytest.mark.parametrize("form", ["brackets", "conll", "jsonl", "json"])
def test_several_processes_give_what_one_gives_in_the_same_order(start, tmp_path, form):
    (tmp_path / "in.txt").write_text("It works\n\nRain\nDogs bark\n" * 30)
    flags = ("--tokens", "--batch", "1", "--format", form)
    one, two = (start(*flags, "--jobs", jobs, str(tmp_path / "in.txt")) for jobs in "12")
    assert one.communicate(timeout=PATIENCE) == two.communicate(timeout=PATIENCE)
    assert one.returncode == two.returncode == 0


def test_python_runs_the_package(span_model):
    command = [sys.executable, "-m", "whorl", "parse", "--model", str(span_model), "It works"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"(TOP (S (NP (PRP It)) (VP (VBZ works))))\n", b"")
