"""Reading the sentences of a file for scoring: one a line as EVALB has it, or trees spread over lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, cast

from whorl.errors import BracketError, TreeError
from whorl.evaluation.sentence import Sentence
from whorl.trees import iter_forests, iter_trees

__all__ = ["read_sentences"]


def read_sentences(file: str | Path, *, skipped: list[BracketError] | None = None) -> list[Sentence]:
    """Read the sentences of a file; `-` is standard input.

    Each line is a sentence, of any number of trees. But where the first line that is not blank does not close
    the brackets that it opens, trees are spread over lines, and each tree is a sentence.

    A line that is not a tree is a `BracketError`; or, given a list `skipped`, the error is appended to it, and
    the sentence is None. Among trees spread over lines it is an error all the same: there would be no telling
    how many sentences were lost, and with them which gold and predicted sentences belong together.
    """
    with _opened(file) as stream:
        replayed, spread = _peeked(stream)
        if spread:
            return list(iter_trees(replayed))
        before = len(skipped) if skipped is not None else 0
        sentences: list[Sentence] = list(iter_forests(replayed, skipped=skipped))
    for error in (skipped or [])[before:]:
        sentences[error.line - 1] = None
    return sentences


@contextmanager
def _opened(file: str | Path) -> Iterator[IO[str]]:
    if str(file) == "-":
        yield sys.stdin
        return
    path = Path(file)
    try:
        stream = path.open(encoding="utf-8-sig")
    except OSError as error:
        raise TreeError(f"cannot read {path}: {error.strerror}") from error
    with stream:
        yield stream


class _Replayed:
    """A file of which some lines have been read: iterating gives those first, then the rest."""

    def __init__(self, head: list[str], stream: IO[str]) -> None:
        self.name = "<stdin>" if stream is sys.stdin else stream.name
        self._lines = chain(head, stream)

    def __iter__(self) -> Iterator[str]:
        return self._lines


def _peeked(stream: IO[str]) -> tuple[IO[str], bool]:
    """The file, still to be read from its beginning, and whether its trees are spread over lines."""
    head: list[str] = []
    try:
        for line in stream:
            head.append(line)
            if line.strip():
                break
    except UnicodeDecodeError as error:
        raise BracketError(f"not UTF-8: {error.reason}", source=stream.name, line=len(head) + 1, column=1) from error
    spread = bool(head) and head[-1].count("(") > head[-1].count(")")
    return cast("IO[str]", _Replayed(head, stream)), spread
