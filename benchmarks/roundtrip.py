"""Every tree of every treebank, there and back again.

    python benchmarks/roundtrip.py [FOLDER] [--sample N] [--processes 2]

FOLDER holds `LANGUAGE/TREEBANK/*.txt`, one tree a line (default: the shared treebanks). For each
tree: what is read and written is the line itself; what is written and read is the tree; a root
taken off and put on again gives the tree; and in each of the four systems, running the static
oracle's transitions gives the tree. The first tree that does not hold ends the run. Prints a
Markdown table with transitions per sentence. `--sample N` takes every N-th tree.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from whorl.oracles import static_oracle
from whorl.transitions import SYSTEMS, make_system
from whorl.trees import (
    CHINESE,
    COLLINS,
    LEFT,
    HeadRules,
    Node,
    Tree,
    add_root,
    read_tree,
    strip_root,
)

TREEBANKS = Path(__file__).resolve().parents[2] / "shared" / "treebanks"
HEADS: dict[str, HeadRules] = {"en": COLLINS, "zh": CHINESE}
MACHINES = {name: make_system(name) for name in SYSTEMS}
CHUNK = 1000


class Chunk(NamedTuple):
    """Some lines of a file, with the number of each."""

    treebank: str
    path: Path
    lines: list[tuple[int, str]]


class Counts(NamedTuple):
    """What was counted: trees, words, and the transitions of each system; and the longest unary chain."""

    treebank: str
    numbers: Counter[str]
    longest_chain: int


def chunks(folder: Path, sample: int) -> Iterator[Chunk]:
    """Every `sample`-th tree of every file, a chunk at a time."""
    for path in sorted(folder.glob("*/*/*.txt")):
        if path.stem not in ("train", "dev", "test"):
            continue
        with path.open(encoding="utf-8", newline="\n") as file:
            chosen = islice(
                enumerate((line.rstrip("\n") for line in file), start=1), 0, None, sample
            )
            while lines := list(islice(chosen, CHUNK)):
                yield Chunk(path.parent.relative_to(folder).as_posix(), path, lines)


def check(chunk: Chunk) -> Counts:
    """Take each tree there and back, and count."""
    heads = HEADS.get(chunk.treebank.partition("/")[0], LEFT)
    numbers: Counter[str] = Counter()
    longest = 0
    for number, line in chunk.lines:
        try:
            tree = check_brackets(line)
            for system, length in check_systems(tree, heads).items():
                numbers[system] += length
        except Exception as error:
            raise RuntimeError(
                f"{chunk.path}:{number}: {type(error).__name__}: {error}: {line}"
            ) from error
        numbers["trees"] += 1
        numbers["words"] += tree.right - tree.left
        longest = max(longest, longest_chain(tree))
    return Counts(chunk.treebank, numbers, longest)


def check_brackets(line: str) -> Tree:
    """Read and write a line, take the root off and put it on again; the tree without its root."""
    tree = read_tree(line)
    assert str(tree) == line, f"written back as {tree}"
    assert read_tree(str(tree)) == tree, "read back as another tree"
    bare = strip_root(tree)
    assert add_root(bare, tree.label) == tree, "the root is lost"
    return bare


def check_systems(tree: Tree, heads: HeadRules) -> dict[str, int]:
    """Run the static oracle of each system; how many transitions each took."""
    leaves = tree.leaves()
    lengths = {}
    for name, machine in MACHINES.items():
        transitions = static_oracle(tree, name, heads=heads)
        assert machine.run(leaves, transitions) == tree, f"the {name} system builds another tree"
        lengths[name] = len(transitions)
    return lengths


def longest_chain(tree: Tree) -> int:
    """The most phrases of one child that stand directly over one another."""
    longest = 0
    pending: list[tuple[Node, int]] = [(tree, 0)]
    while pending:
        node, above = pending.pop()
        chain = above + 1 if len(node.children) == 1 else 0
        longest = max(longest, chain)
        pending += [(child, chain) for child in node.children]
    return longest


def roundtrip(folder: Path, *, sample: int = 1, processes: int = 2) -> dict[str, Counts]:
    """Check every chunk; what was counted in each treebank."""
    found: dict[str, Counts] = {}
    with Pool(processes) as pool:
        for some in pool.imap_unordered(check, chunks(folder, sample)):
            known = found.get(some.treebank, Counts(some.treebank, Counter(), 0))
            found[some.treebank] = added(known, some)
    return dict(sorted(found.items()))


def added(a: Counts, b: Counts) -> Counts:
    return Counts(a.treebank, a.numbers + b.numbers, max(a.longest_chain, b.longest_chain))


def markdown(found: dict[str, Counts]) -> Iterator[str]:
    """The table, with a last row for all trees together."""
    yield "| treebank | trees | words | " + " | ".join(SYSTEMS) + " | longest unary chain |"
    yield "| --- |" + " ---: |" * (3 + len(SYSTEMS))
    total = Counts("all", Counter(), 0)
    for counts in found.values():
        yield row(counts)
        total = added(total, counts)
    yield row(total)


def row(counts: Counts) -> str:
    numbers, trees = counts.numbers, counts.numbers["trees"]
    cells = [f"{trees:,}", f"{numbers['words']:,}", *(f"{numbers[s] / trees:.2f}" for s in SYSTEMS)]
    return f"| {counts.treebank} | {' | '.join(cells)} | {counts.longest_chain} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=TREEBANKS)
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="every N-th tree")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    start = time.monotonic()
    found = roundtrip(options.folder, sample=options.sample, processes=options.processes)
    if not found:
        sys.exit(f"no treebanks under {options.folder}")
    print(*markdown(found), sep="\n")
    print(
        f"\nEvery tree came back the same, in {time.monotonic() - start:.0f} s with {options.processes} processes."
    )


if __name__ == "__main__":
    main()
