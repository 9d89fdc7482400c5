"""Quality, size and speed of tokenisers learnt from treebanks.

    python benchmarks/tokenisers.py [--only is/greynir-gold] [--part dev]

For each treebank, a tokeniser is learnt from the training trees and measured on raw text rebuilt
from the test trees, with sentences joined by a space, or by nothing in scripts without spaces. F1
of `tokens` and `sentences` by their offsets; a word of `words` has the right form, too. English
uses `penn`, which learns nothing but whether hyphens are cut. Times are processor time.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import time
from pathlib import Path

import torch

from whorl.detokenisation import rebuild
from whorl.tokenisers import TrainedTokeniser
from whorl.tokenisers.evaluation import evaluate_tokeniser
from whorl.tokenisers.learning import learn_tokeniser
from whorl.trees import Tree, iter_trees

TREEBANKS = {
    "en/masc": "penn",
    "en/gum": "penn",
    "id/icon": None,
    "is/greynir-gold": None,
    "is/icepahc": None,
    "nl/alpino-cdb": None,
    "pt/floresta-bosque": None,
    "ja/keyaki-open": None,
    "zh/sinica-nltk": None,
}
SHARED = Path(__file__).resolve().parents[2] / "shared" / "treebanks"


def read(path: Path) -> list[Tree]:
    return list(iter_trees(path))


def size(tokeniser: object) -> int:
    if not isinstance(tokeniser, TrainedTokeniser):
        return 0
    return sum(tensor.nbytes for tensor in tokeniser.network.to_tensors().values())


def print_row(folder: Path, kind: str | None, part: str, seed: int) -> None:
    start = time.process_time()
    learnt = learn_tokeniser(read(folder / "train.txt"), kind=kind, seed=seed)
    seconds = time.process_time() - start
    gold = [tuple(tree.leaves()) for tree in read(folder / f"{part}.txt")]
    text = rebuild(gold, learnt.rules)
    start = time.process_time()
    scores = evaluate_tokeniser(learnt.tokeniser, text)
    rate = scores.tokens.gold / (time.process_time() - start)
    figures = (scores.tokens.f1, scores.words.f1, scores.sentences.f1)
    name = f"{folder.parent.name}/{folder.name}"
    print(
        f"{name:19} {learnt.tokeniser.kind:8}",
        *(f"{figure:9.2f}" for figure in figures),
        f"{seconds:9.0f} {size(learnt.tokeniser) / 1000:6.0f} {rate:9,.0f} {len(text.unknown):8}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--only", action="append", choices=TREEBANKS)
    parser.add_argument("--part", default="test", choices=["dev", "test"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(
        f"{datetime.date.today()}, one core, Python {platform.python_version()}; "
        f"{options.part} parts"
    )
    print(
        f"{'':19} {'':8} {'tokens':>9} {'words':>9} {'sentences':>9} {'seconds':>9} {'kB':>6} "
        f"{'tokens/s':>9} {'unknown':>8}"
    )
    for name in options.only or TREEBANKS:
        print_row(options.folder / name, TREEBANKS[name], options.part, options.seed)


if __name__ == "__main__":
    main()
