"""Parsers of several languages side by side, as Markdown: their treebanks, their F1, their speed.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/languages.py runs/models/*

Each argument is a folder that `whorl train` without a recipe has built; its name is that of the
language. F1 and tags are those of the exported model, as the build reported them, on test trees
with gold tokens and predicted tags; tokens and sentences are F1 on raw text rebuilt from the test
trees. Speed is that of `whorl bench` on the words of the test trees, in batches, on one core.
"""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from whorl.bench.machine import cpu_name
from whorl.bench.measure import measure
from whorl.building.run import BUILD_JSON, DATA
from whorl.building.treebanks import part_path
from whorl.experiments.languages import SHAPE, treebank_shape
from whorl.parser import model_files
from whorl.reporting.timing import numpy_gflops
from whorl.trees import Tree, read_treebank

FIGURES = {
    "F1, all tokens": "f1",
    "with a beam of 4": "f1_beam",
    "F1, EVALB": "f1_evalb",
    "F1, without punctuation": "f1_without_punctuation",
    "tags": "tags",
}
TEXT = ("tokens", "sentences")


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("builds", nargs="+", type=Path, metavar="FOLDER")
    options.add_argument("--rounds", type=int, default=5)
    arguments = options.parse_args()
    print(
        f"{datetime.date.today():%Y-%m-%d}, one core of {cpu_name()}, "
        f"{numpy_gflops():.0f} GFLOP/s in sgemm\n"
    )
    treebanks = [(build, name) for build in arguments.builds for name in names(build)]
    print_table(SHAPE, (shape(build, name) for build, name in treebanks))
    print()
    head = ("treebank", "test trees", *FIGURES, *TEXT, "MB", "sentences/s", "words/s")
    print_table(head, (figures(*treebank, arguments.rounds) for treebank in treebanks))


def names(build: Path) -> list[str]:
    """Return the names of the treebanks of a build; a single one may have none."""
    saved = json.loads((build / BUILD_JSON).read_text(encoding="utf-8"))
    return [treebank["name"] for treebank in saved["treebanks"]]


def title(build: Path, name: str) -> str:
    """Return what a treebank is called in the tables."""
    return f"{build.name}, {name}" if name else build.name


def trees(build: Path, name: str, part: str) -> list[Tree]:
    """Read one part of a treebank."""
    return list(read_treebank(part_path(build / DATA, name, part)))


def shape(build: Path, name: str) -> list[str]:
    """Return what a treebank is like."""
    parts = (trees(build, name, part) for part in ("train", "test"))
    return treebank_shape(title(build, name), *parts)


def figures(build: Path, name: str, rounds: int) -> list[str]:
    """Return how good and how fast the parser is on a treebank."""
    saved = json.loads((build / BUILD_JSON).read_text(encoding="utf-8"))
    scores, text = saved["scores"]["test"][name], saved["text"].get(name, {})
    size = sum((build / file).stat().st_size for file in model_files(build)) / 1e6
    speed = measure(build, [tree.words() for tree in trees(build, name, "test")], rounds=rounds)
    return [
        title(build, name),
        f"{scores['sentences']:,}",
        *(f"{scores[key]:.2f}" for key in FIGURES.values()),
        *(f"{text[key]:.2f}" if text else "–" for key in TEXT),
        f"{size:.1f}",
        f"{speed.sentences_per_second:,.0f}",
        f"{speed.tokens_per_second:,.0f}",
    ]


def print_table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    print(f"| {' | '.join(head)} |\n|{' --- |' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
