"""What text is cut into: tokens that know where they stand, and the sentences they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["SentenceSpan", "TokenSpan"]


class TokenSpan(NamedTuple):
    """A token in its Penn form, and where it stands: `original[start:end]` is what the author wrote."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """The tokens of a sentence, of which there is at least one."""

    tokens: tuple[TokenSpan, ...]

    @property
    def words(self) -> list[str]:
        """The tokens' Penn forms, as a parser takes them."""
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
