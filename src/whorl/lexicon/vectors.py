"""Pretrained word vectors: word2vec or GloVe text files, plain or gzipped."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from whorl.errors import VectorError
from whorl.files import replace_atomically
from whorl.lexicon.word_forms import plain_word

__all__ = ["Vectors"]

_DIGIT = re.compile(r"\d")


class Vectors:
    """Words and their vectors; row 0, all zeros, is for words without a vector."""

    def __init__(self, words: Sequence[str], table: npt.NDArray[np.float32]) -> None:
        self.words = list(words)
        self.table = table
        self.index = {word: row for row, word in enumerate(self.words, start=1)}

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.table.shape[1])

    @classmethod
    def none(cls) -> Vectors:
        """Return an empty table: one row of length 0."""
        return cls([], np.zeros((1, 0), dtype=np.float32))

    @classmethod
    def read(
        cls, path: str | Path, *, only: Collection[str] | None = None, limit: int = 0
    ) -> Vectors:
        """Read a text file, with or without word2vec's header line.

        `only` selects words. `limit` stops after that many: files start with the most frequent.
        """
        words: list[str] = []
        rows: list[npt.NDArray[np.float32]] = []
        line_numbers: list[int] = []
        dimension = 0
        with _opened(Path(path)) as lines, np.errstate(over="ignore"):
            for number, line in enumerate(lines, start=1):
                parts = line.rstrip("\n\r").rstrip(" ").split(" ")
                if number == 1 and len(parts) == 2 and all(map(str.isdecimal, parts)):
                    continue  # the header
                dimension = dimension or len(parts) - 1
                # A word may contain spaces, so count the numbers from the end.
                word = " ".join(parts[: len(parts) - dimension])
                if only is not None and word not in only:
                    continue
                row = _numbers(parts[-dimension:]) if len(parts) > dimension > 1 else None
                if row is None or not word:
                    raise VectorError(
                        f"{path}:{number}: expected a word and {dimension} numbers,"
                        f" got {line[:60]!r}"
                    )
                words.append(word)
                rows.append(row)
                line_numbers.append(number)
                if len(words) == limit:
                    break
        if not words:
            raise VectorError(f"{path}: no vectors found, expected lines of a word and its numbers")
        table = np.vstack([np.zeros((1, dimension), dtype=np.float32), np.stack(rows)])
        for row in np.flatnonzero(~np.isfinite(table[1:]).all(axis=1))[:1].tolist():
            raise VectorError(
                f"{path}:{line_numbers[row]}: the vector of {words[row]!r} holds NaN or infinity"
            )
        return cls(words, table)

    def write(self, path: str | Path) -> None:
        """Write a file in word2vec's format, gzipped if its name ends in `.gz`."""
        path = Path(path)
        with replace_atomically(path) as partial, partial.open("wb") as raw:
            # Without name and time, so that the same vectors make the same bytes.
            packed = path.suffix == ".gz"
            file = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if packed else raw
            with file:
                file.write(f"{len(self.words)} {self.dimension}\n".encode())
                for word, row in zip(self.words, self.table[1:], strict=True):
                    numbers = " ".join(f"{number:.4g}" for number in row.tolist())
                    file.write(f"{word} {numbers}\n".encode())

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """Return the rows of the words; see `_row`."""
        return [self._row(word) for word in sentence]

    def _row(self, word: str) -> int:
        """Look a word up as written, in lower case, with digits as zeros, without escapes."""
        index = self.index
        lowered = word.lower()
        return (
            index.get(word)
            or index.get(lowered)
            or index.get(_DIGIT.sub("0", lowered))
            or index.get(plain_word(word))  # most vectors are of text with `(`, not `-LRB-`
            or 0
        )


def _numbers(parts: Sequence[str]) -> npt.NDArray[np.float32] | None:
    try:
        with np.errstate(over="ignore"):  # infinity is reported with its line
            return np.array(parts, dtype=np.float32)
    except ValueError:
        return None


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
                yield lines
        else:
            with path.open(encoding="utf-8", newline="\n") as lines:
                yield lines
    except (OSError, UnicodeDecodeError, EOFError, zlib.error) as error:
        raise VectorError(f"cannot read the vectors file {path}: {error}") from error
