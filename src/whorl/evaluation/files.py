"""Reading sentences for scoring: one per line like EVALB, or trees spread over lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, cast

from whorl.errors import BracketError
from whorl.evaluation.sentence import SentenceTrees
from whorl.trees import iter_forests, iter_trees
from whorl.trees.brackets import open_trees

__all__ = ["read_sentences"]


def read_sentences(
    file: str | Path, *, skipped: list[BracketError] | None = None
) -> list[SentenceTrees]:
    """Read the sentences of a file; `-` is standard input.

    Each line is a sentence of any number of trees. But if the first line that is not blank leaves
    brackets open, trees are spread over lines, and each tree is a sentence.

    A line that is not a tree raises `BracketError`; given a list `skipped`, the error goes there
    instead, and the sentence is None. Among trees spread over lines it is always an error: nobody
    could tell how many sentences were lost, and so which gold and predicted sentences correspond.
    """
    with open_trees(file) as (stream, source):
        replayed, spread = _peek(stream, source)
        if spread:
            return list(iter_trees(replayed))
        before = len(skipped) if skipped is not None else 0
        sentences: list[SentenceTrees] = list(iter_forests(replayed, skipped=skipped))
    for error in (skipped or [])[before:]:
        sentences[error.line - 1] = None
    return sentences


class _Replayed:
    """A file whose first lines have been read: iterating starts from them again."""

    def __init__(self, head: list[bytes | str], stream: IO[bytes] | IO[str], name: str) -> None:
        self.name = name
        self._lines = chain(head, stream)

    def __iter__(self) -> Iterator[bytes | str]:
        return self._lines


def _peek(stream: IO[bytes] | IO[str], name: str) -> tuple[IO[bytes], bool]:
    """Return the file, rewound, and whether its trees are spread over lines."""
    head: list[bytes | str] = []
    for line in stream:
        head.append(line)
        if line.strip():
            break
    first = head[-1] if head else ""
    text = first if isinstance(first, str) else first.decode(errors="replace")
    spread = text.count("(") > text.count(")")
    return cast("IO[bytes]", _Replayed(head, stream, name)), spread
