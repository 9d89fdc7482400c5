"""The tagger's network: words, pretrained vectors and characters under one BiLSTM."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from whorl.initialisation import glorot

__all__ = ["FEATURES", "TaggerConfig", "TaggerNetwork", "character_features"]

_LONGEST = 4
"""Characters of the longest prefix and suffix."""
FEATURES = 2 * _LONGEST + 2
"""Character features of a word: prefixes, suffixes, its shape, the word in lower case."""

_PIECES = re.compile(r"\d+|[^\W\d_]+|[\W_]")


@dataclass(frozen=True, slots=True)
class TaggerConfig:
    """The sizes of the network."""

    words: int
    tags: int
    vector_dim: int
    word_dim: int = 50
    feature_buckets: int = 1 << 14
    feature_dim: int = 50
    hidden_dim: int = 128
    dropout: float = 0.5


@lru_cache(maxsize=1 << 17)
def character_features(word: str, buckets: int) -> tuple[int, ...]:
    """Return a word's character features, hashed to 1 ... `buckets`; 0 if the word is too short."""
    lowered = word.lower()
    texts = [
        f"{size}<{lowered[:size]}" if size < len(word) else "" for size in range(1, _LONGEST + 1)
    ]
    texts += [
        f"{size}>{lowered[-size:]}" if size < len(word) else "" for size in range(1, _LONGEST + 1)
    ]
    texts += [f"shape {_shape(word)}", f"word {lowered}"]
    return tuple(
        zlib.crc32(text.encode("utf-8", "surrogatepass")) % buckets + 1 if text else 0
        for text in texts
    )


def _shape(word: str) -> str:
    """Return the shape of a word: XX-0 for MIG-21, Xx-x for Anglo-saxon.

    Digits become 0; letters become X, XX, Xx, x or xX.
    """
    pieces = _PIECES.findall(word)
    return "".join("0" if p[0].isdigit() else _case(p) if p[0].isalpha() else p for p in pieces)[:8]


def _case(letters: str) -> str:
    if letters.isupper():
        return "X" if len(letters) == 1 else "XX"
    if letters[0].isupper():
        return "Xx"
    return "x" if letters.islower() or letters.lower() == letters else "xX"


class TaggerNetwork(nn.Module):
    """Scores every tag for every word of a batch of sentences.

    The pretrained vectors are neither trained nor saved with the weights.
    """

    vectors: Tensor

    def __init__(self, config: TaggerConfig, vectors: npt.NDArray[np.float32]) -> None:
        super().__init__()
        self.config = config
        c = config
        self.word = nn.Embedding(c.words, c.word_dim)
        self.feature = nn.Embedding(c.feature_buckets + 1, c.feature_dim, padding_idx=0)
        self.register_buffer("vectors", torch.from_numpy(vectors), persistent=False)
        self.lstm = nn.LSTM(
            c.word_dim + c.feature_dim + c.vector_dim,
            c.hidden_dim,
            batch_first=True,
            bidirectional=True,
        )
        self.out = nn.Linear(2 * c.hidden_dim, c.tags)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise the weights; embeddings are small, so that untrained ones count little."""
        nn.init.normal_(self.word.weight, std=0.1)
        nn.init.normal_(self.feature.weight, std=0.1)
        self.feature.weight.data[0] = 0
        glorot(self.lstm)

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.out.weight.device

    def forward(self, sentences: Tensor, lengths: Tensor) -> Tensor:
        """Score all tags: (sentences, words, tags).

        `sentences` is (sentences, words, 2 + features): numbers of word and vector, and character
        features. Longest sentences come first, padded with 0; `lengths` is on the CPU.
        """
        words = torch.cat(
            [
                self.word(sentences[:, :, 0]),
                self.feature(sentences[:, :, 2:]).sum(dim=2),
                functional.embedding(sentences[:, :, 1], self.vectors),
            ],
            dim=2,
        )  # (sentences, words, input)
        packed = pack_padded_sequence(self._drop(words), lengths, batch_first=True)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        scores: Tensor = self.out(self._drop(states))  # from (sentences, words, 2 * hidden)
        return scores

    def _drop(self, values: Tensor) -> Tensor:
        return functional.dropout(values, self.config.dropout, self.training)
