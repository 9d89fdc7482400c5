"""`whorl corpus` killed a few times; benchmarks/corpus_kills.py kills it fifty times."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.corpus.conftest import MODEL
from tests.signals import interruptible

BENCHMARK = Path(__file__).parents[2] / "benchmarks/corpus_kills.py"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")


@pytest.fixture(scope="module")
def kills():
    spec = importlib.util.spec_from_file_location("corpus_kills", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    sys.modules["corpus_kills"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def corpus(kills, tmp_path_factory):
    path = tmp_path_factory.mktemp("kills") / "corpus.jsonl.gz"
    kills.write_corpus(path, 1200)
    return path


def arguments(corpus):
    return [str(corpus), "--model", str(MODEL), "--jobs", "2", "--piece-size", "20000"]


def test_kills_leave_no_trace(kills, corpus, tmp_path):
    undisturbed = kills.Run(arguments(corpus), tmp_path / "undisturbed")
    undisturbed.start()
    undisturbed.finish()
    manifest = json.loads((tmp_path / "undisturbed/manifest.json").read_text())
    assert manifest["errors"] > 2
    done = kills.kill_many(
        arguments(corpus), tmp_path / "killed", kills=4, shards=len(manifest["shards"])
    )
    assert done == {"parent": 2, "worker": 1, "all": 1}
    assert kills.differing_files(tmp_path / "undisturbed", tmp_path / "killed") == []


def test_an_interrupt_says_how_to_continue(kills, corpus, tmp_path):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "whorl", "corpus", *arguments(corpus), "--out", str(out)]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=interruptible,
    )
    run = kills.Run([], out, process)
    while run.shards() < 2:
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    first, second = errors.splitlines()
    assert first.endswith("shards are complete; the same command continues")
    assert second == "whorl: interrupted"
    assert not list((out / "shards").glob(".*"))
    for _ in range(500):  # the group is gone, workers and all
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError("a process is still there")
