"""Accuracy of a span model on test sets: F1, complete matches, tags, and the speed of the run.

    python benchmarks/accuracy.py --model DIR [--model DIR ...] NAME=TREES ...

Several models of one recipe are averaged. Words come from the trees. NML and NX are spliced out of
the gold trees, because the shipped models do not predict them; `--as-annotated` keeps them.
Brackets are scored under the gold tags, which decide what is punctuation; tags are scored
separately. `F1` is by EVALB's rules for the Penn Treebank, `F1 all tokens` with punctuation, and
`F1 without punctuation` without the treebank's own, as its words show it or as `--punctuation`
lists its tags. `--convention own` parses each test set in the convention of its name, if the
model knows it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from whorl.evaluation import (
    ALL_TOKENS,
    EVALB,
    WITHOUT_PUNCTUATION,
    punctuation_tags,
    scorings,
)
from whorl.model_folder.description import read_description
from whorl.parser.batching import parse_batched
from whorl.span.engine import SpanEngine, load_engine, load_trained
from whorl.stack_lstm.tagger import tag_accuracy
from whorl.training.learner import Treebank
from whorl.training.loop import score
from whorl.trees import Tree, read_treebank, splice

SPLICED = frozenset({"NML", "NX"})


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--model", action="append", required=True)
    options.add_argument("--device", default="cpu")
    options.add_argument("--convention", default=None)
    options.add_argument("--beam", type=int, default=1)
    options.add_argument("--batch", type=int, default=128)
    options.add_argument("--punctuation", help="tags, separated by spaces")
    options.add_argument("--as-annotated", action="store_true")
    options.add_argument("--json", type=Path)
    options.add_argument("trees", nargs="+", metavar="NAME=TREES")
    arguments = options.parse_args()
    results = {}
    for named in arguments.trees:
        name, _, path = named.partition("=")
        gold = list(read_treebank(path)) if arguments.as_annotated else spliced(path)
        convention = (
            convention_of(arguments.model[0], name)
            if arguments.convention == "own"
            else arguments.convention
        )
        engine = load(arguments.model, arguments.device, convention)
        results[name] = measure(
            engine,
            gold,
            arguments.beam,
            arguments.batch,
            punctuation=arguments.punctuation and arguments.punctuation.split(),
        )
        print(name, *(f"{key} {value:.2f}" for key, value in results[name].items()), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def spliced(path: str | Path) -> list[Tree]:
    """Read gold trees without NML and NX."""
    return [splice(tree, SPLICED) for tree in read_treebank(path)]


def load(models: Sequence[str], device: str, convention: str | None) -> SpanEngine:
    """Load one model as `whorl.load` does, or several in PyTorch, to be averaged."""
    if len(models) > 1:
        return load_trained(models, device, convention)
    return load_engine(models[0], read_description(Path(models[0]), "span"), device, convention)


def convention_of(model: str, treebank: str) -> str | None:
    """Return the convention of a treebank, or None, the model's default, if it does not know it."""
    return treebank if treebank in read_description(Path(model), "span")["treebanks"] else None


def measure(
    engine: SpanEngine,
    gold: list[Tree],
    beam: int,
    batch: int,
    *,
    punctuation: Sequence[str] | None = None,
) -> dict[str, float]:
    sentences = [tree.words() for tree in gold]
    start = time.perf_counter()
    trees = [
        best.tree
        for (best,) in parse_batched(engine, sentences, batch_size=batch, beam=beam, n_best=1)
    ]
    seconds = time.perf_counter() - start
    treebank = Treebank(gold, [tree.leaves() for tree in gold])
    ways = scorings(punctuation_tags(gold) if punctuation is None else punctuation)
    reports = {name: score(treebank, trees, params) for name, params in ways.items()}
    tags = tag_accuracy([tree.leaves() for tree in gold], [tree.tags() for tree in trees])
    return {
        "F1": reports[EVALB].f1,
        "F1 all tokens": reports[ALL_TOKENS].f1,
        "F1 without punctuation": reports[WITHOUT_PUNCTUATION].f1,
        "exact": reports[EVALB].exact,
        "tags": 100 * tags,
        "sentences/s": len(gold) / seconds,
    }


if __name__ == "__main__":
    main()
