"""What a parser needs from a tokeniser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from whorl.text import LONGEST, Hyphens, Newline, SentenceSpan

__all__ = ["Tokeniser"]


class Tokeniser(Protocol):
    """Cuts text into the sentences and tokens that a model was trained on."""

    @property
    def kind(self) -> str:
        """The name of the kind of tokeniser, as in `model.json`."""

    def iter_sentences(
        self,
        chunks: Iterable[str],
        *,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
    ) -> Iterator[SentenceSpan]:
        """Cut a stream of text into sentences, in bounded memory.

        Offsets count from the beginning of the first chunk; the division into chunks makes no
        difference. `hyphens=None` cuts as the model's treebank does.
        """

    def segment(
        self,
        text: str,
        *,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
    ) -> list[SentenceSpan]:
        """Cut a whole text into sentences."""
