"""How accurate a model is on test sets: F1, complete matches, tags, and how fast it was.

    python benchmarks/accuracy.py --model DIR [--model DIR ...] [--convention NAME|own] [--beam N] NAME=TREES ...

Several models of one recipe are averaged. The trees give the words. As the models that are shipped
speak the classic labels, NML and NX are taken out of the gold trees; brackets are scored under the
gold tags, and the tags apart. The convention `own` parses each test set in that of its name, where
the model knows it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from whorl.model_folder.description import read_description
from whorl.parser.batching import parse_batched
from whorl.span.engine import SpanEngine, load_engine, load_trained
from whorl.stack_lstm.tagger import tag_accuracy
from whorl.training.learner import Treebank
from whorl.training.loop import score
from whorl.trees import Tree, read_treebank, splice

GONE = ("NML", "NX")


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--model", action="append", required=True)
    options.add_argument("--device", default="cpu")
    options.add_argument("--convention", default=None)
    options.add_argument("--beam", type=int, default=1)
    options.add_argument("--batch", type=int, default=128)
    options.add_argument("--json", type=Path)
    options.add_argument("trees", nargs="+", metavar="NAME=TREES")
    given = options.parse_args()
    results = {}
    for named in given.trees:
        name, _, path = named.partition("=")
        gold = [splice(tree, GONE) for tree in read_treebank(path)]
        convention = known(given.model[0], name) if given.convention == "own" else given.convention
        engine = prepared(given.model, given.device, convention)
        results[name] = measured(engine, gold, given.beam, given.batch)
        print(name, *(f"{key} {value:.2f}" for key, value in results[name].items()), flush=True)
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def prepared(models: Sequence[str], device: str, convention: str | None) -> SpanEngine:
    """Several models averaged, in PyTorch; one as it parses, which is without PyTorch where it was exported."""
    if len(models) > 1:
        return load_trained(models, device, convention)
    return load_engine(models[0], read_description(Path(models[0]), "span"), device, convention)


def known(model: str, treebank: str) -> str | None:
    """The convention of a treebank, or the model's own where it does not know that treebank."""
    return treebank if treebank in read_description(Path(model), "span")["treebanks"] else None


def measured(engine: SpanEngine, gold: list[Tree], beam: int, batch: int) -> dict[str, float]:
    sentences = [tree.words() for tree in gold]
    began = time.perf_counter()
    trees = [
        best.tree
        for (best,) in parse_batched(engine, sentences, batch_size=batch, beam=beam, n_best=1)
    ]
    seconds = time.perf_counter() - began
    report = score(Treebank(gold, [tree.leaves() for tree in gold]), trees)
    tags = tag_accuracy([tree.leaves() for tree in gold], [tree.tags() for tree in trees])
    return {
        "F1": report.f1,
        "exact": report.exact,
        "tags": 100 * tags,
        "sentences/s": len(gold) / seconds,
    }


if __name__ == "__main__":
    main()
