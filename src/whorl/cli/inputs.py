"""What `whorl parse` reads: sentences of a text, or lines of words, of tagged words, of trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from whorl.cli.choices import Input
from whorl.formats import Origin
from whorl.parser import ConstrainedInput
from whorl.parser.documents import Sentence
from whorl.text import TokenSpan, read_tokens

if TYPE_CHECKING:
    from whorl.cli.sources import InputSource
    from whorl.constraints import Constraint
    from whorl.engine import Parse
    from whorl.text import Hyphens, Newline
    from whorl.tokenisers import Tokeniser
    from whorl.trees import Leaf

__all__ = ["InputSentence", "Reader", "sentence_reader"]

_DROP_FROM = 1 << 16  # characters: fewer are not worth a copy of the rest
_KEEP = 1 << 23  # characters kept at most, even within a sentence


@dataclass(frozen=True, slots=True)
class InputSentence:
    """A sentence to parse, or an empty line."""

    origin: Origin
    tokens: Sequence[str] | Sequence[Leaf]
    token_spans: tuple[TokenSpan, ...] | None = None
    """The places of the words in a text; None for words without one."""
    text: str | None = None
    """The sentence as the author wrote it; None if that is very long."""
    constraints: tuple[Constraint, ...] = ()
    constraints_source: str = ""
    """The file and line of the constraints, for messages."""
    line: int | None = None
    """The line of its first word in the source; None where that is unknown."""

    @property
    def words(self) -> list[str]:
        """The words without tags."""
        return [token if isinstance(token, str) else token.word for token in self.tokens]

    @property
    def request(self) -> Sequence[str] | Sequence[Leaf] | ConstrainedInput:
        """What a parser is given."""
        if not self.constraints:
            return self.tokens
        return ConstrainedInput(self.tokens, self.constraints, self.constraints_source)

    def with_parses(self, parses: Sequence[Parse]) -> Sentence | None:
        """Return the parsed sentence; None for an empty line, which has no parses."""
        if not parses:
            return None
        if self.token_spans is None:
            return Sentence.from_words(self.words, parses)
        return Sentence(self.text or " ".join(self.words), self.token_spans, tuple(parses))


Reader = Callable[["InputSource"], Iterator[InputSentence]]


def sentence_reader(
    kind: Input,
    tokeniser: Tokeniser,
    *,
    newline: Newline = "space",
    hyphens: Hyphens | None = None,
) -> Reader:
    """Return the function that reads sentences of this kind of input; text needs a tokeniser."""
    if kind is Input.text:
        return partial(_read_text, tokeniser=tokeniser, newline=newline, hyphens=hyphens)
    if kind is Input.json:
        from whorl.cli.json_inputs import read_json

        return partial(read_json, tokeniser=tokeniser, newline=newline, hyphens=hyphens)
    return {Input.tokens: _read_tokens, Input.tagged: _read_tagged, Input.trees: _read_trees}[kind]


def _read_tokens(source: InputSource) -> Iterator[InputSentence]:
    return _lines(source, map(read_tokens, source.lines()))


def _read_tagged(source: InputSource) -> Iterator[InputSentence]:
    from whorl.trees import tagged_line

    lines = enumerate(source.lines(), start=1)
    return _lines(
        source, (tagged_line(line, source=source.name, number=number) for number, line in lines)
    )


def _read_trees(source: InputSource) -> Iterator[InputSentence]:
    from whorl.trees import iter_trees

    with source.open() as stream:
        for number, tree in enumerate(iter_trees(stream), start=1):
            yield InputSentence(Origin(source.name, source.path, number), tree.leaves())


def _lines(
    source: InputSource, sentences: Iterable[Sequence[str] | Sequence[Leaf]]
) -> Iterator[InputSentence]:
    for number, tokens in enumerate(sentences, start=1):
        yield InputSentence(Origin(source.name, source.path, number), tokens, line=number)


def _read_text(
    source: InputSource, *, tokeniser: Tokeniser, newline: Newline, hyphens: Hyphens | None
) -> Iterator[InputSentence]:
    window = _TextWindow(source.chunks())
    sentences = tokeniser.iter_sentences(window, newline=newline, hyphens=hyphens)
    for number, span in enumerate(sentences, start=1):
        origin = Origin(source.name, source.path, number)
        line = window.line(span.start)
        text = window.take(span.start, span.end)
        yield InputSentence(origin, span.words, span.tokens, text, line=line)


class _TextWindow:
    """A text that arrives in chunks and is kept from the last sentence on."""

    def __init__(self, chunks: Iterable[str]) -> None:
        self._chunks = chunks
        self._text = ""
        self._start = 0
        self._line = 1  # that of the character `_counted`
        self._counted = 0

    def __iter__(self) -> Iterator[str]:
        for chunk in self._chunks:
            if len(self._text) > _KEEP:
                self._drop(len(self._text) // 2)
            self._text += chunk
            yield chunk

    def take(self, start: int, end: int) -> str | None:
        """Return a part of the text and forget what precedes it; None if it is gone already."""
        if start < self._start:
            return None
        text = self._text[start - self._start : end - self._start]
        if start - self._start > _DROP_FROM:
            self._drop(start - self._start)
        return text

    def line(self, position: int) -> int:
        """Return the line of a character; later calls may only ask for later characters."""
        if position > self._counted:
            begin, end = self._counted - self._start, position - self._start
            self._line += self._text.count("\n", begin, end)
            self._counted = position
        return self._line

    def _drop(self, count: int) -> None:
        self.line(self._start + count)
        self._text = self._text[count:]
        self._start += count
