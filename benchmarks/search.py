"""Speed of tree search relative to reading, in one run on one core.

    python benchmarks/search.py [--patterns FILE] [--trees FILE] [--rounds 3]

Reads a treebank and searches it for every pattern of a file, one a line; the best round counts, in
processor time. Each round reads the trees anew, so nothing is remembered of their nodes, and
compiles the patterns anew, so nothing is remembered of their regular expressions.
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


def read(path: Path) -> tuple[float, list[Tree]]:
    gc.collect()
    start = time.process_time()
    trees = list(read_treebank(path))
    return time.process_time() - start, trees


def search_all(patterns: list[str], trees: list[Tree]) -> list[tuple[float, int, str]]:
    """Return the time and the number of matches of each pattern."""
    results = []
    for pattern in patterns:
        start = time.process_time()
        matches = sum(1 for _ in search.compile(pattern).search(trees))
        results.append((time.process_time() - start, matches, pattern))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--patterns", type=Path, default=SHARED / "tregex/patterns.txt")
    parser.add_argument("--trees", type=Path, default=SHARED / "treebanks/en/gum/dev.txt")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    patterns = options.patterns.read_text(encoding="utf-8").splitlines()
    reading, searching = [], []
    for _ in range(options.rounds):
        seconds, trees = read(options.trees)
        reading.append(seconds)
        searching.append(search_all(patterns, trees))
    fastest = min(searching, key=lambda results: sum(seconds for seconds, _, _ in results))
    total = sum(seconds for seconds, _, _ in fastest)
    print(f"{datetime.date.today()}, Python {platform.python_version()}, best of {options.rounds}")
    print(f"read    {len(trees):6,} trees     {min(reading):7.3f} s")
    matches = sum(count for _, count, _ in fastest)
    print(f"search  {len(patterns):6,} patterns  {total:7.3f} s  {matches:,} matches")
    print(f"searching takes {total / min(reading):.1f} times as long as reading; the slowest:")
    for seconds, count, pattern in sorted(fastest, reverse=True)[:5]:
        print(f"{seconds:9.3f} s  {count:7,}  {pattern[:60]}")


if __name__ == "__main__":
    main()
