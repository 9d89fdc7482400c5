"""Train a small parser on your own trees and parse with it: `pip install 'whorl[train]'`."""

import sys
from pathlib import Path

import whorl
from whorl.training.recipe import Recipe
from whorl.training.run import train

TREES = Path(__file__).with_name("toy.txt")  # any bracketed treebank will do
SMALL = ["span.word_dim=32", "span.character_dim=16", "span.lstm_dim=32", "span.lstm_layers=1"]


def main(folder: str = "toy-model") -> None:
    """Train for a few seconds and show what the parser learned."""
    recipe = Recipe.read("span-bilstm").override(
        [
            f"data.train={TREES}",
            f"data.dev={TREES}",  # use other trees for real parsers
            "training.epochs=60",
            "training.warmup=10",
            "training.rate=0.02",
            "training.batch=4",
            "training.export=int8",  # parsing then needs no PyTorch
            *SMALL,
        ]
    )
    progress = train(recipe, folder)
    print(f"F1 on the trees it was trained on: {progress.best:.1f}")
    parser = whorl.load(folder)
    for sentence in parser("The cat sees the old man in the garden. Who reads the new book?"):
        print(sentence.tree)


if __name__ == "__main__":
    main(*sys.argv[1:])
