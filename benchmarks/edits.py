"""Speed of edits relative to reading, on one core.

    python benchmarks/edits.py [--trees FILE] [--rounds 3]

Reads a treebank and applies each edit to all of its trees; the best round counts, in processor
time. Each round reads the trees anew, so nothing is remembered of their nodes.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import platform
import time
from pathlib import Path

from whorl import search
from whorl.trees import Tree, read_treebank

SHARED = Path(__file__).resolve().parents[2] / "shared"
EDITS = [
    ("/^[.,:]$/=p", "prune p"),
    ("__=x <: (~x < __)", "excise x x"),
    ("NN=n", "relabel n NOUN"),
    ("NP=n <1 DT=d", "move d $+ n"),
    ("NP=n !> DP", "adjoinF (DP NP@) n"),
]


def read(path: Path) -> tuple[float, list[Tree]]:
    gc.collect()
    start = time.process_time()
    trees = list(read_treebank(path))
    return time.process_time() - start, trees


def apply(pattern: str, operation: str, trees: list[Tree]) -> tuple[float, int]:
    """Return the time of an edit, and how many trees it changes."""
    edit = search.compile_edit(pattern, operation)
    start = time.process_time()
    changed = sum(edit.apply(tree) is not tree for tree in trees)
    return time.process_time() - start, changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trees", type=Path, default=SHARED / "treebanks/en/gum/dev.txt")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    reading, editing = [], []
    for _ in range(options.rounds):
        results = []
        for pattern, operation in EDITS:
            seconds, trees = read(options.trees)
            reading.append(seconds)
            results.append(apply(pattern, operation, trees))
        editing.append(results)
    print(f"{datetime.date.today()}, Python {platform.python_version()}, best of {options.rounds}")
    print(f"read {len(trees):6,} trees    {min(reading):7.3f} s")
    for (pattern, operation), rounds in zip(EDITS, zip(*editing, strict=True), strict=True):
        seconds, changed = min(rounds)
        print(f"edit {changed:6,} of them  {seconds:7.3f} s  {pattern}: {operation}")


if __name__ == "__main__":
    main()
