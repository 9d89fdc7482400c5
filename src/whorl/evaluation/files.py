"""Reading the sentences of a file for scoring: one a line as EVALB has it, or trees spread over lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, cast

from whorl.errors import BracketError, TreeError
from whorl.evaluation.sentence import SentenceTrees
from whorl.trees import iter_forests, iter_trees

__all__ = ["read_sentences"]


def read_sentences(
    file: str | Path, *, skipped: list[BracketError] | None = None
) -> list[SentenceTrees]:
    """Read the sentences of a file; `-` is standard input.

    Each line is a sentence, of any number of trees. But where the first line that is not blank does not close
    the brackets that it opens, trees are spread over lines, and each tree is a sentence.

    A line that is not a tree is a `BracketError`; or, given a list `skipped`, the error is appended to it, and
    the sentence is None. Among trees spread over lines it is an error all the same: there would be no telling
    how many sentences were lost, and with them which gold and predicted sentences belong together.
    """
    with _opened(file) as stream:
        replayed, spread = _peeked(stream, "<stdin>" if str(file) == "-" else str(file))
        if spread:
            return list(iter_trees(replayed))
        before = len(skipped) if skipped is not None else 0
        sentences: list[SentenceTrees] = list(iter_forests(replayed, skipped=skipped))
    for error in (skipped or [])[before:]:
        sentences[error.line - 1] = None
    return sentences


@contextmanager
def _opened(file: str | Path) -> Iterator[IO[bytes] | IO[str]]:
    """Open a file in bytes, so that the reader can locate those that are not UTF-8."""
    if str(file) == "-":
        yield getattr(sys.stdin, "buffer", sys.stdin)
        return
    path = Path(file)
    try:
        stream = path.open("rb")
    except OSError as error:
        raise TreeError(f"cannot read {path}: {error.strerror}") from error
    with stream:
        yield stream


class _Replayed:
    """A file of which some lines have been read: iterating gives those first, then the rest."""

    def __init__(self, head: list[bytes | str], stream: IO[bytes] | IO[str], name: str) -> None:
        self.name = name
        self._lines = chain(head, stream)

    def __iter__(self) -> Iterator[bytes | str]:
        return self._lines


def _peeked(stream: IO[bytes] | IO[str], name: str) -> tuple[IO[bytes], bool]:
    """The file, still to be read from its beginning, and whether its trees are spread over lines."""
    head: list[bytes | str] = []
    for line in stream:
        head.append(line)
        if line.strip():
            break
    first = head[-1] if head else ""
    shown = first if isinstance(first, str) else first.decode(errors="replace")
    spread = shown.count("(") > shown.count(")")
    return cast("IO[bytes]", _Replayed(head, stream, name)), spread
