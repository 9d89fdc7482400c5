"""The figures of a model's card, as Markdown: F1 on test sets with and without gold tokens, tags, and speed.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/card.py MODEL NAME=TREES ... > figures.md

Each test set is parsed in its own convention, where the model knows it, and in the model's; from text (see
`from_text.py`) in its own. Speed is that of `whorl bench` on the words of the first test set.
"""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path

from accuracy import GONE, known, measured, prepared
from from_text import measured as measured_from_text
from whorl.bench.measure import measure
from whorl.description import read_description
from whorl.parser import Parser
from whorl.trees import read_treebank, splice

HEAD = ("test set", "sentences", "F1", "F1 in the convention of {}", "tags", "F1 from text", "tokens", "sentence ends")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
    own, general = (measured(prepared([model], "cpu", wanted), gold, 1, 256) for wanted in (convention, None))
    text = measured_from_text(Parser.load(model, convention=convention), path)
    figures = (own["F1"], general["F1"], own["tags"], text["F1"], text["tokens"], text["sentences"])
    return [name, f"{len(gold):,}", *(f"{figure:.2f}" for figure in figures)]


if __name__ == "__main__":
    main()
