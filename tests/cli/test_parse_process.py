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
        pipes.setdefault("preexec_fn", interruptible)
        process = subprocess.Popen([*COMMAND, "--model", str(span_model), *args], **pipes)
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()


def answer(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    process.stdin.write(line)
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


def wait_until(condition, message: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, message
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("name", "message"),
    [("SIGINT", b"whorl: interrupted\n"), ("SIGTERM", b""), ("SIGHUP", b"")],
)
def test_a_run_ended_by_a_signal_leaves_the_old_file_and_no_other(start, tmp_path, name, message):
    out = tmp_path / "out.txt"
    out.write_text("before")
    process = start("--tokens", "--out", str(out))
    process.stdin.write(b"Rain\n")
    process.stdin.flush()
    wait_until(
        lambda: any(path.stat().st_size for path in tmp_path.glob(".*partial")),
        "nothing was written",
    )
    process.send_signal(getattr(signal, name))
    process.wait(timeout=PATIENCE)
    assert process.returncode == 128 + getattr(signal, name)
    assert process.stderr.read() == message
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.txt", "before")]


def is_running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "to_all"),
    [
        ("SIGKILL", False),
        ("SIGTERM", False),
        ("SIGHUP", False),
        ("SIGHUP", True),  # a closed terminal sends it to the whole process group
    ],
)
def test_no_worker_outlives_its_parent(start, tmp_path, name, to_all):
    out = tmp_path / "out.txt"
    process = start(
        *("--tokens", "--batch", "1", "--jobs", "2", "--out", str(out)), start_new_session=True
    )
    process.stdin.write(b"Rain\n" * 20_000)
    process.stdin.flush()
    partial = tmp_path / f".out.txt.{process.pid}.partial"
    wait_until(lambda: partial.exists() and partial.stat().st_size, "nothing was written")
    number = getattr(signal, name)
    if to_all:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    process.wait(timeout=PATIENCE)
    wait_until(lambda: not is_running(process.pid), "a worker is still there")
    if name != "SIGKILL":  # which leaves no time to tidy up
        assert process.returncode == 128 + number
        assert list(tmp_path.iterdir()) == []


def test_a_signal_that_was_ignored_stays_ignored(start):
    """As under `nohup`."""
    process = start("--tokens", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert answer(process, b"It works\n")
    process.send_signal(signal.SIGHUP)
    assert answer(process, b"It works\n")
    assert process.communicate(timeout=PATIENCE) == (b"", b"")
    assert process.returncode == 0


@pytest.mark.parametrize("args", [(), ("--jobs", "2")])
def test_a_line_too_long_for_the_memory_is_one_message(start, args):
    resource = pytest.importorskip("resource")
    limit = 1 << 30
    process = start(
        *("--tokens", *args),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    output, errors = process.communicate(b"word " * 2_000_000 + b"\n", timeout=PATIENCE)
    last = errors.decode().splitlines()[-1]
    assert (process.returncode, output) == (1, b"")
    assert last == "whorl: error: not enough memory to parse a sentence of 2,000,000 words"
    assert b"Traceback" not in errors


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
