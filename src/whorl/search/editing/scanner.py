"""The text of an operation, read from left to right."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from whorl.errors import OperationError

__all__ = ["Scanner", "Word"]

_WHITE = re.compile(r"[ \t\r\n\f\v]*")
_WORD = re.compile(r"[^ \t\r\n\f\v()\[\]]+")
_ATOM = re.compile(r"[^ \t\r\n\f\v()]*")
# What Tsurgeon takes for a name, or for a label that needs no slashes.
_PLAIN = re.compile(
    r"[^ \t\r\n\f\v0-9(/|@!#%&)=?\[\]><~_.,$:{};][^ \t\r\n\f\v(/@!#%&)=?\[\]><~.,$:]*"
)


class Word(NamedTuple):
    """A run of characters without white space and brackets, and where it begins."""

    text: str
    position: int

    @property
    def is_plain(self) -> bool:
        """Whether this may be a name, or a label without slashes."""
        return _PLAIN.fullmatch(self.text) is not None


class Scanner:
    """Reads words and brackets, and rejects with a caret what it finds instead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def peek(self) -> str:
        """Skip white space and return the next character, or "" at the end."""
        white = _WHITE.match(self.text, self.position)
        self.position = white.end() if white else self.position
        return self.text[self.position : self.position + 1]

    def take(self, character: str) -> bool:
        """Skip white space, and then the character if it is the next one."""
        is_next = self.peek() == character
        self.position += is_next
        return is_next

    def word(self, expected: str) -> Word:
        """Read a word."""
        self.peek()
        match = _WORD.match(self.text, self.position)
        if not match:
            self.fail(expected)
        self.position = match.end()
        return Word(match.group(), match.start())

    def word_follows(self) -> bool:
        """Return whether a word comes next."""
        return self.peek() not in ("", "(", ")", "[", "]")

    def atom(self) -> Word:
        """Read the label or word of a tree at this very place, which may be empty."""
        match = _ATOM.match(self.text, self.position)
        start, self.position = self.position, match.end() if match else self.position
        return Word(self.text[start : self.position], start)

    def delimited(self, end: str, what: str) -> Word:
        """Read up to an unescaped `end`, escapes included, and skip it."""
        start = at = self.position
        while at < len(self.text) and self.text[at] != end:
            at += 2 if self.text[at] == "\\" else 1
        if at >= len(self.text):
            self.reject(f"{what} has no end; expected {end}", max(0, start - 1))
        self.position = at + 1
        return Word(self.text[start:at], start)

    def at_end_of_word(self) -> bool:
        """Return whether white space, a closing bracket or the end of the text is next."""
        return self.text[self.position : self.position + 1] in ("", *" \t\r\n\f\v]")

    def fail(self, expected: str, *, hint: str = "") -> NoReturn:
        """Reject what comes next."""
        self.peek()
        match = _WORD.match(self.text, self.position)
        text = match.group() if match else self.text[self.position : self.position + 1]
        shown = repr(text) if text else "the end of the operation"
        self.reject(f"expected {expected}, not {shown}{hint}", self.position)

    def reject(self, reason: str, position: int) -> NoReturn:
        """Raise an error that points at a position."""
        raise OperationError(reason, operation=self.text, position=position)
