"""Raw text: from files of any size, plain or compressed, to sentences of plain words."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, BinaryIO

from whorl.errors import CorpusError
from whorl.lexicon.word_pieces import plain_word

__all__ = ["numbered_lines", "sentences", "text_files", "text_lines"]

_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {".gz": gzip.open, ".xz": lzma.open}
_SUFFIXES = (".txt", *_OPENERS)
_LONGEST = 1 << 16  # characters of a line; longer lines are read in parts
_MARKS = re.compile(r"``|''|`|\\|-[LR][RSC]B-")
_SPACED, _ATTACHED = re.compile(r"\s[,;?!.](?=\s|$)"), re.compile(r"\w[,;?!](?=\s|$)|\w\.$")
_END = re.compile(
    # A word of fewer than three letters before a full stop may be an abbreviation.
    r"(?<=[^\W\d_]{3}\.)\s+|(?<=\d\d\.)\s+|(?<=\w[!?])\s+"
    r"|(?<=[.!?][.!?\"'”’)\]])\s+|(?<=[\"'”’)\]][.!?])\s+"
)
_TOKEN = re.compile(r"\w+(?:['’.&/@\-]\w+|(?<=\d)[,:](?=\d)\w+)*|\.\.\.|--|[^\w\s]")


def text_files(folder: str | Path) -> list[Path]:
    """List the `.txt`, `.gz` and `.xz` files in a folder and below, by name; or a single file."""
    folder = Path(folder)
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise CorpusError(f"{folder} is neither a file nor a folder")
    files = sorted(
        path for path in folder.rglob("*") if path.suffix in _SUFFIXES and path.is_file()
    )
    if not files:
        raise CorpusError(f"{folder} holds no text: expected files named {', '.join(_SUFFIXES)}")
    return files


def sentences(path: Path, words: str = "auto") -> Iterator[str]:
    """Yield the sentences of a file, with plain words separated by single spaces.

    With `spaces`, a line is a sentence and its words are separated by spaces already. With `split`,
    a line is running text: it is split into sentences, and punctuation is split from words. `auto`
    decides by the file's first lines.
    """
    if words == "auto":
        words = _detect(islice(text_lines(path), 500))
    for line in text_lines(path):
        if words == "spaces":
            yield _plain(line)
        else:
            for sentence in _split(line):
                yield _plain(" ".join(_TOKEN.findall(sentence)))


def _detect(lines: Iterator[str]) -> str:
    """Tell `split` from `spaces` by whether punctuation is attached to words."""
    text = list(lines)
    spaced, attached = (
        sum(len(mark.findall(line)) for line in text) for mark in (_SPACED, _ATTACHED)
    )
    return "split" if attached > spaced else "spaces"


def _plain(line: str) -> str:
    if line.isascii() and not _MARKS.search(line):
        return " ".join(line.split())
    return " ".join(map(plain_word, line.split()))


def _split(line: str) -> Iterator[str]:
    """Split a paragraph after final punctuation, unless a lower-case letter follows."""
    sentence = ""
    for part in _END.split(line):
        if sentence and not part[:1].islower():
            yield sentence
            sentence = ""
        sentence = f"{sentence} {part}" if sentence else part
    if sentence:
        yield sentence


def text_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file, plain or compressed, that are not empty."""
    return (line for _, line in numbered_lines(path))


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that are not empty, each with its number."""
    try:
        with _opened(path) as file:
            number = 1
            while line := file.readline(_LONGEST):
                if not line.isspace():
                    yield number, line.strip()
                number += line.endswith("\n")
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(f"cannot read the text {path}: {error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    """Open a file as UTF-8; invalid bytes, which raw text has, become replacement characters."""
    with ExitStack() as stack:
        raw: BinaryIO = stack.enter_context(path.open("rb"))
        if path.suffix in _OPENERS:
            raw = stack.enter_context(_OPENERS[path.suffix](raw))
        yield io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace")
