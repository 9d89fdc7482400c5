"""Seconds per training epoch of the paper's parser, on a CPU or a GPU.

    python benchmarks/epoch.py TREES ... --dev TREES [--sentences 40000] [--batch 256]
        [--device cuda]

The trees of all files are repeated until there are `--sentences` of them. Tags are gold: where they
come from does not affect the network. The first epoch warms the machine up, so look at the last.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from pathlib import Path

import torch

from whorl.training.recipe import Recipe
from whorl.training.run import Listener, train
from whorl.trees import read_treebank, write_trees


class PrintEpochs(Listener):
    def epoch(self, epoch, progress):
        print(
            f"epoch {epoch.number}: {epoch.seconds:.1f} s, development F1 {epoch.dev_f1:.1f}",
            flush=True,
        )


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("trees", nargs="+", metavar="TREES")
    options.add_argument("--dev", required=True, metavar="TREES")
    options.add_argument("--sentences", type=int, default=0)
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--device", default="cpu")
    options.add_argument("--system", default="nonbinary")
    options.add_argument("--oracle", default="static")
    options.add_argument("--epochs", type=int, default=2)
    options.add_argument("--threads", type=int, default=torch.get_num_threads())
    arguments = options.parse_args()
    torch.set_num_threads(arguments.threads)
    trees = [tree for path in arguments.trees for tree in read_treebank(path)]
    sample = list(itertools.islice(itertools.cycle(trees), arguments.sentences or len(trees)))
    words = sum(tree.right for tree in sample)
    print(
        f"{len(sample):,} sentences, {words:,} words, batches of {arguments.batch}, "
        f"{arguments.device}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        with (Path(folder) / "train.txt").open("w", encoding="utf-8") as file:
            write_trees(sample, file)
        settings = {
            "data.train": Path(folder) / "train.txt",
            "data.dev": arguments.dev,
            "data.tags": "gold",
            "model.system": arguments.system,
            "training.oracle": arguments.oracle,
            "training.device": arguments.device,
            "training.batch": arguments.batch,
            "training.epochs": arguments.epochs,
        }
        recipe = Recipe().override([f"{key}={value}" for key, value in settings.items()])
        train(recipe, Path(folder) / "model", listener=PrintEpochs())


if __name__ == "__main__":
    main()
