"""What `whorl parse` reads: sentences cut out of text, or lines of words, of tagged words, of trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from whorl.cli.choices import Input
from whorl.text import SentenceSpan, TokenSpan, iter_sentences, read_tokens

if TYPE_CHECKING:
    from whorl.cli.sources import Origin, Source
    from whorl.text import Hyphens, Newline
    from whorl.trees import Leaf

__all__ = ["Given", "Read", "reading"]

_MANY = 1 << 16  # characters that are worth being let go
_MOST = 1 << 23  # characters that are kept, however long white space may be


@dataclass(frozen=True, slots=True)
class Given:
    """A sentence to be parsed, or an empty line."""

    origin: Origin
    number: int
    """Which sentence of its source it is, or which line."""
    tokens: Sequence[str] | Sequence[Leaf]
    cut: SentenceSpan | None = None
    """How it was cut out of a text, if it was."""
    written: str | None = None
    """What the text has in its place; None if that is very long."""

    @property
    def words(self) -> list[str]:
        """The words alone."""
        return [token if isinstance(token, str) else token.word for token in self.tokens]

    def places(self) -> tuple[str, Sequence[TokenSpan]]:
        """The text of the sentence, and the places of its words: in the source, else in the words joined by spaces."""
        words = self.words
        if self.cut is not None:
            return self.written or " ".join(words), self.cut.tokens
        places, start = [], 0
        for word in words:
            places.append(TokenSpan(word, start, start + len(word)))
            start += len(word) + 1
        return " ".join(words), places


Read = Callable[["Source"], Iterator[Given]]


def reading(kind: Input, *, newline: Newline = "space", hyphens: Hyphens = "keep") -> Read:
    """The function that reads inputs of a kind."""
    if kind is Input.text:
        return partial(_text, newline=newline, hyphens=hyphens)
    return {Input.tokens: _tokens, Input.tagged: _tagged, Input.trees: _trees}[kind]


def _tokens(source: Source) -> Iterator[Given]:
    for number, line in enumerate(source.lines(), start=1):
        yield Given(source.origin, number, read_tokens(line))


def _tagged(source: Source) -> Iterator[Given]:
    from whorl.trees import tagged_line

    for number, line in enumerate(source.lines(), start=1):
        yield Given(source.origin, number, tagged_line(line, source=source.name, number=number))


def _trees(source: Source) -> Iterator[Given]:
    from whorl.trees import iter_trees

    with source.open() as stream:
        for number, tree in enumerate(iter_trees(stream), start=1):
            yield Given(source.origin, number, tree.leaves())


def _text(source: Source, *, newline: Newline, hyphens: Hyphens) -> Iterator[Given]:
    held = _Held(source.chunks())
    for number, cut in enumerate(iter_sentences(held, newline=newline, hyphens=hyphens), start=1):
        yield Given(source.origin, number, cut.words, cut, held.take(cut.start, cut.end))


class _Held:
    """A text that passes by in chunks, kept from the last sentence on."""

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks = chunks
        self._text = ""
        self._before = 0

    def __iter__(self) -> Iterator[str]:
        for chunk in self._chunks:
            if len(self._text) > _MOST:
                self._let_go(len(self._text) // 2)
            self._text += chunk
            yield chunk

    def take(self, start: int, end: int) -> str | None:
        """A part of the text, all before which is let go; None if it has been."""
        if start < self._before:
            return None
        found = self._text[start - self._before : end - self._before]
        if start - self._before > _MANY:
            self._let_go(start - self._before)
        return found

    def _let_go(self, count: int) -> None:
        self._text = self._text[count:]
        self._before += count
