"""What a word says by itself: a learned vector, a pretrained one, and its characters."""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["CharacterCNN", "WordFeatures"]

_CHARACTER_DIM = 48
_SPAN = 3  # characters that a filter sees


class CharacterCNN(nn.Module):
    """Filters over a word's characters, the strongest answer of each."""

    def __init__(self, characters: int, dim: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(characters, _CHARACTER_DIM, padding_idx=0)
        self.filters = nn.Conv1d(_CHARACTER_DIM, dim, _SPAN, padding=_SPAN - 1)

    def forward(self, forms: Tensor) -> Tensor:
        """(words, characters) to (words, dim)."""
        answers: Tensor = self.filters(self.embed(forms).transpose(1, 2))  # (words, dim, places)
        return torch.relu(answers.amax(dim=2))


class WordFeatures(nn.Module):
    """Whatever of word, pretrained vector and characters a model has, side by side."""

    def __init__(
        self, *, words: int, word_dim: int, vectors: int, vector_dim: int, characters: int, dim: int
    ) -> None:
        super().__init__()
        self.word = nn.Embedding(words, word_dim) if words and word_dim else None
        self.vector = nn.Embedding(vectors, vector_dim) if vectors and vector_dim else None
        self.characters = CharacterCNN(characters, dim) if characters and dim else None
        self.width = 0
        if self.word is not None:
            nn.init.normal_(self.word.weight, std=0.1)
            self.width += word_dim
        if self.vector is not None:
            self.vector.weight.requires_grad = False
            self.width += vector_dim
        if self.characters is not None:
            self.width += dim

    def forward(self, words: Tensor, forms: Tensor, form: Tensor) -> list[Tensor]:
        """The parts, (words, their widths), of words (words, 2) whose characters are rows of `forms`."""
        parts = []
        if self.word is not None:
            parts.append(self.word(words[:, 0]))
        if self.vector is not None:
            parts.append(self.vector(words[:, 1]))
        if self.characters is not None:
            parts.append(self.characters(forms)[form])
        return parts
