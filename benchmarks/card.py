"""The figures of a model card, as Markdown: F1 with and without gold tokens, tags and speed.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/card.py MODEL NAME=TREES ... > figures.md

Each test set is parsed in its own convention, if the model knows it, and in the model's default;
from text (see `from_text.py`) in its own only. F1 is by EVALB's rules, which leave out the
punctuation of the Penn Treebank; two columns have it with all tokens, and without the punctuation
that the test set's own tags show (`--punctuation` lists them). Speed is that of `whorl bench` on
the words of the first test set. A second table shows what is hard: sentence length, capitals and
lower case, as the mean over the test sets of at most 2,000 sentences. A third
measures the probabilities of phrases in the default convention, if the model is calibrated.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable
from pathlib import Path

from accuracy import convention_of, load, spliced
from accuracy import measure as measure_accuracy
from from_text import measure as measure_from_text
from whorl.bench.measure import measure
from whorl.engine import Calibration
from whorl.labelling.calibration import (
    calibrated,
    judge_phrases,
    load_calibration_engine,
)
from whorl.labelling.calibration import measure as measure_probabilities
from whorl.model_folder.description import read_description
from whorl.parser import Parser
from whorl.trees import Tree, map_words, read_treebank

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
    "F1 with all tokens",
    "F1 without the treebank's punctuation",
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
    options.add_argument("--punctuation", help="tags, separated by spaces")
    options.add_argument("--rounds", type=int, default=7)
    arguments = options.parse_args()
    tests = {name: Path(path) for name, path in (named.split("=", 1) for named in arguments.trees)}
    speed(arguments.model, next(iter(tests.values())), arguments.rounds)
    convention = read_description(Path(arguments.model), "span")["convention"]
    print("\n| " + " | ".join(HEAD).format(convention) + " |\n|" + " --- |" * len(HEAD), flush=True)
    for name, path in tests.items():
        tags = arguments.punctuation and arguments.punctuation.split()
        print("| " + " | ".join(row(arguments.model, name, path, tags)) + " |", flush=True)
    conditions(arguments.model, tests)
    probabilities(arguments.model, tests)


def speed(model: str, trees: Path, rounds: int) -> None:
    result = measure(model, [tree.words() for tree in read_treebank(trees)], rounds=rounds)
    print(
        f"{datetime.date.today():%Y-%m-%d}, one core of {result.cpu}, "
        f"{result.gflops:.0f} GFLOP/s in sgemm: "
        f"{result.sentences_per_second:.0f} sentences/s in batches of {result.batch}, "
        f"{result.sentences_per_gflop:.2f} for each GFLOP/s; "
        f"one sentence {result.latency_p50_ms:.1f} ms (p50), "
        f"{result.latency_p95_ms:.1f} ms (p95); "
        f"{(result.peak_memory_bytes or 0) / 1e6:.0f} MB of memory."
    )


def row(model: str, name: str, path: Path, punctuation: list[str] | None) -> list[str]:
    gold = spliced(path)
    convention = convention_of(model, name)
    own, general = (
        measure_accuracy(load([model], "cpu", wanted), gold, 1, 256, punctuation=punctuation)
        for wanted in (convention, None)
    )
    text = measure_from_text(Parser.load(model, convention=convention), path)
    own_f1 = (own["F1"], own["F1 all tokens"], own["F1 without punctuation"])
    from_text = (text["F1"], text["tokens"], text["sentences"])
    figures = (*own_f1, general["F1"], own["tags"], *from_text)
    return [name, f"{len(gold):,}", *(f"{figure:.2f}" for figure in figures)]


def conditions(model: str, tests: dict[str, Path]) -> None:
    """Print a table of easier and harder sentences."""
    sets = {name: spliced(path) for name, path in tests.items()}
    small = {name: trees for name, trees in sets.items() if len(trees) <= 2000}
    print(
        f"\n| sentences of {', '.join(small)} | sentences | F1 | tags |\n| --- | --- | --- | --- |",
        flush=True,
    )
    for condition, select in CONDITIONS.items():
        scores = []
        for name, trees in small.items():
            gold = [tree for tree in map(select, trees) if tree is not None]
            if gold:
                scores.append(
                    (
                        len(gold),
                        measure_accuracy(
                            load([model], "cpu", convention_of(model, name)), gold, 1, 256
                        ),
                    )
                )
        figures = (sum(score[key] for _, score in scores) / len(scores) for key in ("F1", "tags"))
        print(
            f"| {condition} | {sum(count for count, _ in scores):,} | "
            f"{' | '.join(f'{f:.2f}' for f in figures)} |",
            flush=True,
        )


def probabilities(model: str, tests: dict[str, Path]) -> None:
    """Print a table of how good the calibrated probabilities of phrases are."""
    saved = read_description(Path(model), "span").get("calibration")
    if saved is None:
        return
    weights = Calibration.from_dict(saved)
    engine = load_calibration_engine(Path(model))
    print(
        "\n| test set | phrases | right | expected | calibration error | Brier | AUC |\n"
        "| --- | --- | --- | --- | --- | --- | --- |",
        flush=True,
    )
    for name, path in tests.items():
        judged = judge_phrases(engine, list(read_treebank(path)))
        phrases = [phrase for sentence in judged for phrase in sentence]
        q = measure_probabilities(calibrated(weights, phrases), phrases)
        area = "-" if q.auc is None else f"{q.auc:.3f}"
        print(
            f"| {name} | {q.phrases:,} | {q.right:.3f} | {q.expected:.3f} | {q.error:.3f} "
            f"| {q.brier:.4f} | {area} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
