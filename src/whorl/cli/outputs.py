"""What `whorl parse` writes: a writer for each format, all of which write sentence by sentence."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Protocol

from whorl.cli.choices import Format
from whorl.cli.common import written_whole
from whorl.cli.pictures import Pictures
from whorl.trees import conll_rows

if TYPE_CHECKING:
    from whorl.cli.inputs import Given
    from whorl.documents import Parse

__all__ = ["Writer", "open_writer", "record"]

_COLUMNS = 100  # where there is no terminal to ask
_DIGITS = 6  # of probabilities


class Writer(Protocol):
    """Writes sentences one after the other."""

    def write(self, given: Given, parses: Sequence[Parse]) -> None:
        """Write a sentence and its trees, best first, of which an empty one has none."""

    def flush(self) -> None:
        """Let readers have all that was written."""


@contextmanager
def open_writer(form: Format, out: str, *, several: bool, named: bool) -> Iterator[Writer]:
    """A writer to standard output (`-`), to a file that appears once all is written, or for SVG to a folder.

    `several` says whether sentences have several trees, `named` whether they have several sources.
    """
    if form is Format.svg:
        with Pictures.opened(out, several=several) as pictures:
            yield pictures
        return
    with written_whole(out) as file:
        if form is Format.brackets:
            yield _Brackets(file, several)
        elif form is Format.pretty:
            yield _Pretty(file, several, _width(out))
        elif form is Format.conll:
            yield _Conll(file, several, named)
        elif form is Format.jsonl:
            yield _JsonLines(file, several)
        else:
            array = _JsonArray(file, several)
            yield array
            array.close()


class _ToFile:
    def __init__(self, file: IO[str], several: bool) -> None:
        self.file = file
        self.several = several

    def flush(self) -> None:
        self.file.flush()


class _Brackets(_ToFile):
    """A tree a line. Several: a line each, after its log-probability and a tab; an empty line ends the sentence."""

    def write(self, given: Given, parses: Sequence[Parse]) -> None:
        if self.several:
            self.file.writelines(f"{parse.log_probability:.4f}\t{parse.tree}\n" for parse in parses)
            self.file.write("\n")
        else:
            self.file.write(f"{parses[0].tree}\n" if parses else "\n")


class _Pretty(_ToFile):
    """Drawings, with an empty line after each."""

    def __init__(self, file: IO[str], several: bool, width: int) -> None:
        super().__init__(file, several)
        self.width = width

    def write(self, given: Given, parses: Sequence[Parse]) -> None:
        for parse in parses:
            if self.several:
                self.file.write(f"log-probability {parse.log_probability:.4f}\n")
            self.file.write(f"{parse.tree.pretty(width=self.width)}\n\n")
        if not parses:
            self.file.write("\n")


class _Conll(_ToFile):
    """Comments, a row a word, and an empty line for each tree; for an empty sentence no rows."""

    def __init__(self, file: IO[str], several: bool, named: bool) -> None:
        super().__init__(file, several)
        self.named = named

    def write(self, given: Given, parses: Sequence[Parse]) -> None:
        head = [f"# source = {given.source.name}"] if self.named else []
        head.append(f"# sent_id = {given.number}")
        for rank, parse in enumerate(parses, start=1):
            ranked = [f"# parse = {rank}", f"# log_probability = {parse.log_probability:.4f}"] if self.several else []
            self.file.writelines(f"{line}\n" for line in (*head, *ranked, *conll_rows(parse.tree), ""))
        if not parses:
            self.file.writelines(f"{line}\n" for line in (*head, ""))


class _JsonLines(_ToFile):
    """An object a line, `null` for an empty sentence."""

    def write(self, given: Given, parses: Sequence[Parse]) -> None:
        self.file.write(_json(given, parses, self.several) + "\n")


class _JsonArray(_ToFile):
    """The same objects as one array."""

    before = "["

    def write(self, given: Given, parses: Sequence[Parse]) -> None:
        self.file.write(f"{self.before}\n{_json(given, parses, self.several)}")
        self.before = ","

    def close(self) -> None:
        self.file.write("\n]\n" if self.before == "," else "[]\n")


def _json(given: Given, parses: Sequence[Parse], several: bool) -> str:
    found = record(given, parses, several=several) if parses else None
    return json.dumps(found, ensure_ascii=False)


def record(given: Given, parses: Sequence[Parse], *, several: bool) -> dict[str, Any]:
    """A parsed sentence as JSON has it: docs/cli.md has the schema."""
    text, places = given.places()
    starts, ends = [place.start for place in places], [place.end for place in places]
    leaves = parses[0].tree.leaves()
    trees = [_parse(parse, starts, ends) for parse in parses]
    return {
        "source": given.source.key,
        "number": given.number,
        "text": text,
        "start": starts[0],
        "end": ends[-1],
        "tokens": [
            {"text": leaf.word, "tag": leaf.tag, "start": start, "end": end}
            for leaf, start, end in zip(leaves, starts, ends, strict=True)
        ],
        **trees[0],
        **({"parses": trees} if several else {}),
    }


def _parse(parse: Parse, starts: Sequence[int], ends: Sequence[int]) -> dict[str, Any]:
    phrases = list(parse.tree.phrases())
    probabilities: Sequence[float | None] = parse.probabilities() or [None] * len(phrases)
    return {
        "tree": str(parse.tree),
        "log_probability": round(parse.log_probability, _DIGITS),
        "constituents": [
            {
                "label": phrase.label,
                "left": phrase.left,
                "right": phrase.right,
                "start": starts[phrase.left],
                "end": ends[phrase.right - 1],
                "probability": None if probability is None else round(probability, _DIGITS),
            }
            for phrase, probability in zip(phrases, probabilities, strict=True)
        ],
    }


def _width(out: str) -> int:
    return shutil.get_terminal_size().columns if out == "-" and sys.stdout.isatty() else _COLUMNS
