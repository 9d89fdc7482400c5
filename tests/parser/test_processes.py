"""One parser in threads, in forked and in spawned processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import whorl
from tests.exported import make_exported
from tests.signals import interruptible
from whorl.errors import WorkerError

TEXTS = [f"Dogs bark and cats sleep {'well ' * n}. It works !" for n in range(40)]


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    return whorl.load(make_exported(tmp_path_factory.mktemp("processes")))


@pytest.fixture(scope="module")
def expected(parser):
    return [str(document) for document in parser.pipe(TEXTS)]


def test_threads_share_a_parser(parser, expected):
    start = threading.Barrier(8)

    def run(number):
        start.wait()
        texts = TEXTS[number:] + TEXTS[:number]
        parsed = [str(parser(text)) for text in texts]
        return parsed[len(TEXTS) - number :] + parsed[: len(TEXTS) - number]

    with ThreadPoolExecutor(8) as pool:
        assert all(parsed == expected for parsed in pool.map(run, range(8)))


def _parse(queue, parser):
    queue.put([str(document) for document in parser.pipe(TEXTS)])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_parser_works_in_another_process(parser, expected, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"there is no {method} here")
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    process = context.Process(target=_parse, args=(queue, parser))
    process.start()
    assert queue.get(timeout=60) == expected
    process.join()
    assert process.exitcode == 0


def test_jobs_give_what_one_process_gives_in_order(parser, expected):
    words = [text.split() for text in TEXTS]
    mixed = [item for pair in zip(TEXTS, [*words[1:], []], strict=True) for item in pair]
    by_one = list(parser.pipe(((one, n) for n, one in enumerate(mixed)), as_tuples=True))
    parsed = list(
        parser.pipe(((one, n) for n, one in enumerate(mixed)), as_tuples=True, jobs=2, batch_size=1)
    )
    assert [(str(result), number) for result, number in parsed] == [
        (str(result), number) for result, number in by_one
    ]
    assert [str(result) for result, number in parsed if number % 2 == 0] == expected


def _describe(tree, number):
    return f"{number} {tree}", os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_then_is_called_where_the_input_was_parsed(parser, jobs):
    words = [text.split() for text in TEXTS]
    assert list(parser.pipe(words, then=str, jobs=jobs)) == [
        str(tree) for tree in parser.pipe(words)
    ]
    numbered = [(one, number) for number, one in enumerate(words)]
    results = list(parser.pipe(numbered, as_tuples=True, then=_describe, jobs=jobs))
    assert [text for (text, _), _ in results] == [
        f"{number} {parser.parse(one)}" for one, number in numbered
    ]
    assert [number for _, number in results] == list(range(len(words)))
    assert (os.getpid() in {process for (_, process), _ in results}) == (jobs == 1)


def test_jobs_read_a_few_batches_ahead_and_end_when_the_stream_is_closed(parser):
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield ["Rain"]

    stream = parser.pipe(endless(), jobs=2, batch_size=1)
    next(stream)
    assert len(taken) == 4 * 2
    stream.close()
    assert not multiprocessing.active_children()


def test_an_error_in_a_worker_is_raised_here(parser):
    with pytest.raises(TypeError, match="all be strings or all be leaves"):
        list(parser.pipe([["It"], [None]], jobs=2))
    assert not multiprocessing.active_children()


def test_a_worker_that_dies_is_reported(parser):
    def inputs():
        for number in range(10_000):
            if number == 200:
                victim = multiprocessing.active_children()[0]
                os.kill(victim.pid, signal.SIGKILL)
            yield ["Rain"]

    with pytest.raises(WorkerError, match="a worker process died"):
        list(parser.pipe(inputs(), jobs=2, batch_size=4))
    assert not multiprocessing.active_children()


def test_an_interrupt_ends_all_processes(parser, tmp_path):
    script = tmp_path / "script.py"
    folder = parser._source[0]
    script.write_text(
        f"""
import itertools, sys, whorl
if __name__ == "__main__":
    for tree in whorl.load({str(folder)!r}).pipe(itertools.repeat(["Rain"]), jobs=2, batch_size=8):
        print(tree, flush=True)
"""
    )
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=interruptible,
    )
    assert process.stdout.readline().startswith("(TOP")
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert errors.count("Traceback") == 1
    assert errors.rstrip().endswith("KeyboardInterrupt")
    for _ in range(100):  # the group is gone, workers and all
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("a worker is still there")


def test_loading_a_model_imports_no_pytorch_and_the_package_no_numpy(parser):
    code = f"""
import sys, whorl
assert "numpy" not in sys.modules and "whorl.parser" not in sys.modules
whorl.shipped_models()
assert "numpy" not in sys.modules
assert whorl.load({str(parser._source[0])!r})("It works").trees
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
