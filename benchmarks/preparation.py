"""Seconds from a recipe to the training samples of the span network, by number of processes.

    python benchmarks/preparation.py TREES ... [--trees 200000] [--jobs 1,2]

The trees of all files are repeated until there are `--trees` of them. Each number of processes is
measured in a fresh process: wall time, its CPU time, that of its workers, and its peak memory.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import tempfile
import time
from pathlib import Path

from whorl.bench.machine import cores, cpu_name, peak_memory
from whorl.trees import read_treebank, write_trees


def measure(trees: Path, dev: Path, jobs: int) -> None:
    from whorl.span.setup import prepare_learner
    from whorl.training.recipe import Recipe
    from whorl.training.run import Listener

    settings = [f"data.train={trees}", f"data.dev={dev}", "model.network=span"]
    sizes = ["span.word_dim=32", "span.character_dim=32", "span.lstm_dim=32"]
    recipe = Recipe().override([*settings, *sizes])
    started, before = time.perf_counter(), os.times()
    learner, _ = prepare_learner(recipe, trees.parent, Listener(), jobs=jobs)
    seconds, after = time.perf_counter() - started, os.times()
    own = after.user + after.system - before.user - before.system
    workers = after.children_user + after.children_system
    print(
        f"jobs {jobs}: {len(learner.samples):,} trees in {seconds:.1f} s, CPU {own:.1f} s "
        f"and {workers:.1f} s in workers, {(peak_memory() or 0) / 1e9:.2f} GB",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("files", nargs="+", metavar="TREES")
    options.add_argument("--trees", type=int, default=0)
    options.add_argument("--jobs", default="1,2")
    arguments = options.parse_args()
    trees = [tree for path in arguments.files for tree in read_treebank(path)]
    with tempfile.TemporaryDirectory() as folder:
        path, dev = Path(folder) / "train.txt", Path(folder) / "dev.txt"
        with path.open("w", encoding="utf-8") as file:
            repeated = itertools.cycle(trees)
            write_trees(itertools.islice(repeated, arguments.trees or len(trees)), file)
        with dev.open("w", encoding="utf-8") as file:
            write_trees(trees[:100], file)
        size = path.stat().st_size / 1e6
        print(f"{size:.0f} MB of trees, {cpu_name()}, {cores()} cores", flush=True)
        for jobs in map(int, arguments.jobs.split(",")):
            process = multiprocessing.get_context("spawn").Process(
                target=measure, args=(path, dev, jobs)
            )
            process.start()
            process.join()


if __name__ == "__main__":
    main()
