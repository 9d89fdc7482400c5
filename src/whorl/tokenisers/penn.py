"""Penn tokens, for English: the tokeniser of models that name no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.text import LONGEST, Hyphens, Newline, SentenceSpan, iter_sentences

__all__ = ["PennTokeniser"]


@dataclass(frozen=True, slots=True)
class PennTokeniser:
    """The rules of `whorl.text`."""

    hyphens: Hyphens = "keep"
    """What the treebank does with hyphenated words."""
    kind: str = "penn"

    def iter_sentences(
        self,
        chunks: Iterable[str],
        *,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
    ) -> Iterator[SentenceSpan]:
        """Cut a stream of text into sentences of Penn tokens."""
        return iter_sentences(
            chunks, newline=newline, hyphens=hyphens or self.hyphens, longest=longest
        )

    def segment(
        self,
        text: str,
        *,
        newline: Newline = "space",
        hyphens: Hyphens | None = None,
        longest: int = LONGEST,
    ) -> list[SentenceSpan]:
        """Cut a whole text into sentences of Penn tokens."""
        return list(self.iter_sentences((text,), newline=newline, hyphens=hyphens, longest=longest))
