"""The whole encoder of the `span` network: words in, a vector for every word and every fencepost out."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.span.encoders.bilstm import BiLSTM
from whorl.span.encoders.pieces import PieceFeatures
from whorl.span.encoders.words import WordFeatures

__all__ = ["ContextEncoder", "Encoded", "Read"]


class Read(NamedTuple):
    """A batch of sentences as tensors: see `whorl.span.samples.SpanInputs`."""

    words: Tensor  # (all words, 2)
    forms: Tensor  # (different words, characters)
    form: Tensor  # (all words,)
    pieces: Tensor  # (chunks, pieces)
    chunks: Tensor  # (chunks,)
    ends: Tensor  # (all words, 2)
    treebanks: Tensor  # (sentences,)
    grid: Tensor  # (sentences, places)
    turned: Tensor  # (sentences, places)
    places: Tensor  # (all words,): in the flattened grid


class Encoded(NamedTuple):
    """Vectors of all places, marks and padding among them, and of all fenceposts."""

    words: Tensor  # (sentences, places, width)
    fenceposts: Tensor  # (sentences, places - 1, fencepost width)


class ContextEncoder(nn.Module):
    """Features of words and a transformer's vectors, side by side; a treebank's vector added; a BiLSTM over them.

    Without a BiLSTM, a fencepost is what its two neighbours are; with one, what was read up to it
    from either side.
    """

    def __init__(
        self,
        features: WordFeatures,
        pieces: PieceFeatures | None,
        *,
        treebanks: int,
        lstm_dim: int,
        lstm_layers: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.features = features
        self.pieces = pieces
        self.dropout = dropout
        width = features.width + (0 if pieces is None else pieces.width)
        self.marks = nn.Parameter(torch.empty(2, width))  # before and after a sentence
        nn.init.normal_(self.marks, std=0.1)
        self.treebank = nn.Embedding(treebanks + 1, width)
        nn.init.zeros_(self.treebank.weight)
        self.lstm = BiLSTM(width, lstm_dim, lstm_layers, dropout) if lstm_layers else None
        self.width = 2 * lstm_dim if lstm_layers else width
        self.fencepost_width = self.width if lstm_layers else 2 * width

    def forward(self, read: Read) -> Encoded:
        """Encode a batch."""
        parts = self.features(read.words, read.forms, read.form)
        if self.pieces is not None:
            parts.append(self.pieces(read.pieces, read.chunks, read.ends))
        words = torch.cat(parts, dim=1)  # (all words, width)
        rows = torch.cat([words.new_zeros(1, words.shape[1]), self.marks.to(words.dtype), words])
        x = (
            rows[read.grid] + self.treebank(read.treebanks)[:, None, :]
        )  # (sentences, places, width)
        x = self._drop(x)
        if self.lstm is None:
            return Encoded(x, torch.cat([x[:, :-1], x[:, 1:]], dim=2))
        x = self._drop(self.lstm(x, read.turned))
        half = self.lstm.hidden
        return Encoded(x, torch.cat([x[:, :-1, :half], x[:, 1:, half:]], dim=2))

    def _drop(self, values: Tensor) -> Tensor:
        return functional.dropout(values, self.dropout, self.training)
