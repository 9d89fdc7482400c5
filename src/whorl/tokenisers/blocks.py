"""A stream of text regrouped into paragraphs, and long paragraphs into blocks.

Where blocks begin and end depends on the text alone, not on how it arrives, so a tokeniser that
looks at one block at a time gives the same result for every division into chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from whorl.text import Newline

__all__ = ["Block", "iter_blocks"]

_BLOCK = 8192
"""Characters of a block, at most, unless it is the last of its paragraph."""
_MARGIN = 512
"""Characters before and after a block that are shown with it."""
_LOOK_BACK = 1024  # characters at the end of a block in which white space is looked for
_PIECE = 1 << 16
_LINE_BREAK = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class Block(NamedTuple):
    """A part of a text, its place, and what precedes and follows it in the paragraph."""

    text: str
    start: int
    before: str
    after: str
    last: bool
    """Whether the paragraph ends with it."""


def iter_blocks(chunks: Iterable[str], newline: Newline) -> Iterator[Block]:
    """Yield the paragraphs of a text, in blocks.

    With `newline="space"` a blank line ends a paragraph; otherwise every line break does.
    """
    paragraph = _Paragraph()
    pending = ""
    for piece in _pieces(chunks):
        pending += piece
        # A line feed may follow a carriage return.
        whole = len(pending) - pending.endswith("\r")
        at = 0
        for match in _LINE_BREAK.finditer(pending, 0, whole):
            line = pending[at : match.end()]
            at = match.end()
            yield from paragraph.add(line)
            if newline != "space" or line[-1] == "\u2029" or paragraph.line_is_blank:
                yield from paragraph.close()
            paragraph.line_is_blank = True
        yield from paragraph.add(pending[at:whole])
        pending = pending[whole:]
    yield from paragraph.add(pending)
    yield from paragraph.close()


def _pieces(chunks: Iterable[str]) -> Iterator[str]:
    for chunk in chunks:
        for at in range(0, len(chunk), _PIECE):
            yield chunk[at : at + _PIECE]


class _Paragraph:
    """The paragraph that is being read, without the blocks that are done."""

    def __init__(self) -> None:
        self._text = ""
        self._start = 0
        self._before = ""
        self.line_is_blank = True

    def add(self, text: str) -> Iterator[Block]:
        """Add text; yield the blocks that are complete."""
        if not text.isspace():
            self.line_is_blank = self.line_is_blank and not text
        self._text += text
        while len(self._text) >= _BLOCK + _MARGIN:
            yield self._block(_cut(self._text), last=False)

    def close(self) -> Iterator[Block]:
        """Yield the last block, unless it is empty."""
        if self._text or self._before:
            yield self._block(len(self._text), last=True)
        self._before = ""

    def _block(self, count: int, *, last: bool) -> Block:
        text, rest = self._text[:count], self._text[count:]
        block = Block(text, self._start, self._before, rest[:_MARGIN], last)
        self._text, self._before = rest, text[-_MARGIN:]
        self._start += count
        return block


def _cut(text: str) -> int:
    """Return where to end a block: after white space if there is any near its end."""
    for at in range(_BLOCK, _BLOCK - _LOOK_BACK, -1):
        if text[at - 1].isspace():
            return at
    return _BLOCK
