"""New labels for nodes: fixed ones, and those made from the old label by a regular expression."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from whorl.search.editing.draft import Draft, RefusedError
from whorl.search.editing.references import NodeName
from whorl.search.regexes import Regex

__all__ = ["FixedLabel", "NewLabel", "Piece", "RewrittenLabel", "VariableName", "fits_in_brackets"]

_NOT_AN_ATOM = re.compile(r"[ \t\r\n\f\v()]")


def fits_in_brackets(label: str) -> bool:
    """Return whether a bracketed tree can hold a label: it has no white space and no brackets."""
    return not _NOT_AN_ATOM.search(label)


class VariableName(NamedTuple):
    """A variable of the pattern, and where it stands in the operation, for messages."""

    name: str
    position: int

    def find(self, draft: Draft) -> str:
        """Return what the variable captured."""
        value = draft.variables.get(self.name)
        if value is None:
            raise RefusedError(
                f"the variable {self.name!r} captured nothing in this match; expected one that "
                "every match binds",
                self.position,
            )
        return value


Piece: TypeAlias = str | int | NodeName | VariableName
"""A part of a replacement: text, the number of a group, a node's label or a variable."""


class NewLabel(ABC):
    """How a node gets its new label."""

    @abstractmethod
    def make(self, old: str, draft: Draft) -> str:
        """Return the new label for a node with the old one."""


class FixedLabel(NewLabel):
    """The same label for every node."""

    def __init__(self, label: str) -> None:
        self._label = label

    def make(self, old: str, draft: Draft) -> str:
        """Return the label."""
        return self._label


class RewrittenLabel(NewLabel):
    """The old label, with every match of a regular expression replaced."""

    def __init__(self, regex: Regex, pieces: Sequence[Piece]) -> None:
        self._regex = regex
        self._pieces = tuple(pieces)

    def make(self, old: str, draft: Draft) -> str:
        """Replace all matches."""
        parts = []
        at = 0
        for groups in self._regex.find_all(old):
            start, end = groups[0]
            parts.append(old[at:start])
            parts += [_text_of(piece, old, groups, draft) for piece in self._pieces]
            at = end
        return "".join([*parts, old[at:]])


def _text_of(piece: Piece, old: str, groups: Mapping[int, tuple[int, int]], draft: Draft) -> str:
    if isinstance(piece, str):
        return piece
    if isinstance(piece, int):
        return old[slice(*groups[piece])] if piece in groups else ""
    return piece.find(draft).label if isinstance(piece, NodeName) else piece.find(draft)
