"""Which phrases a threshold of probability marks as uncertain, and how many of them are wrong.

    python benchmarks/uncertainty.py TREES [--model NAME] [--sentences N]

Words come from the trees, NML and NX are spliced out as in `accuracy.py`, and roots do not count.
"""

from __future__ import annotations

import argparse
from collections import Counter

import whorl
from whorl.trees import Tree, read_treebank, splice

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("trees")
    options.add_argument("--model", default="en")
    options.add_argument("--sentences", type=int)
    arguments = options.parse_args()
    gold = [splice(tree, {"NML", "NX"}) for tree in read_treebank(arguments.trees)]
    judged = judge(whorl.load(arguments.model), gold[: arguments.sentences])
    wrong = sum(not right for _, right in judged)
    print(f"{len(judged):,} phrases, {wrong:,} wrong")
    print("below  marked  right among them  wrong ones marked")
    for threshold in THRESHOLDS:
        marked = [right for probability, right in judged if probability < threshold]
        right = sum(marked)
        print(
            f"{threshold:5.2f} {len(marked) / len(judged):7.1%} {right / len(marked):17.1%} "
            f"{(len(marked) - right) / wrong:18.1%}"
        )


def judge(parser: whorl.Parser, gold: list[Tree]) -> list[tuple[float, bool]]:
    """Return the probability of each phrase but roots, and whether the gold tree has it."""
    judged = []
    for tree, (parse,) in zip(gold, parser.pipe(map(Tree.words, gold), n_best=1), strict=True):
        right = Counter(tree.spans())
        phrases = zip(parse.tree.spans(), parse.probabilities(), strict=True)
        for span, probability in list(phrases)[1:]:
            judged.append((probability, right[span] > 0))
            right[span] -= 1
    return judged


if __name__ == "__main__":
    main()
