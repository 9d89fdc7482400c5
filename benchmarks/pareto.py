"""Exported models in one table and one chart: megabytes, sentences/s on one core, F1.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/pareto.py NAME=FOLDER ... \
      --speed TREES --test NAME=TREES ... --out DIR

Speed is `Parser.pipe` over the words of the trees of `--speed`: processor time, the best of several
rounds over all models. To compare machines it is also scaled to 65 GFLOP/s, by the core's sgemm
measured in the same run. F1 is with gold tokens and predicted tags, each test set in its own
convention if the model knows it, NML and NX spliced out (see `accuracy.py`). Writes `pareto.json`,
`pareto.md` and `pareto.svg`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from accuracy import convention_of, spliced
from whorl.parser import Parser
from whorl.parser.batching import BATCH
from whorl.reporting.chart import named_points
from whorl.reporting.timing import numpy_gflops
from whorl.training.learner import Treebank
from whorl.training.loop import score
from whorl.trees import Tree, read_treebank

SCALE = 65  # GFLOP/s of the machine that speeds are scaled to


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("models", nargs="+", metavar="NAME=FOLDER")
    options.add_argument("--test", action="append", required=True, metavar="NAME=TREES")
    options.add_argument("--speed", required=True, metavar="TREES")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--out", type=Path, default=Path())
    arguments = options.parse_args()
    models = dict(model.split("=", 1) for model in arguments.models)
    tests = {name: spliced(path) for name, path in (test.split("=", 1) for test in arguments.test)}
    speeds = time_all(
        models, [tree.words() for tree in read_treebank(arguments.speed)], arguments.rounds
    )
    records = []
    for name, folder in models.items():
        f1 = {
            test: f1_score(Parser.load(folder, convention=convention_of(folder, test)), gold)
            for test, gold in tests.items()
        }
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 1e6
        records.append(
            {
                "name": name,
                "MB": size,
                **speeds[name],
                "F1": f1,
                "mean": statistics.mean(f1.values()),
            }
        )
        print(json.dumps(records[-1]), flush=True)
    write(records, arguments.out)


def time_all(
    models: dict[str, str], sentences: list[list[str]], rounds: int
) -> dict[str, dict[str, float]]:
    """Return the best figures of each model over rounds through all models."""
    parsers = {name: Parser.load(folder) for name, folder in models.items()}
    best: dict[str, dict[str, float]] = {}
    for _ in range(rounds):
        for name, parser in parsers.items():
            start = time.process_time()
            list(parser.pipe(sentences, batch_size=BATCH))
            rate = len(sentences) / (time.process_time() - start)
            core = numpy_gflops()
            if name not in best or rate > best[name]["sentences/s"]:
                best[name] = {"sentences/s": rate, "sgemm": core, "scaled": rate * SCALE / core}
    return best


def f1_score(parser: Parser, gold: list[Tree]) -> float:
    trees = [
        tree for tree in parser.pipe([tree.words() for tree in gold]) if isinstance(tree, Tree)
    ]
    return score(Treebank(gold, [tree.leaves() for tree in gold]), trees).f1


def write(records: list[dict[str, object]], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pareto.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    tests = list(records[0]["F1"])
    lines = ["| model | MB | sentences/s | at 65 GFLOP/s | " + " | ".join(tests) + " | mean |"]
    lines.append("| " + " | ".join(["---"] * (5 + len(tests))) + " |")
    for r in records:
        figures = [f"{r['F1'][test]:.2f}" for test in tests]
        whole = [
            f"{r['MB']:.1f}",
            f"{r['sentences/s']:.0f}",
            f"{r['scaled']:.0f}",
            *figures,
            f"{r['mean']:.2f}",
        ]
        lines.append(f"| {r['name']} | " + " | ".join(whole) + " |")
    (folder / "pareto.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    picture = named_points(
        {str(r["name"]): (float(r["scaled"]), float(r["mean"])) for r in records},
        title="Speed and accuracy",
        x_label="sentences/s on one core of 65 GFLOP/s",
        y_label="F1, mean of the test sets",
    )
    (folder / "pareto.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
