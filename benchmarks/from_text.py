"""Accuracy from raw text, sentence splitting and tokenisation included: F1 by character offsets.

    python benchmarks/from_text.py --model DIR [--convention NAME|own] NAME=TREES ...

Text is rebuilt from the trees (see `detokenise.py`) and parsed. Constituents are compared by label
and by the characters they span, without punctuation at their edges, which EVALB ignores too. So a
constituent is wrong if its sentence or its words were split differently. `F1 from gold tokens` is
the same for the treebank's own tokens and sentences, so that the difference is the loss. NML and NX
are spliced out of the gold trees, as in `accuracy.py`. `tokens` and `sentences` are their own F1,
by offsets too.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from accuracy import convention_of, spliced
from detokenise import Span, documents
from whorl.parser import Parser
from whorl.trees import Tree

PUNCTUATION = frozenset([",", ":", "``", "''", "."])  # tags that COLLINS.prm deletes
ROOTS = frozenset(["TOP", "ROOT", "S1", ""])
SAME = {"PRT": "ADVP"}


class Counts:
    """How many items are gold, predicted, and both."""

    def __init__(self) -> None:
        self.gold = self.predicted = self.common = 0

    def add(self, gold: Iterable[object], predicted: Iterable[object]) -> None:
        one, other = Counter(gold), Counter(predicted)
        self.gold += one.total()
        self.predicted += other.total()
        self.common += (one & other).total()

    @property
    def f1(self) -> float:
        return 200 * self.common / max(1, self.gold + self.predicted)


def constituents(tree: Tree, offsets: Sequence[Span]) -> Iterable[tuple[str, int, int]]:
    """Yield each label with the offsets of the characters it spans."""
    kept = [number for number, leaf in enumerate(tree.leaves()) if leaf.tag not in PUNCTUATION]
    for label, left, right in tree.spans():
        inside = [number for number in kept if left <= number < right]
        if inside and label not in ROOTS:
            yield SAME.get(label, label), offsets[inside[0]][0], offsets[inside[-1]][1]


def measure(parser: Parser, file: Path) -> dict[str, float]:
    gold = iter(spliced(file))
    brackets, from_gold, tokens, sentences = Counts(), Counts(), Counts(), Counts()
    for text, spans in documents(file):
        trees = [(next(gold), offsets) for offsets in spans]
        predicted = [
            (sentence.tree, [(token.start, token.end) for token in sentence.tokens])
            for sentence in parser(text).sentences
        ]
        parsed = parser.pipe([tree.words() for tree, _ in trees])
        on_gold = [(tree, offsets) for tree, (_, offsets) in zip(parsed, trees, strict=True)]
        for count, of, found in (
            (brackets, constituents, predicted),
            (from_gold, constituents, on_gold),
            (tokens, lambda _, offsets: offsets, predicted),
            (sentences, lambda _, offsets: [(offsets[0][0], offsets[-1][1])], predicted),
        ):
            count.add(
                *(
                    [thing for tree, offsets in pairs for thing in of(tree, offsets)]
                    for pairs in (trees, found)
                )
            )
    return {
        "F1": brackets.f1,
        "F1 from gold tokens": from_gold.f1,
        "tokens": tokens.f1,
        "sentences": sentences.f1,
    }


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--model", required=True)
    options.add_argument("--convention", default=None)
    options.add_argument("--json", type=Path)
    options.add_argument("trees", nargs="+", metavar="NAME=TREES")
    arguments = options.parse_args()
    results = {}
    for named in arguments.trees:
        name, _, path = named.partition("=")
        convention = (
            convention_of(arguments.model, name)
            if arguments.convention == "own"
            else arguments.convention
        )
        results[name] = measure(Parser.load(arguments.model, convention=convention), Path(path))
        print(name, *(f"{key} {value:.2f}" for key, value in results[name].items()), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
