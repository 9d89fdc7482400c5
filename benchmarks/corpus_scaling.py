"""Sentences per second of `whorl corpus` with 1, 2, 4, 8 and 16 processes.

    OMP_NUM_THREADS=1 python benchmarks/corpus_scaling.py [--jobs 1,2,4,8,16] [--seconds 30]

Each run parses a text that keeps it busy for about `--seconds`, with start-up, reading and writing
included; runs of one number of jobs are repeated, and the best counts. One run before them warms
the disk's cache. Shards are Parquet, or JSONL where PyArrow is missing. Other options go to `whorl
corpus`, such as `--device cuda`. Linux only.
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
from importlib.util import find_spec
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "src/whorl/bench/sample.txt"


def write_text(path: Path, count: int) -> None:
    """Write paragraphs of four sentences."""
    chosen = random.Random(1)
    lines = [line for line in SAMPLE.read_text(encoding="utf-8").split("\n") if line.strip()]
    with path.open("w", encoding="utf-8") as file:
        for _ in range(count // 4):
            file.write(" ".join(chosen.choices(lines, k=4)) + "\n\n")


def time_run(text: Path, model: str, jobs: int, extra: list[str]) -> tuple[float, int]:
    """Return the seconds of a run, and its sentences."""
    with tempfile.TemporaryDirectory(dir=text.parent) as out:
        command = ["corpus", str(text), "--documents", "paragraph", "--model", model]
        command += ["--out", out, "--jobs", str(jobs), "--piece-size", "100kB", *extra]
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "whorl", *command], stderr=subprocess.DEVNULL, check=True
        )
        seconds = time.perf_counter() - begin
        manifest = json.loads((Path(out) / "manifest.json").read_text(encoding="utf-8"))
        return seconds, manifest["sentences"]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--jobs", default="1,2,4,8,16")
    options.add_argument("--model", default="en")
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--rounds", type=int, default=2)
    values, extra = options.parse_known_args()
    if "--format" not in extra and find_spec("pyarrow") is None:
        extra += ["--format", "jsonl"]
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        write_text(text, 4000)
        seconds, sentences = time_run(text, values.model, 1, extra)  # warms the cache
        rate = sentences / seconds
        print(f"{cores} cores, load {os.getloadavg()[0]:.1f}, {' '.join(extra) or 'parquet'}")
        print("jobs  sentences  seconds  sentences/s  of jobs × one")
        single = 0.0
        for jobs in map(int, values.jobs.split(",")):
            write_text(text, int(rate * values.seconds * min(jobs, cores)))
            runs = [time_run(text, values.model, jobs, extra) for _ in range(values.rounds)]
            seconds, sentences = min(runs)
            single = single or sentences / seconds / jobs
            share = sentences / seconds / (jobs * single)
            print(
                f"{jobs:4}  {sentences:9,}  {seconds:7.1f}  {sentences / seconds:11,.0f}"
                f"  {share:13.2f}"
            )


if __name__ == "__main__":
    main()
