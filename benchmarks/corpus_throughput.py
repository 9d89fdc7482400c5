"""Sentences per second of `whorl corpus --jobs 2`, next to two `whorl parse`, one on each core.

    OMP_NUM_THREADS=1 python benchmarks/corpus_throughput.py [--text FILE] [--sentences 40000]

The two `whorl parse` run at the same time, each pinned to a core, on one half of the text each.
Start-up, reading and writing are included. Rounds alternate, and the best of each counts. Linux
only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

SAMPLE = Path(__file__).parents[1] / "src/whorl/bench/sample.txt"
WHORL = [sys.executable, "-m", "whorl"]


class Figures(NamedTuple):
    """What a round measured."""

    seconds: float
    processor: float
    """Seconds of processor time of all processes."""
    directing: float
    """Of that, the process that directs a run."""
    sentences: int


def write_text(folder: Path, source: Path, count: int) -> tuple[Path, Path, Path]:
    """Write paragraphs of a few sentences, and the halves of that file."""
    chosen = random.Random(1)
    lines = [line for line in source.read_text(encoding="utf-8").split("\n") if line.strip()]
    paragraphs = [" ".join(chosen.choices(lines, k=4)) + "\n\n" for _ in range(count // 4)]
    middle = len(paragraphs) // 2
    parts = {"whole": paragraphs, "first": paragraphs[:middle], "second": paragraphs[middle:]}
    paths = []
    for name, part in parts.items():
        paths.append(folder / f"{name}.txt")
        paths[-1].write_text("".join(part), encoding="utf-8")
    return paths[0], paths[1], paths[2]


def time_parse(halves: tuple[Path, Path], cores: list[int], model: str) -> Figures:
    """Run `whorl parse` on both halves at once."""
    outs = [half.with_suffix(".trees") for half in halves]
    begin, used = time.perf_counter(), children_time()
    processes = []
    for half, out, core in zip(halves, outs, cores, strict=True):
        command = ["parse", str(half), "--model", model, "--out", str(out)]
        processes.append(subprocess.Popen(["taskset", "-c", str(core), *WHORL, *command]))
    assert [process.wait() for process in processes] == [0, 0]
    seconds = time.perf_counter() - begin
    sentences = sum(out.read_bytes().count(b"\n") for out in outs)
    return Figures(seconds, children_time() - used, 0.0, sentences)


def time_corpus(text: Path, cores: list[int], model: str, extra: list[str]) -> Figures:
    """Run `whorl corpus` on the whole."""
    with tempfile.TemporaryDirectory(dir=text.parent) as out:
        begin, used = time.perf_counter(), children_time()
        command = ["corpus", str(text), "--documents", "paragraph", "--model", model]
        command += ["--out", out, "--jobs", "2", *extra]
        process = subprocess.Popen(
            ["taskset", "-c", ",".join(map(str, cores)), *WHORL, *command],
            stderr=subprocess.DEVNULL,
        )
        directing = 0.0
        while process.poll() is None:
            directing = max(directing, processor_time(process.pid))
            time.sleep(0.02)
        assert process.returncode == 0
        seconds = time.perf_counter() - begin
        manifest = json.loads((Path(out) / "manifest.json").read_text(encoding="utf-8"))
        return Figures(seconds, children_time() - used, directing, manifest["sentences"])


def children_time() -> float:
    """Return the processor time of all processes that have ended, in seconds."""
    times = os.times()
    return times.children_user + times.children_system


def processor_time(pid: int) -> float:
    """Return the processor time of a process in seconds, without that of its children."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    if fields[0] == "Z":
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--text", type=Path, default=SAMPLE, help="lines to choose from")
    options.add_argument("--sentences", type=int, default=40000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--model", default="en")
    values, extra = options.parse_known_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    with tempfile.TemporaryDirectory() as folder:
        whole, *halves = write_text(Path(folder), values.text, values.sentences)
        pairs, runs = [], []
        for _ in range(values.rounds):
            pairs.append(time_parse((halves[0], halves[1]), cores, values.model))
            runs.append(time_corpus(whole, cores, values.model, extra))
    pair, run = min(pairs), min(runs)
    print(f"best of {values.rounds}; load {os.getloadavg()[0]:.1f}")
    print("                       sentences  sentences/s  processor seconds")
    for name, figures in (("two whorl parse", pair), ("whorl corpus --jobs 2", run)):
        rate = figures.sentences / figures.seconds
        print(f"{name:21}  {figures.sentences:9,}  {rate:11,.0f}  {figures.processor:17.1f}")
    ratio = run.sentences / run.seconds / (pair.sentences / pair.seconds)
    print(f"whorl corpus has {ratio:.3f} of the rate of two whorl parse,")
    least = min(one.processor for one in runs) / min(one.processor for one in pairs)
    print(f"and takes {least:.3f} of their processor time; ", end="")
    print(f"its directing process takes {run.directing / run.processor:.1%} of that")


if __name__ == "__main__":
    main()
