"""Speed of reading and writing brackets: Whorl and NLTK, interleaved, on one core.

    python benchmarks/reading.py [FILE_OR_FOLDER] [--tokens 1000000] [--rounds 5]

Reads the `.txt` files of the shared treebanks, one tree per line, unless another source is named,
and repeats them up to the requested number of tokens. Reports the best round of each reader, in
processor time, so that other load on the machine does not count.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import io
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from nltk import Tree as NltkTree

from whorl.trees import iter_trees, read_trees, write_trees

TREEBANKS = Path(__file__).resolve().parents[2] / "shared" / "treebanks"


def tree_lines(where: Path) -> Iterator[tuple[str, int]]:
    """Yield the lines with exactly one tree, and their numbers of tokens."""
    for path in sorted(where.rglob("*.txt")) if where.is_dir() else [where]:
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
            if line.startswith("("):
                skipped: list[Exception] = []
                trees = read_trees(line, skipped=skipped)  # type: ignore[arg-type]
                if len(trees) == 1 and not skipped:
                    yield line, trees[0].right


def gather(where: Path, tokens: int) -> tuple[list[str], int]:
    """Return lines of about `tokens` tokens, repeating a corpus that is too short."""
    lines: list[str] = []
    count = 0
    while count < tokens:
        before = count
        for line, words in tree_lines(where):
            lines.append(line)
            count += words
            if count >= tokens:
                break
        if count == before:
            sys.exit(f"no file with one tree per line under {where}")
    return lines, count


def timed(function: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    result = function()
    taken = time.process_time() - start
    del result
    return taken


def cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().split("\n"):
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "where", nargs="?", type=Path, default=TREEBANKS, help="a file, or a folder of .txt files"
    )
    parser.add_argument("--tokens", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    lines, tokens = gather(options.where, options.tokens)
    text = "\n".join(lines) + "\n"
    raw = text.encode()
    trees = read_trees(text)
    functions: dict[str, Callable[[], object]] = {
        "whorl read_trees": lambda: read_trees(text),
        "whorl iter_trees": lambda: sum(1 for _ in iter_trees(io.BytesIO(raw))),
        "nltk fromstring": lambda: [NltkTree.fromstring(line) for line in lines],
        "whorl write_trees": lambda: write_trees(trees, io.StringIO()),
    }
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(options.rounds):
        for name, function in functions.items():
            best[name] = min(best[name], timed(function))
    print(f"{datetime.date.today()}, {cpu_model()}, one core, Python {platform.python_version()}")
    print(f"{len(lines):,} trees, {tokens:,} tokens, {len(raw):,} bytes; best of {options.rounds}")
    for name, seconds in best.items():
        print(f"{name:18} {seconds:7.2f} s {tokens / seconds:12,.0f} tokens/s")
    print(
        f"read_trees is {best['nltk fromstring'] / best['whorl read_trees']:.2f} times "
        "as fast as NLTK"
    )


if __name__ == "__main__":
    main()
