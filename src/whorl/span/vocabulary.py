"""The encoder of the `span` network: sentences, labels and treebanks to numbers. It is saved with a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.lexicon.characters import Characters
from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.word_forms import in_capitals, plain_word
from whorl.lexicon.words import Words
from whorl.span.samples import Sentence, SpanInputs, SpanSample, Step, collate_inputs, follow
from whorl.transitions import Transition

if TYPE_CHECKING:
    from whorl.lexicon.word_pieces import Pieces  # it needs a library that not every model does

__all__ = ["GENERIC", "TOKENIZER", "SpanVocabulary"]

TOKENIZER = "tokenizer.json"

GENERIC = 0
"""The number of no treebank in particular."""


@dataclass(slots=True)
class SpanVocabulary:
    """Numbers for all that the `span` network reads and writes; what a model does not use is None."""

    labels: list[str]
    """Phrase labels, numbered from 1; 0 is a word."""
    tags: Tags
    treebanks: list[str]
    """The names of the treebanks that were mixed, numbered from 1; 0 is none in particular."""
    words: Words | None = None
    vectors: Vectors | None = None
    characters: Characters | None = None
    pieces: Pieces | None = None
    longest: int = 500
    """The most pieces of a chunk: a sentence of more is read in several."""
    lower_capitals: bool = False
    """Whether a sentence that is all in capitals is read as if it were in lower case."""
    index: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.index = {label: number for number, label in enumerate(self.labels, start=1)}

    def to_dict(self) -> dict[str, Any]:
        """What a file has to hold; vectors and the tokenizer are files of their own."""
        pieces = self.pieces
        return {
            "labels": self.labels,
            "tags": self.tags.tags,
            "treebanks": self.treebanks,
            "words": None if self.words is None else self.words.words,
            "vectors": None if self.vectors is None else self.vectors.words,
            "characters": None if self.characters is None else self.characters.characters,
            "pieces": None if pieces is None else [pieces.start, pieces.end, pieces.unknown],
            "longest": self.longest,
            "lower_capitals": self.lower_capitals,
        }

    @classmethod
    def from_dict(
        cls, saved: dict[str, Any], folder: Path, vectors: npt.NDArray[np.float32] | None
    ) -> SpanVocabulary:
        """Undo `to_dict`, with the tokenizer in a folder; vectors are needed by who looks them up."""
        pieces = None
        if saved["pieces"] is not None:
            from whorl.lexicon.word_pieces import Pieces

            start, end, unknown = saved["pieces"]
            pieces = Pieces.read(folder / TOKENIZER, start=start, end=end, unknown=unknown)
        table = np.zeros((1, 0), dtype=np.float32) if vectors is None else vectors
        return cls(
            labels=saved["labels"],
            tags=Tags(saved["tags"]),
            treebanks=saved["treebanks"],
            words=None if saved["words"] is None else Words(saved["words"]),
            vectors=None if saved["vectors"] is None else Vectors(saved["vectors"], table),
            characters=None if saved["characters"] is None else Characters(saved["characters"]),
            pieces=pieces,
            longest=saved["longest"],
            lower_capitals=saved.get("lower_capitals", False),  # an older model has none
        )

    def treebank(self, name: str | None) -> int:
        """The number of a treebank's convention; None is generic."""
        if name is None:
            return GENERIC
        if name not in self.treebanks:
            known = ", ".join(self.treebanks) or "none"
            raise ModelError(
                f"the model does not know the treebank {name!r}: it was trained on {known}"
            )
        return self.treebanks.index(name) + 1

    def read(self, words: Sequence[str]) -> Sequence[str]:
        """A sentence's words as the network is to read them: of one in capitals perhaps in lower case."""
        if self.lower_capitals and in_capitals(words):
            return [plain_word(word).lower() for word in words]
        return words

    def sentence(self, words: Sequence[str], *, treebank: int = GENERIC) -> Sentence:
        """A sentence's words as arrays."""
        words = self.read(words)
        rows = np.zeros((len(words), 2), dtype=np.int32)
        if self.words is not None:
            rows[:, 0] = self.words.encode(words)
        if self.vectors is not None:
            rows[:, 1] = self.vectors.encode(words)
        if self.characters is not None:
            characters = self.characters.encode(words)
        else:
            characters = np.zeros((len(words), 0), dtype=np.uint16)
        pieces, chunks, ends = self.in_pieces(words)
        return Sentence(
            rows,
            characters,
            np.array(pieces, dtype=np.int32),
            np.array(chunks, dtype=np.int32),
            np.array(ends, dtype=np.int32).reshape(len(words), 3),
            treebank,
        )

    def batch(self, sentences: Sequence[Sequence[str]], treebanks: Sequence[int]) -> SpanInputs:
        """Sentences of words, each in the convention of a treebank by its number, put together."""
        pairs = zip(sentences, treebanks, strict=True)
        return collate_inputs([self.sentence(words, treebank=number) for words, number in pairs])

    def steps(self, transitions: Iterable[Transition]) -> list[Step]:
        """A sequence of the non-binary system as numbers."""
        return [
            (t.arity, self.index[t.label]) if t.label is not None else (0, 0) for t in transitions
        ]

    def sample(self, sentence: Sentence, tags: Sequence[str], steps: Sequence[Step]) -> SpanSample:
        """A gold sequence over a sentence."""
        return follow(sentence, self.tags.encode(tags), steps, steps)

    def in_pieces(
        self, words: Sequence[str]
    ) -> tuple[list[int], list[int], list[tuple[int, int, int]]]:
        """All pieces, how many each chunk has, and for each word its chunk and the places of its first and last."""
        if self.pieces is None:
            return [], [], [(0, 0, 0)] * len(words)
        start, end = self.pieces.start, self.pieces.end
        pieces: list[int] = []
        chunks: list[int] = []
        ends: list[tuple[int, int, int]] = []
        chunk = [start]
        for ids in self.pieces.words(words):
            held = ids[: self.longest]
            if len(chunk) - 1 + len(held) > self.longest:
                pieces += [*chunk, end]
                chunks.append(len(chunk) + 1)
                chunk = [start]
            ends.append((len(chunks), len(chunk), len(chunk) + len(held) - 1))
            chunk += held
        return [*pieces, *chunk, end], [*chunks, len(chunk) + 1], ends
