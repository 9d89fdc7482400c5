"""Raw text: files of any size, plain or compressed, to plain sentences of words between spaces."""

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

__all__ = ["sentences", "text_files", "text_lines"]

_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {".gz": gzip.open, ".xz": lzma.open}
_SUFFIXES = (".txt", *_OPENERS)
_LONGEST = 1 << 16  # characters of a line; a longer one is taken in parts
_MARKS = re.compile(r"``|''|`|\\|-[LR][RSC]B-")
_SPACED, _ATTACHED = re.compile(r"\s[,;?!.](?=\s|$)"), re.compile(r"\w[,;?!](?=\s|$)|\w\.$")
_END = re.compile(
    r"(?<=[^\W\d_]{3}\.)\s+|(?<=\d\d\.)\s+|(?<=\w[!?])\s+"  # a shorter word before a full stop may be an abbreviation
    r"|(?<=[.!?][.!?\"'”’)\]])\s+|(?<=[\"'”’)\]][.!?])\s+"
)
_TOKEN = re.compile(r"\w+(?:['’.&/@\-]\w+|(?<=\d)[,:](?=\d)\w+)*|\.\.\.|--|[^\w\s]")


def text_files(folder: str | Path) -> list[Path]:
    """The text files in a folder and those below it, `.txt`, `.gz` and `.xz`, by name; or one such file."""
    folder = Path(folder)
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise CorpusError(f"{folder} is no folder of text")
    found = sorted(
        path for path in folder.rglob("*") if path.suffix in _SUFFIXES and path.is_file()
    )
    if not found:
        raise CorpusError(f"{folder} holds no text: expected files named {', '.join(_SUFFIXES)}")
    return found


def sentences(path: Path, words: str = "auto") -> Iterator[str]:
    """The sentences of a file, their words plain and between single spaces.

    With `spaces` a line is a sentence and its words stand between spaces already. With `split` a
    line is running text: it is cut at the ends of sentences, and punctuation is cut from words.
    `auto` decides by the file's first lines.
    """
    if words == "auto":
        words = _kind(islice(text_lines(path), 500))
    for line in text_lines(path):
        if words == "spaces":
            yield _plain(line)
        else:
            for sentence in _cut(line):
                yield _plain(" ".join(_TOKEN.findall(sentence)))


def _kind(lines: Iterator[str]) -> str:
    text = list(lines)
    spaced, attached = (
        sum(len(mark.findall(line)) for line in text) for mark in (_SPACED, _ATTACHED)
    )
    return "split" if attached > spaced else "spaces"


def _plain(line: str) -> str:
    if line.isascii() and not _MARKS.search(line):
        return " ".join(line.split())
    return " ".join(map(plain_word, line.split()))


def _cut(line: str) -> Iterator[str]:
    """Cut a paragraph where a sentence seems to end: a mark after a word, and no small letter after it."""
    held = ""
    for part in _END.split(line):
        if held and not part[:1].islower():
            yield held
            held = ""
        held = f"{held} {part}" if held else part
    if held:
        yield held


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a file, plain or compressed, that are not empty."""
    try:
        with _opened(path) as file:
            while line := file.readline(_LONGEST):
                if not line.isspace():
                    yield line.strip()
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(f"cannot read the text {path}: {error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    """Open a file as UTF-8; a byte that is not becomes a replacement character, as raw text has such."""
    with ExitStack() as stack:
        raw: BinaryIO = stack.enter_context(path.open("rb"))
        if path.suffix in _OPENERS:
            raw = stack.enter_context(_OPENERS[path.suffix](raw))
        yield io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace")
