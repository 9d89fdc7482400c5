"""What known base noun phrases add: F1 with and without them as constraints.

    python benchmarks/constraints.py NAME=TREES ...

Every base NP of the gold trees, an NP without another one inside, becomes a constraint: these words
are an NP. Words and, with `--tags`, tags come from the gold trees. NML and NX are spliced out of
them, as in `accuracy.py`; `--convention own` parses each treebank in the convention of its name.
The last line of each table counts only the brackets that were not given: the base NPs are taken out
of the gold trees, and one NP over the same words out of both parses.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import whorl
from accuracy import convention_of, spliced
from whorl import Constraint, Tree
from whorl.catalogue import find_model
from whorl.evaluation import compare
from whorl.training.learner import Treebank
from whorl.training.loop import score
from whorl.trees.splice import splice_where

Spans = set[tuple[int, int]]


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--model", default="en")
    options.add_argument("--convention", default=None)
    options.add_argument("--beam", type=int, default=1)
    options.add_argument("--tags", action="store_true")
    options.add_argument("--resamples", type=int, default=10_000)
    options.add_argument("trees", nargs="+", metavar="NAME=TREES")
    arguments = options.parse_args()
    for named in arguments.trees:
        name, _, path = named.partition("=")
        gold = spliced(path)
        own = arguments.convention == "own"
        folder = find_model(arguments.model)
        convention = convention_of(str(folder), name) if own else arguments.convention
        parser = whorl.load(folder, convention=convention)
        measure(name, parser, gold, arguments)


def measure(
    name: str, parser: whorl.Parser, gold: list[Tree], arguments: argparse.Namespace
) -> None:
    sentences = [tree.leaves() if arguments.tags else tree.words() for tree in gold]
    given = [base_noun_phrases(tree) for tree in gold]
    constraints = [[Constraint.span(*span, "NP") for span in sorted(spans)] for spans in given]
    options = {"beam": arguments.beam}
    plain, seconds = timed(lambda: list(parser.pipe(sentences, **options)))
    known, more = timed(lambda: list(parser.pipe(sentences, constraints=constraints, **options)))
    count = sum(map(len, given))
    print(f"{name}: {len(gold):,} sentences, {count:,} base NPs, beam {arguments.beam}")
    print(f"{len(gold) / seconds:.0f} sentences/s without, {len(gold) / more:.0f} with constraints")
    print(f"{'':24}without    with    gain  95 % interval")
    show("all brackets", gold, known, plain, arguments.resamples)
    others = [
        [without(tree, spans) for tree, spans in zip(trees, given, strict=True)]
        for trees in (gold, known, plain)
    ]
    show("brackets not given", *others, arguments.resamples)


def base_noun_phrases(tree: Tree) -> Spans:
    """Return the spans of the NPs without an NP inside."""
    phrases = [node for node in tree.phrases() if node.label == "NP"]
    return {
        (node.left, node.right)
        for node in phrases
        if sum(each.label == "NP" for each in node.phrases()) == 1
    }


def without(tree: Tree, given: Spans) -> Tree:
    """Take one NP over each of these spans out of a tree, the lowest."""
    lowest = {(node.left, node.right): node for node in tree.phrases() if node.label == "NP"}
    taken = {id(node) for span, node in lowest.items() if span in given}
    return splice_where(tree, lambda phrase, _: id(phrase) in taken)


def timed(parse: Callable[[], list[Tree]]) -> tuple[list[Tree], float]:
    start = time.process_time()
    return parse(), time.process_time() - start


def show(what: str, gold: list[Tree], known: list[Tree], plain: list[Tree], resamples: int) -> None:
    treebank = Treebank(gold, [tree.leaves() for tree in gold])
    reports = score(treebank, known), score(treebank, plain)
    c = compare(*reports, resamples=resamples)
    print(
        f"{what:24}{c.other_f1:7.2f} {c.f1:7.2f} {c.difference:+7.2f}  "
        f"{c.low:+.2f} to {c.high:+.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
