"""Markdown whose prose is wrapped, as in documents written by hand."""

from __future__ import annotations

import re
import textwrap

__all__ = ["WIDTH", "wrap_markdown"]

WIDTH = 100
"""Columns."""

_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")
_KEPT = re.compile(
    r"\s*(?:\||#|!\[|```|    )|\s*$"
)  # tables, headings, pictures, code, blank lines


def wrap_markdown(text: str) -> str:
    """Wrap paragraphs and list items, each of which is one line, at `WIDTH` columns."""
    return "\n".join(map(_wrap_line, text.split("\n")))


def _wrap_line(line: str) -> str:
    if len(line) <= WIDTH or _KEPT.match(line):
        return line
    item = _ITEM.match(line)
    return textwrap.fill(
        line,
        WIDTH,
        subsequent_indent=" " * item.end() if item else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
