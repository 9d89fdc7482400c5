"""Tokens and sentences with their places in the original text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["SentenceSpan", "TokenSpan"]


class TokenSpan(NamedTuple):
    """A token: its Penn form, and its place, so that `original[start:end]` is what was written."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A sentence of at least one token."""

    tokens: tuple[TokenSpan, ...]

    @property
    def words(self) -> list[str]:
        """The Penn forms of the tokens, as a parser takes them."""
        return [token.text for token in self.tokens]

    @property
    def start(self) -> int:
        """Where the first token begins in the original text."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """Where the last token ends in the original text."""
        return self.tokens[-1].end

    def __len__(self) -> int:
        return len(self.tokens)
