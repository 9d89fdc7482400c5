"""How long an epoch of the paper's parser takes to train, on a CPU or a GPU.

    python benchmarks/epoch.py TREES ... --dev TREES [--sentences 40000] [--batch 256] [--device cuda] [--system NAME]

The trees of all files, over and over until there are so many, with their own tags: the network is
that of the paper, and where tags come from changes nothing in it. The first epoch also warms the
machine up: look at the last.
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


class Telling(Listener):
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
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    trees = [tree for path in given.trees for tree in read_treebank(path)]
    chosen = list(itertools.islice(itertools.cycle(trees), given.sentences or len(trees)))
    words = sum(tree.right for tree in chosen)
    print(
        f"{len(chosen):,} sentences, {words:,} words, batches of {given.batch}, {given.device}",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        with (Path(folder) / "train.txt").open("w", encoding="utf-8") as file:
            write_trees(chosen, file)
        settings = {
            "data.train": Path(folder) / "train.txt",
            "data.dev": given.dev,
            "data.tags": "gold",
            "model.system": given.system,
            "training.oracle": given.oracle,
            "training.device": given.device,
            "training.batch": given.batch,
            "training.epochs": given.epochs,
        }
        recipe = Recipe().override([f"{key}={value}" for key, value in settings.items()])
        train(recipe, Path(folder) / "model", listener=Telling())


if __name__ == "__main__":
    main()
