"""Word pieces, the input of a transformer encoder, by the `tokenizers` library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from whorl.errors import ModelError
from whorl.lexicon.word_forms import plain_word

__all__ = ["MASK", "PAD", "SEP", "SPECIAL", "UNK", "PieceBatch", "Pieces", "plain_word"]

SPECIAL = ("[PAD]", "[UNK]", "[SEP]", "[MASK]")
PAD, UNK, SEP, MASK = range(4)

_CACHED = 1 << 18  # words


@dataclass(frozen=True, slots=True)
class PieceBatch:
    """Sentences as padded arrays of ids, with the positions of each word's first and last piece."""

    ids: npt.NDArray[np.int64]  # (sentences, pieces), [SEP] before and after, then [PAD]
    lengths: npt.NDArray[np.int64]  # (sentences): number of pieces, both [SEP] included
    first: npt.NDArray[np.int64]  # (sentences, words), 0 at padding
    last: npt.NDArray[np.int64]  # (sentences, words), 0 at padding

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """True where there is a piece, false at padding: (sentences, pieces)."""
        return np.arange(self.ids.shape[1]) < self.lengths[:, None]


class Pieces:
    """The word pieces of an encoder. Words are cached; the cache is bounded."""

    def __init__(
        self, tokenizer: Tokenizer, *, start: int = SEP, end: int = SEP, unknown: int = UNK
    ) -> None:
        self.tokenizer = tokenizer
        self.tokenizer.encode_special_tokens = True  # `[SEP]` in a text is text
        self.start = start
        self.end = end
        self.unknown = unknown
        self._cache: dict[str, tuple[int, ...]] = {}

    @classmethod
    def load(cls, folder: str | Path) -> Pieces:
        """Read the `tokenizer.json` of an encoder folder, or that file itself."""
        path = Path(folder)
        path = path / "tokenizer.json" if path.is_dir() else path
        if not path.exists():
            raise ModelError(f"{folder} is not an encoder folder: it has no tokenizer.json")
        pieces = cls.read(path)
        for number, name in enumerate(SPECIAL):
            if pieces.tokenizer.token_to_id(name) != number:
                raise ModelError(
                    f"{path} is not the tokenizer of an encoder: piece {number} is not {name}"
                )
        return pieces

    @classmethod
    def read(
        cls, path: str | Path, *, start: int = SEP, end: int = SEP, unknown: int = UNK
    ) -> Pieces:
        """Read a tokenizer's file; `start`, `end` and `unknown` are ids of special pieces."""
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises plain Exception
            raise ModelError(f"{path} is not a tokenizer: {error}") from error
        return cls(tokenizer, start=start, end=end, unknown=unknown)

    @classmethod
    def from_json(cls, text: str, *, start: int, end: int, unknown: int) -> Pieces:
        """Make pieces from the contents of a tokenizer's file."""
        try:
            tokenizer = Tokenizer.from_str(text)
        except Exception as error:  # the library raises plain Exception
            raise ModelError(f"not a tokenizer: {error}") from error
        return cls(tokenizer, start=start, end=end, unknown=unknown)

    def __len__(self) -> int:
        return int(self.tokenizer.get_vocab_size())

    def encode(self, words: Iterable[str]) -> list[tuple[int, ...]]:
        """Return the ids of each word's pieces, at least one per word."""
        words = list(words)
        cache = self._cache
        missing = {word for word in words if word not in cache}
        if missing:
            if len(cache) + len(missing) > _CACHED:
                missing = set(words)
                self._cache = cache = {}
            encodings = self.tokenizer.encode_batch(
                [plain_word(word) for word in missing], add_special_tokens=False
            )
            for word, encoding in zip(missing, encodings, strict=True):
                cache[word] = tuple(encoding.ids) or (self.unknown,)
        return [cache[word] for word in words]

    def batch(self, sentences: Sequence[Sequence[str]]) -> PieceBatch:
        """Encode tokenised sentences."""
        flat = iter(self.encode(word for sentence in sentences for word in sentence))
        encoded = [[next(flat) for _ in sentence] for sentence in sentences]
        lengths = np.array([2 + sum(map(len, words)) for words in encoded], dtype=np.int64)
        ids = np.full((len(encoded), int(lengths.max(initial=2))), PAD, dtype=np.int64)
        shape = (len(encoded), max((len(words) for words in encoded), default=0))
        first, last = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for row, words in enumerate(encoded):
            ids[row, : lengths[row]] = [SEP, *(piece for word in words for piece in word), SEP]
            ends = np.cumsum([len(word) for word in words], dtype=np.int64)
            last[row, : len(words)] = ends
            first[row, : len(words)] = np.concatenate([[1], ends[:-1] + 1])[: len(words)]
        return PieceBatch(ids, lengths, first, last)
