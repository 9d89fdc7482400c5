"""The smallest pieces of text between which a token may end, and what stands between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
    "APART",
    "CONTRACTED",
    "END",
    "GAPS",
    "INSIDE",
    "LINE",
    "PREFIX",
    "SHARED",
    "SUFFIX",
    "TOUCH",
    "Unit",
    "join_forms",
]

# What follows a unit.
(
    END,  # nothing: the paragraph ends
    APART,  # white space
    LINE,  # white space with a line break
    TOUCH,  # another word of UAX 29
    INSIDE,  # more of the same word
    SUFFIX,  # an ending that may be a token
    PREFIX,  # what a beginning that may be a token was cut off from
    CONTRACTED,  # the second part of a contraction
    SHARED,  # the second part of a contraction, written with the same characters
) = range(9)
GAPS = 9


class Unit(NamedTuple):
    """A piece of text, its form, and what follows it."""

    start: int
    end: int
    form: str
    gap: int
    whole: str = ""
    """The whole word, if this is the first part of a contraction."""


def join_forms(units: Sequence[Unit], joiner: str) -> str:
    """Return the form of a token made of these units; the joiner stands for white space in it."""
    if len(units) == 1:
        return units[0].form
    parts = []
    at = 0
    while at < len(units):
        unit = units[at]
        if unit.whole and at + 1 < len(units):  # a contraction that is none here
            parts.append(unit.whole)
            at += 1
            unit = units[at]
        else:
            parts.append(unit.form)
        at += 1
        if at < len(units) and unit.gap in (APART, LINE):
            parts.append(joiner)
    return "".join(parts)
