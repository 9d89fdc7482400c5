"""What `whorl parse` writes: a form for each format, and writers that put sentences after each other.

A form is what makes text of a parsed sentence. It can be pickled, so that other processes can do it
for theirs.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, ClassVar, Protocol

from whorl.cli.choices import Format
from whorl.cli.common import written_whole
from whorl.cli.pictures import Pictures
from whorl.trees import conll_rows

if TYPE_CHECKING:
    from whorl.cli.inputs import Given
    from whorl.engine import Parse

__all__ = ["Form", "Writer", "open_writer", "record"]

_COLUMNS = 100  # where there is no terminal to ask
_DIGITS = 6  # of probabilities


class Form(Protocol):
    """Makes text of a sentence."""

    tells_origin: ClassVar[bool]
    """Whether it must be given more than the trees."""

    def __call__(self, parses: Sequence[Parse], given: Any) -> str:
        """A sentence from its trees, best first, of which an empty one has none, and from what was read or None."""


class Writer(Protocol):
    """Writes sentences one after the other."""

    @property
    def form(self) -> Form | None:
        """What makes of a sentence what `write` is given; None where that is its parses."""

    def write(self, made: Any) -> None:
        """Write a sentence."""

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
            yield _Texts(file, _Brackets(several))
        elif form is Format.pretty:
            yield _Texts(file, _Pretty(several, _width(out)))
        elif form is Format.conll:
            yield _Texts(file, _Conll(several, named))
        elif form is Format.jsonl:
            yield _Texts(file, _Json(several, end="\n"))
        else:
            array = _Array(file, _Json(several, end=""))
            yield array
            array.close()


@dataclass(frozen=True, slots=True)
class _Brackets:
    """A tree a line. Several: a line each, after its log-probability and a tab; an empty line ends the sentence."""

    tells_origin: ClassVar[bool] = False
    several: bool

    def __call__(self, parses: Sequence[Parse], given: None) -> str:
        if self.several:
            return (
                "".join(f"{parse.log_probability:.4f}\t{parse.tree}\n" for parse in parses) + "\n"
            )
        return f"{parses[0].tree}\n" if parses else "\n"


@dataclass(frozen=True, slots=True)
class _Pretty:
    """Drawings, with an empty line after each."""

    tells_origin: ClassVar[bool] = False
    several: bool
    width: int

    def __call__(self, parses: Sequence[Parse], given: None) -> str:
        drawn = []
        for parse in parses:
            title = f"log-probability {parse.log_probability:.4f}\n" if self.several else ""
            drawn.append(f"{title}{parse.tree.pretty(width=self.width)}\n")
        return "\n".join([*drawn, ""]) if parses else "\n"


@dataclass(frozen=True, slots=True)
class _Conll:
    """Comments, a row a word, and an empty line for each tree; for an empty sentence no rows."""

    tells_origin: ClassVar[bool] = True
    several: bool
    named: bool

    def __call__(self, parses: Sequence[Parse], given: Given) -> str:
        head = [f"# source = {given.origin.name}"] if self.named else []
        head.append(f"# sent_id = {given.number}")
        lines: list[str] = []
        for rank, parse in enumerate(parses, start=1):
            ranked = (
                [f"# parse = {rank}", f"# log_probability = {parse.log_probability:.4f}"]
                if self.several
                else []
            )
            lines += [*head, *ranked, *conll_rows(parse.tree), ""]
        return "".join(f"{line}\n" for line in (lines if parses else (*head, "")))


@dataclass(frozen=True, slots=True)
class _Json:
    """An object in one line, `null` for an empty sentence."""

    tells_origin: ClassVar[bool] = True
    several: bool
    end: str

    def __call__(self, parses: Sequence[Parse], given: Given) -> str:
        found = record(given, parses, several=self.several) if parses else None
        return json.dumps(found, ensure_ascii=False) + self.end


class _Texts:
    """Sentences as they are."""

    def __init__(self, file: IO[str], form: Form) -> None:
        self.file = file
        self.form = form

    def write(self, made: str) -> None:
        self.file.write(made)

    def flush(self) -> None:
        self.file.flush()


class _Array(_Texts):
    """The elements of a JSON array."""

    before = "["

    def write(self, made: str) -> None:
        self.file.write(f"{self.before}\n{made}")
        self.before = ","

    def close(self) -> None:
        self.file.write("\n]\n" if self.before == "," else "[]\n")


def record(given: Given, parses: Sequence[Parse], *, several: bool) -> dict[str, Any]:
    """A parsed sentence as JSON has it: docs/cli.md has the schema."""
    text, places = given.places()
    starts, ends = [place.start for place in places], [place.end for place in places]
    leaves = parses[0].tree.leaves()
    trees = [_parse(parse, starts, ends) for parse in parses]
    return {
        "source": given.origin.key,
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
