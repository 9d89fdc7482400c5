"""What decides the output of a corpus run, besides the model and the input files."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from whorl.errors import CorpusError
from whorl.text import Hyphens, Newline

__all__ = [
    "LONGEST_DOCUMENT",
    "CorpusOptions",
    "KeptColumn",
    "Kind",
    "default_piece_size",
    "parse_size",
]

Kind = Literal["text", "jsonl", "parquet"]
KeptType = Literal["bool", "int", "float", "string", "json"]

LONGEST_DOCUMENT = 64 << 20
"""Bytes of the longest document that is parsed by default."""

_SMALLEST_LIMIT = 1 << 20
_PIECES, _SMALLEST_PIECE, _LARGEST_PIECE = 512, 128 << 10, 8 << 20
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


@dataclass(frozen=True, slots=True)
class KeptColumn:
    """A column of the input that is carried through, and its type.

    The type is inferred if None. Columns of Parquet files have the type that their schema says.
    """

    name: str
    type: KeptType | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusOptions:
    """The options of a run. Two runs with the same options, model and input write the same bytes.

    What changes only how the work is done, such as the number of processes, is not among them.
    """

    kind: Kind | None = None
    """What the input files hold; None to tell it from their names."""
    documents: Literal["file", "line", "paragraph"] | None = None
    """What a document is in files of text; by default, a file."""
    text: str = "text"
    """The field or column that holds a document's text."""
    id: str | None = None
    """The field or column that names a document; by default, its file and line or row."""
    keep: tuple[KeptColumn, ...] = ()
    tokens: bool = False
    """Whether each line of a document is a tokenised sentence."""
    newline: Newline = "space"
    hyphens: Hyphens | None = None
    invalid_utf8: Literal["set-aside", "replace"] = "set-aside"
    """What happens to a document with bytes that are not UTF-8."""
    longest_document: int = LONGEST_DOCUMENT
    """Bytes; longer documents are set aside."""
    piece_size: int = 0
    """A piece ends with the document that reaches this many bytes; 0: see `default_piece_size`."""
    convention: str | None = None
    beam: int = 1
    batch_size: int | None = None
    """Sentences parsed together; None for the parser's default."""
    device: str = "cpu"
    format: Literal["parquet", "jsonl"] = "parquet"
    with_tokens: bool = False
    with_constituents: bool = False
    shards: str | None = None
    """The URI of a folder for the shards; None for `shards/` in the output folder."""

    def __post_init__(self) -> None:
        for name in ("beam", "batch_size"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise CorpusError(f"{name} must be 1 or more, not {value}")
        if self.longest_document < _SMALLEST_LIMIT:
            raise CorpusError(
                f"the longest document must be at least {_SMALLEST_LIMIT:,} bytes, "
                f"not {self.longest_document:,}"
            )
        if self.kind == "text" and (self.keep or self.id):
            raise CorpusError("files of text have no columns to keep and no column of ids")
        if self.kind not in (None, "text") and self.documents is not None:
            raise CorpusError(
                f"--documents is for files of text: in {self.kind}, each record is a document"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the options as JSON has them."""
        return dataclasses.asdict(self) | {
            "keep": [dataclasses.asdict(column) for column in self.keep]
        }


def default_piece_size(total: int) -> int:
    """Return the size of pieces for an input of `total` bytes on disk.

    A small corpus has pieces enough for all cores of a machine, a large one shards of a useful
    size. It depends on nothing but the input.
    """
    return min(max(total // _PIECES, _SMALLEST_PIECE), _LARGEST_PIECE)


def parse_size(text: str) -> int:
    """Read a number of bytes such as `500000`, `64MB` or `1G`."""
    digits = text.strip().lower().removesuffix("b")
    unit = digits[-1:] if digits[-1:].isalpha() else ""
    number = digits.removesuffix(unit)
    if unit not in _UNITS or not number.isdecimal() or int(number) == 0:
        raise CorpusError(f"expected a size such as 500000, 64MB or 1GB, not {text!r}")
    return int(number) * _UNITS[unit]
