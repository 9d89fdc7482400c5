"""Every tree of every treebank, converted and converted back.

    python benchmarks/roundtrip.py [FOLDER] [--sample N] [--processes 2]

FOLDER holds `LANGUAGE/TREEBANK/*.txt`, one tree per line (default: the shared treebanks). For each
tree: reading and writing gives the line; writing and reading gives the tree; removing and adding
the root gives the tree; and in each of the four systems, the static oracle's transitions build
the tree.
The first tree that fails ends the run. Prints a Markdown table with transitions per sentence.
`--sample N` takes every N-th tree.
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
    """Some lines of a file, with their numbers."""

    treebank: str
    path: Path
    lines: list[tuple[int, str]]


class Counts(NamedTuple):
    """Trees, words, transitions of each system, and the longest unary chain of a treebank."""

    treebank: str
    numbers: Counter[str]
    longest_chain: int


def chunks(folder: Path, sample: int) -> Iterator[Chunk]:
    """Yield every `sample`-th tree of every file, in chunks."""
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
    """Convert each tree and back, and count."""
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
    """Check reading, writing, and removing and adding the root; return the tree without it."""
    tree = read_tree(line)
    assert str(tree) == line, f"written back as {tree}"
    assert read_tree(str(tree)) == tree, "read back as another tree"
    bare = strip_root(tree)
    assert add_root(bare, tree.label) == tree, "the root is lost"
    return bare


def check_systems(tree: Tree, heads: HeadRules) -> dict[str, int]:
    """Run the static oracle of each system; return the numbers of transitions."""
    leaves = tree.leaves()
    lengths = {}
    for name, machine in MACHINES.items():
        transitions = static_oracle(tree, name, heads=heads)
        assert machine.run(leaves, transitions) == tree, f"the {name} system builds another tree"
        lengths[name] = len(transitions)
    return lengths


def longest_chain(tree: Tree) -> int:
    """Return the length of the longest chain of phrases with one child."""
    longest = 0
    pending: list[tuple[Node, int]] = [(tree, 0)]
    while pending:
        node, above = pending.pop()
        chain = above + 1 if len(node.children) == 1 else 0
        longest = max(longest, chain)
        pending += [(child, chain) for child in node.children]
    return longest


def roundtrip(folder: Path, *, sample: int = 1, processes: int = 2) -> dict[str, Counts]:
    """Check every chunk; return the counts of each treebank."""
    counts_by_treebank: dict[str, Counts] = {}
    with Pool(processes) as pool:
        for chunk_counts in pool.imap_unordered(check, chunks(folder, sample)):
            so_far = counts_by_treebank.get(
                chunk_counts.treebank, Counts(chunk_counts.treebank, Counter(), 0)
            )
            counts_by_treebank[chunk_counts.treebank] = added(so_far, chunk_counts)
    return dict(sorted(counts_by_treebank.items()))


def added(a: Counts, b: Counts) -> Counts:
    return Counts(a.treebank, a.numbers + b.numbers, max(a.longest_chain, b.longest_chain))


def markdown(counts_by_treebank: dict[str, Counts]) -> Iterator[str]:
    """Yield the lines of the table; the last row is the total."""
    yield "| treebank | trees | words | " + " | ".join(SYSTEMS) + " | longest unary chain |"
    yield "| --- |" + " ---: |" * (3 + len(SYSTEMS))
    total = Counts("all", Counter(), 0)
    for counts in counts_by_treebank.values():
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
    counts_by_treebank = roundtrip(
        options.folder, sample=options.sample, processes=options.processes
    )
    if not counts_by_treebank:
        sys.exit(f"no treebanks under {options.folder}")
    print(*markdown(counts_by_treebank), sep="\n")
    print(
        f"\nEvery tree came back the same, in {time.monotonic() - start:.0f} s with "
        f"{options.processes} processes."
    )


if __name__ == "__main__":
    main()
