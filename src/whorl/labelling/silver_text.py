"""The sentences to label: chosen lines of text files, in chunks of fixed size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whorl.batching import chunks_by_size
from whorl.engine.protocol import Tokens
from whorl.labelling.exclusion import Exclusion
from whorl.pretraining.text import numbered_lines, text_lines
from whorl.text import read_tokens
from whorl.trees import Leaf, tagged_line

__all__ = ["SentenceChoice", "TextChunk", "read_chunks", "text_name"]


@dataclass(frozen=True, slots=True)
class SentenceChoice:
    """Which lines of a text are labelled, and how they are read."""

    tagged: bool = False
    """Whether lines are `word_TAG word_TAG`; their tags are kept."""
    min_words: int = 2
    """Shorter sentences are left out."""
    max_words: int = 100
    """Longer sentences are left out."""
    max_lines: int = 0
    """Take this many lines of each file, spread evenly over it; 0 takes all."""
    skipped_lines: int = 0
    """First leave out the lines that `max_lines` would take if it were this number."""


@dataclass(frozen=True, slots=True)
class TextChunk:
    """Some consecutive sentences of a file, and how many lines between them were not taken."""

    path: Path
    number: int
    sentences: list[Tokens]
    left_out: int = 0
    """Lines that are too short or too long."""
    excluded: int = 0
    """Lines that are sentences of the excluded trees."""


def read_chunks(
    path: Path, choice: SentenceChoice, exclusion: Exclusion, size: int
) -> Iterator[TextChunk]:
    """Yield the chosen lines of a file, `size` to a chunk."""
    lines = chunks_by_size(_choose_lines(path, choice), size, lambda _: 1)
    for number, chunk in enumerate(lines):
        sentences: list[Tokens] = []
        excluded = 0
        for line_number, line in chunk:
            tokens = _read(line, str(path), line_number, choice)
            if choice.min_words <= len(tokens) <= choice.max_words:
                if _words(tokens) in exclusion:
                    excluded += 1
                else:
                    sentences.append(tokens)
        left_out = len(chunk) - len(sentences) - excluded
        yield TextChunk(path, number, sentences, left_out, excluded)


def text_name(path: Path) -> str:
    """Return a file's name without the suffixes of text and compression."""
    name = path.name
    for suffix in (".gz", ".xz", ".txt"):
        name = name.removesuffix(suffix)
    return name


def _read(line: str, source: str, number: int, choice: SentenceChoice) -> Tokens:
    return tagged_line(line, source=source, number=number) if choice.tagged else read_tokens(line)


def _words(tokens: Tokens) -> list[str]:
    return [token.word if isinstance(token, Leaf) else token for token in tokens]


def _choose_lines(path: Path, choice: SentenceChoice) -> Iterator[tuple[int, str]]:
    """Yield the lines that `skipped_lines` and `max_lines` choose, with their numbers."""
    wanted, skipped = choice.max_lines, choice.skipped_lines
    count = sum(1 for _ in text_lines(path)) if wanted or skipped else 0
    place = 0
    for index, numbered in enumerate(numbered_lines(path)):
        if skipped and _is_chosen(index, skipped, count):
            continue
        if not wanted or _is_chosen(place, wanted, count - skipped):
            yield numbered
        place += 1


def _is_chosen(number: int, wanted: int, count: int) -> bool:
    """Tell whether a line is among `wanted` lines that are spread evenly over `count`."""
    return wanted >= count or number * wanted // count != (number - 1) * wanted // count
