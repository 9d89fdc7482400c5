"""Parsing speed of a model on one core, in batches and one sentence at a time.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/parsing.py MODEL TREES [--batch 256]

Words and tags come from the trees, so that only parsing is timed, as for parsers that do not tag.
"""

from __future__ import annotations

import argparse
import statistics

import torch

from whorl.parser import Parser
from whorl.reporting.timing import best_of, best_of_each, percentile_95, torch_gflops
from whorl.trees import iter_trees


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model")
    options.add_argument("trees")
    options.add_argument("--batch", type=int, default=256)
    options.add_argument("--rounds", type=int, default=3)
    arguments = options.parse_args()
    torch.set_num_threads(1)
    parser = Parser.load(arguments.model)
    sentences = [tree.leaves() for tree in iter_trees(arguments.trees)]
    words = sum(map(len, sentences))
    batched = best_of(
        lambda: list(parser.pipe(sentences, batch_size=arguments.batch)), arguments.rounds
    )
    single = [1000 * seconds for seconds in best_of_each(parser.parse, sentences)]
    core = torch_gflops()
    rate = len(sentences) / batched
    print(
        f"{len(sentences)} sentences, {words / len(sentences):.1f} words each; "
        f"sgemm {core:.0f} GFLOP/s on this core"
    )
    print(f"batches of {arguments.batch}: {rate:.0f} sentences/s, {rate / core:.2f} per GFLOP/s")
    print(
        f"one at a time: median {statistics.median(single):.1f} ms, "
        f"95 % under {percentile_95(single):.1f} ms"
    )


if __name__ == "__main__":
    main()
