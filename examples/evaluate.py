"""Score a parser against gold trees, see where it fails, and draw the worst sentence."""

import sys
from pathlib import Path

import whorl
from whorl.evaluation import evaluate, read_sentences
from whorl.trees import write_trees

GOLD = Path(__file__).with_name("toy.txt")


def main(folder: str = ".") -> None:
    """Parse the words of the gold trees, write the trees, and compare the two files."""
    parser = whorl.load()
    gold = whorl.read_trees(GOLD.read_text(encoding="utf-8"))
    trees = [tree for tree in parser.pipe(tree.words() for tree in gold) if tree is not None]
    predicted = Path(folder, "predicted.txt")
    with predicted.open("w", encoding="utf-8") as file:
        write_trees(trees, file)

    report = evaluate(read_sentences(GOLD), read_sentences(predicted))  # EVALB's rules
    print(f"F1 {report.f1:.2f}, complete {report.exact:.2f}, tags {report.tagging:.2f}")
    for label, tally in sorted(report.by_label().items()):
        print(f"{label:6} recall {tally.recall:6.2f}, precision {tally.precision:6.2f}")

    worst = min(report.scores, key=lambda score: score.recall + score.precision)
    picture = Path(folder, "worst.svg")
    picture.write_text(trees[worst.number - 1].svg(), encoding="utf-8")
    print(f"sentence {worst.number} drawn to {picture}: {trees[worst.number - 1]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
