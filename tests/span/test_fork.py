"""A parser keeps working in forked processes, even while other threads of the parent parse."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.exported import make_exported

SCRIPT = """
import os, random, sys, threading, time
from whorl.parser import Parser

parser = Parser.load(sys.argv[1])
chance = random.Random(1)
stopped = threading.Event()

def parse_new_words():
    while not stopped.is_set():  # new words, so that the cache of features is always changing
        list(parser.pipe([[str(chance.random()) for _ in range(30)] for _ in range(8)]))

thread = threading.Thread(target=parse_new_words)
thread.start()
children = []
for _ in range(40):
    time.sleep(0.01)
    child = os.fork()
    if not child:
        tree = parser.parse(["It", "works", str(os.getpid())])
        beam = parser.parse(["It", "works", "."], beam=2)
        os._exit(0 if len(tree.words()) == len(beam.words()) == 3 else 3)
    children.append(child)
deadline = time.monotonic() + 60
results = []
while children and time.monotonic() < deadline:
    for child in list(children):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            children.remove(child)
            results.append(os.waitstatus_to_exitcode(status))
    time.sleep(0.01)
for child in children:
    os.kill(child, 9)
    os.waitpid(child, 0)
stopped.set()
thread.join()
print(f"{results.count(0)} parsed, {len(results) - results.count(0)} failed, {len(children)} hung")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_children_forked_while_another_thread_parses_can_parse(tmp_path):
    folder = make_exported(tmp_path, "training.epochs=1")
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", SCRIPT, str(folder)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert process.stderr == ""
    assert process.stdout.strip() == "40 parsed, 0 failed, 0 hung"
