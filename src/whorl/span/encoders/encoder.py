"""The whole encoder of the span network: a vector for every word and every fencepost."""

from __future__ import annotations

from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.span.config import SpanConfig
from whorl.span.encoders.context import ContextEncoder, EncoderOutput
from whorl.span.encoders.pieces import PieceFeatures
from whorl.span.encoders.registry import get_context
from whorl.span.encoders.words import WordFeatures

__all__ = ["InputTensors", "SentenceEncoder"]


class InputTensors(NamedTuple):
    """A batch of sentences as tensors: see `whorl.span.samples.SpanInputs`."""

    words: Tensor  # (all words, 2)
    forms: Tensor  # (distinct words, characters)
    form: Tensor  # (all words,)
    pieces: Tensor  # (chunks, pieces)
    chunks: Tensor  # (chunks,)
    ends: Tensor  # (all words, 2)
    treebanks: Tensor  # (sentences,)
    given: Tensor  # (all words,)
    grid: Tensor  # (sentences, positions)
    reversal: Tensor  # (sentences, positions)
    positions: Tensor  # (all words,): in the flattened grid


class SentenceEncoder(nn.Module):
    """Word features beside a transformer's vectors, plus vectors of treebank and tag; then context.

    A tag has a vector only in a network that reads tags, and where one comes with the word.
    """

    def __init__(self, config: SpanConfig, pieces: PieceFeatures | None) -> None:
        super().__init__()
        c = config
        self.features = WordFeatures(
            words=c.words,
            word_dim=c.word_dim,
            vectors=c.vectors,
            vector_dim=c.vector_dim,
            characters=c.characters,
            character_dim=c.character_dim,
        )
        self.pieces = pieces
        self.dropout = c.dropout
        width = self.features.width + (0 if pieces is None else pieces.width)
        self.marks = nn.Parameter(torch.empty(2, width))  # before and after a sentence
        nn.init.normal_(self.marks, std=0.1)
        self.treebank = nn.Embedding(c.treebanks + 1, width)
        nn.init.zeros_(self.treebank.weight)
        self.given: nn.Embedding | None = None
        if c.given_tags:
            self.given = nn.Embedding(c.given_tags, width, padding_idx=0)
            nn.init.zeros_(self.given.weight)
        # Saved weights have the context encoder's name in theirs.
        self._context_name = c.context_encoder
        self.add_module(
            self._context_name, get_context(c.context_encoder).resolve("encoder")(width, c)
        )

    @property
    def context(self) -> ContextEncoder:
        """The context encoder."""
        return cast(ContextEncoder, self.get_submodule(self._context_name))

    def forward(self, inputs: InputTensors) -> EncoderOutput:
        """Encode a batch."""
        parts = self.features(inputs.words, inputs.forms, inputs.form)
        if self.pieces is not None:
            parts.append(self.pieces(inputs.pieces, inputs.chunks, inputs.ends))
        words = torch.cat(parts, dim=1)  # (all words, width)
        if self.given is not None:
            words = words + self.given(inputs.given).to(words.dtype)
        padding = words.new_zeros(1, words.shape[1])
        rows = torch.cat([padding, self.marks.to(words.dtype), words])
        treebanks = self.treebank(inputs.treebanks)[:, None, :]
        x = rows[inputs.grid] + treebanks  # (sentences, positions, width)
        x = functional.dropout(x, self.dropout, self.training)
        output: EncoderOutput = self.context(x, inputs.reversal)
        return output
