"""How accurate a model is from raw text, its own sentences and tokens included: F1 by places in the text.

    python benchmarks/from_text.py --model DIR [--convention NAME|own] NAME=TREES ...

Text is rebuilt from the trees (see `detokenise.py`), parsed, and constituents are compared by label
and by the characters they span, without punctuation at their edges, as EVALB leaves it out. So a
constituent whose sentence or words were cut otherwise is wrong. NML and NX are taken out of the
gold trees, as in `accuracy.py`. `tokens` and `sentences` are the F1 of those, by their places too.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from accuracy import GONE, known
from detokenise import Span, documents
from whorl.parser import Parser
from whorl.trees import Tree, read_treebank, splice

PUNCTUATION = frozenset([",", ":", "``", "''", "."])  # tags that EVALB's usual parameters leave out
ROOTS = frozenset(["TOP", "ROOT", "S1", ""])
SAME = {"PRT": "ADVP"}


class Counts:
    """Gold, predicted and common things."""

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


def constituents(tree: Tree, places: Sequence[Span]) -> Iterable[tuple[str, int, int]]:
    """Labels with the characters that they span."""
    kept = [number for number, leaf in enumerate(tree.leaves()) if leaf.tag not in PUNCTUATION]
    for label, left, right in tree.spans():
        inside = [number for number in kept if left <= number < right]
        if inside and label not in ROOTS:
            yield SAME.get(label, label), places[inside[0]][0], places[inside[-1]][1]


def measured(parser: Parser, file: Path) -> dict[str, float]:
    gold = iter([splice(tree, frozenset(GONE)) for tree in read_treebank(file)])
    brackets, tokens, sentences = Counts(), Counts(), Counts()
    for text, spans in documents(file):
        trees = [(next(gold), places) for places in spans]
        found = [
            (sentence.tree, [(at.start, at.end) for at in sentence.places])
            for sentence in parser(text).sentences
        ]
        for count, of in (
            (brackets, constituents),
            (tokens, lambda _, places: places),
            (sentences, lambda _, places: [(places[0][0], places[-1][1])]),
        ):
            count.add(
                *(
                    [thing for tree, places in pairs for thing in of(tree, places)]
                    for pairs in (trees, found)
                )
            )
    return {"F1": brackets.f1, "tokens": tokens.f1, "sentences": sentences.f1}


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--model", required=True)
    options.add_argument("--convention", default=None)
    options.add_argument("--json", type=Path)
    options.add_argument("trees", nargs="+", metavar="NAME=TREES")
    given = options.parse_args()
    results = {}
    for named in given.trees:
        name, _, path = named.partition("=")
        convention = known(given.model, name) if given.convention == "own" else given.convention
        results[name] = measured(Parser.load(given.model, convention=convention), Path(path))
        print(name, *(f"{key} {value:.2f}" for key, value in results[name].items()), flush=True)
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
