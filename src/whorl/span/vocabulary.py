"""The vocabulary of the span network: words, labels, tags and treebanks as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from whorl.errors import ModelError
from whorl.lexicon.bpe import BytePairs
from whorl.lexicon.characters import Characters
from whorl.lexicon.tags import Tags
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.word_forms import in_capitals, plain_word
from whorl.lexicon.words import Words
from whorl.span.samples import SentenceArrays, SpanInputs, collate_inputs

if TYPE_CHECKING:
    from whorl.lexicon.word_pieces import Pieces  # needs a library that most models do not

__all__ = ["GENERIC", "TOKENIZER", "ChunkedPieces", "SpanVocabulary"]

TOKENIZER = "tokenizer.json"

GENERIC = 0
"""The treebank number that stands for no treebank in particular."""

ChunkedPieces = tuple[list[int], list[int], list[tuple[int, int, int]]]
"""All piece ids, the number of pieces per chunk, and per word (chunk, first piece, last piece)."""


@dataclass(slots=True)
class SpanVocabulary:
    """Numbers for everything the span network reads and writes; unused parts are None."""

    labels: list[str]
    """Phrase labels, numbered from 1; 0 is a word."""
    tags: Tags
    treebanks: list[str]
    """The treebanks trained on, numbered from 1; 0 is `GENERIC`."""
    words: Words | None = None
    vectors: Vectors | None = None
    characters: Characters | None = None
    pieces: Pieces | BytePairs | None = None
    longest: int = 500
    """The maximum number of pieces in a chunk; longer sentences are split into several."""
    lower_capitals: bool = False
    """Whether sentences in capitals are read in lower case."""
    index: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.index = {label: number for number, label in enumerate(self.labels, start=1)}

    def to_dict(self) -> dict[str, Any]:
        """Return what `model.json` stores; vectors and the tokenizer are in their own files."""
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
        cls,
        description: dict[str, Any],
        *,
        pieces: Pieces | BytePairs | None,
        vectors: npt.NDArray[np.float32] | None = None,
    ) -> SpanVocabulary:
        """Undo `to_dict`, with the pieces and, for those who look them up here, the vectors."""
        words, known, characters = (description[n] for n in ("words", "vectors", "characters"))
        table = np.zeros((1, 0), dtype=np.float32) if vectors is None else vectors
        return cls(
            labels=description["labels"],
            tags=Tags(description["tags"]),
            treebanks=description["treebanks"],
            words=None if words is None else Words(words),
            vectors=None if known is None else Vectors(known, table),
            characters=None if characters is None else Characters(characters),
            pieces=pieces,
            longest=description["longest"],
            lower_capitals=description.get("lower_capitals", False),  # missing in older models
        )

    def treebank_number(self, name: str | None) -> int:
        """Return the number of a treebank; None is `GENERIC`."""
        if name is None:
            return GENERIC
        if name not in self.treebanks:
            known = ", ".join(self.treebanks) or "none"
            raise ModelError(
                f"the model does not know the treebank {name!r}: it was trained on {known}"
            )
        return self.treebanks.index(name) + 1

    def normalise(self, words: Sequence[str]) -> Sequence[str]:
        """Return the words as the network reads them: capitals perhaps in lower case."""
        if self.lower_capitals and in_capitals(words):
            return [plain_word(word).lower() for word in words]
        return words

    def encode(self, words: Sequence[str], *, treebank: int = GENERIC) -> SentenceArrays:
        """Turn a sentence into arrays."""
        words = self.normalise(words)
        rows = np.zeros((len(words), 2), dtype=np.int32)
        if self.words is not None:
            rows[:, 0] = self.words.encode(words)
        if self.vectors is not None:
            rows[:, 1] = self.vectors.encode(words)
        if self.characters is not None:
            characters = self.characters.encode(words)
        else:
            characters = np.zeros((len(words), 0), dtype=np.uint16)
        pieces, chunks, ends = self.split_into_pieces(words)
        return SentenceArrays(
            rows,
            characters,
            np.array(pieces, dtype=np.int32),
            np.array(chunks, dtype=np.int32),
            np.array(ends, dtype=np.int32).reshape(len(words), 3),
            treebank,
        )

    def batch(
        self,
        sentences: Sequence[Sequence[str]],
        treebanks: Sequence[int],
        tags: Sequence[Sequence[str]] | None = None,
    ) -> SpanInputs:
        """Make a batch of sentences; see `whorl.span.parsing.Vocabulary`."""
        pairs = zip(sentences, treebanks, strict=True)
        inputs = collate_inputs([self.encode(words, treebank=number) for words, number in pairs])
        if tags is not None:
            numbers = [
                self.tags.encode(own) if own else [0] * len(words)
                for words, own in zip(sentences, tags, strict=True)
            ]
            inputs.given[:] = [number for sentence in numbers for number in sentence]
        return inputs

    def tokenizer_json(self) -> str | None:
        """Return the tokenizer as the `tokenizers` library saves it; None without pieces."""
        if self.pieces is None:
            return None
        if isinstance(self.pieces, BytePairs):
            raise ModelError("an exported model has no tokenizer to save: use the one it came from")
        json: str = self.pieces.tokenizer.to_str()
        return json

    def split_into_pieces(self, words: Sequence[str]) -> ChunkedPieces:
        """Split normalised words into pieces, in chunks of at most `longest` and two marks."""
        if self.pieces is None:
            return [], [], [(0, 0, 0)] * len(words)
        start, end = self.pieces.start, self.pieces.end
        pieces: list[int] = []
        chunks: list[int] = []
        ends: list[tuple[int, int, int]] = []
        chunk = [start]
        for word_ids in self.pieces.encode(words):
            ids = word_ids[: self.longest]
            if len(chunk) - 1 + len(ids) > self.longest:
                pieces += [*chunk, end]
                chunks.append(len(chunk) + 1)
                chunk = [start]
            ends.append((len(chunks), len(chunk), len(chunk) + len(ids) - 1))
            chunk += ids
        return [*pieces, *chunk, end], [*chunks, len(chunk) + 1], ends
