"""Whorl in a spaCy pipeline, compared with Whorl on the same tokens; needs spaCy.

    OMP_NUM_THREADS=1 taskset -c 0 python benchmarks/spacy_pipe.py [TREES] [--model en]

Documents of the treebank's words, without tags, are parsed by the component, and the same words by
`Parser.pipe`, interleaved; the best round of each counts. The component's time includes looking up
tokens, quotation marks, checksums and storing the trees in the documents. `reading` is the time to
read all trees back.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import deque
from collections.abc import Callable, Iterable
from datetime import date
from itertools import islice
from pathlib import Path

import spacy
from spacy.tokens import Doc

from whorl.trees import Tree, iter_trees

TREES = Path(__file__).parents[2] / "shared/treebanks/en/gum/test.txt"
SENTENCES = 20  # of a document


def grouped(trees: Iterable[Tree]) -> list[list[Tree]]:
    trees = iter(trees)
    return list(iter(lambda: list(islice(trees, SENTENCES)), []))


def make_doc(nlp: spacy.Language, trees: list[Tree]) -> Doc:
    return Doc(
        nlp.vocab,
        words=[word for tree in trees for word in tree.words()],
        sent_starts=[leaf.left == 0 for tree in trees for leaf in tree.leaves()],
    )


def exhaust(results: Iterable[object]) -> None:
    deque(results, maxlen=0)


def seconds(function: Callable[[], object]) -> float:
    gc.collect()  # so that no call pays for the objects of another
    start = time.process_time()
    function()
    return time.process_time() - start


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("trees", nargs="?", type=Path, default=TREES)
    options.add_argument("--model", default="en")
    options.add_argument("--rounds", type=int, default=5)
    arguments = options.parse_args()
    nlp = spacy.blank("en")
    component = nlp.add_pipe("whorl", config={"model": arguments.model})
    groups = grouped(iter_trees(arguments.trees))
    words = [tree.words() for trees in groups for tree in trees]
    alone, piped, reading = [], [], []
    exhaust(component.parser.pipe(words))  # words seen before are looked up in a cache
    for _ in range(arguments.rounds):
        docs = [make_doc(nlp, trees) for trees in groups]
        alone.append(seconds(lambda: exhaust(component.parser.pipe(words))))
        piped.append(seconds(lambda docs=docs: exhaust(component.pipe(docs, batch_size=1000))))
        reading.append(seconds(lambda docs=docs: [doc._.trees for doc in docs]))
    print(f"{date.today()}, spaCy {spacy.__version__}, one core, best of {arguments.rounds}")
    print(f"{len(words):,} sentences, {sum(map(len, words)):,} tokens in {len(groups)} documents")
    for name, times in (("parser", alone), ("component", piped), ("reading", reading)):
        best = min(times)
        print(f"{name:9}  {best:6.3f} s  {len(words) / best:8,.0f} sentences/s")
    print(f"component / parser  {min(piped) / min(alone):.3f}")


if __name__ == "__main__":
    main()
