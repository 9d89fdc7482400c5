"""Parse a corpus of any size with several processes, and keep what is most likely right.

    python examples/corpus.py < text.txt > trees.jsonl

One text per line in, one JSON record per sentence out, in the same order. Memory does not grow with
the corpus.
"""

import json
import sys

import whorl

LEAST = 0.8  # the share of a sentence's phrases that must be expected to be right


def records(document: whorl.Document, line: int) -> list[str]:
    """Return the sentences of one text as JSON; worker processes call this."""
    return [
        json.dumps({"line": line, "text": sentence.text, "tree": str(sentence.tree)})
        for sentence in document
        if (sentence.confidence or 0) >= LEAST
    ]


def main() -> None:
    """Parse standard input."""
    parser = whorl.load()
    lines = ((text, number) for number, text in enumerate(sys.stdin, 1))
    for sentences, _ in parser.pipe(lines, as_tuples=True, jobs=2, then=records):
        for record in sentences:
            print(record)


if __name__ == "__main__":  # worker processes import this file
    main()
