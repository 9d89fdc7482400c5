"""The figures of a model's card, as Markdown: F1 on test sets with and without gold tokens, tags, and speed.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/card.py MODEL NAME=TREES ... > figures.md

Each test set is parsed in its own convention, where the model knows it, and in the model's; from
text (see `from_text.py`) in its own. Speed is that of `whorl bench` on the words of the first test
set. A second table shows what is hard, the mean over the test sets of at most 2,000 sentences:
length, and text in capitals or in lower case.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable
from pathlib import Path

from accuracy import GONE, known, measured, prepared
from from_text import measured as measured_from_text
from whorl.bench.measure import measure
from whorl.model_folder.description import read_description
from whorl.parser import Parser
from whorl.trees import Tree, map_words, read_treebank, splice

CONDITIONS: dict[str, Callable[[Tree], Tree | None]] = {
    "all": lambda tree: tree,
    "1 to 10 words": lambda tree: tree if tree.right <= 10 else None,
    "11 to 20 words": lambda tree: tree if 10 < tree.right <= 20 else None,
    "21 to 40 words": lambda tree: tree if 20 < tree.right <= 40 else None,
    "more than 40 words": lambda tree: tree if tree.right > 40 else None,
    "all in lower case": lambda tree: map_words(tree, str.lower),
    "all in capitals": lambda tree: map_words(tree, str.upper),
}
HEAD = (
    "test set",
    "sentences",
    "F1",
    "F1 in the convention of {}",
    "tags",
    "F1 from text",
    "tokens",
    "sentence ends",
)


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("model")
    options.add_argument("trees", nargs="+", metavar="NAME=TREES")
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    tests = {name: Path(path) for name, path in (named.split("=", 1) for named in given.trees)}
    speed(given.model, next(iter(tests.values())), given.rounds)
    convention = read_description(Path(given.model), "span")["convention"]
    print("\n| " + " | ".join(HEAD).format(convention) + " |\n|" + " --- |" * len(HEAD), flush=True)
    for name, path in tests.items():
        print("| " + " | ".join(row(given.model, name, path)) + " |", flush=True)
    conditions(given.model, tests)


def speed(model: str, trees: Path, rounds: int) -> None:
    found = measure(model, [tree.words() for tree in read_treebank(trees)], rounds=rounds)
    print(
        f"{datetime.date.today():%Y-%m-%d}, one core of {found.cpu}, {found.gflops:.0f} GFLOP/s in sgemm: "
        f"{found.sentences_per_second:.0f} sentences/s in batches of {found.batch}, "
        f"{found.sentences_per_gflop:.2f} for each GFLOP/s; one sentence {found.latency_p50_ms:.1f} ms (p50), "
        f"{found.latency_p95_ms:.1f} ms (p95); {(found.peak_memory_bytes or 0) / 1e6:.0f} MB of memory."
    )


def row(model: str, name: str, path: Path) -> list[str]:
    gold = [splice(tree, frozenset(GONE)) for tree in read_treebank(path)]
    convention = known(model, name)
    own, general = (
        measured(prepared([model], "cpu", wanted), gold, 1, 256) for wanted in (convention, None)
    )
    text = measured_from_text(Parser.load(model, convention=convention), path)
    figures = (own["F1"], general["F1"], own["tags"], text["F1"], text["tokens"], text["sentences"])
    return [name, f"{len(gold):,}", *(f"{figure:.2f}" for figure in figures)]


def conditions(model: str, tests: dict[str, Path]) -> None:
    """Print a table of what is harder and what easier."""
    sets = {
        name: [splice(tree, frozenset(GONE)) for tree in read_treebank(path)]
        for name, path in tests.items()
    }
    small = {name: trees for name, trees in sets.items() if len(trees) <= 2000}
    print(
        f"\n| sentences of {', '.join(small)} | sentences | F1 | tags |\n| --- | --- | --- | --- |",
        flush=True,
    )
    for condition, chosen in CONDITIONS.items():
        found = []
        for name, trees in small.items():
            gold = [tree for tree in map(chosen, trees) if tree is not None]
            if gold:
                found.append(
                    (
                        len(gold),
                        measured(prepared([model], "cpu", known(model, name)), gold, 1, 256),
                    )
                )
        figures = (sum(one[key] for _, one in found) / len(found) for key in ("F1", "tags"))
        print(
            f"| {condition} | {sum(n for n, _ in found):,} | {' | '.join(f'{f:.2f}' for f in figures)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
