"""Features of a word by itself: a learned vector, a pretrained one, and its characters."""

from __future__ import annotations

import torch
from torch import Tensor, nn

__all__ = ["CharacterCNN", "WordFeatures"]

_CHARACTER_DIM = 48
_FILTER_WIDTH = 3  # characters


class CharacterCNN(nn.Module):
    """Filters over a word's characters, with the maximum of each."""

    def __init__(self, characters: int, dim: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(characters, _CHARACTER_DIM, padding_idx=0)
        self.filters = nn.Conv1d(_CHARACTER_DIM, dim, _FILTER_WIDTH, padding=_FILTER_WIDTH - 1)

    def forward(self, forms: Tensor) -> Tensor:
        """Encode (words, characters) as (words, dim)."""
        responses: Tensor = self.filters(self.embed(forms).transpose(1, 2))  # (words, dim, places)
        return torch.relu(responses.amax(dim=2))


class WordFeatures(nn.Module):
    """Learned vector, pretrained vector and characters, side by side; each is optional."""

    def __init__(
        self,
        *,
        words: int,
        word_dim: int,
        vectors: int,
        vector_dim: int,
        characters: int,
        character_dim: int,
    ) -> None:
        super().__init__()
        self.word = self.vector = self.characters = None
        self.width = 0
        if words and word_dim:
            self.word = nn.Embedding(words, word_dim)
            self.width += word_dim
        if vectors and vector_dim:
            # Zeros, not random numbers: the other weights must not depend on the number of rows.
            table = torch.zeros(vectors, vector_dim)
            self.vector = nn.Embedding(vectors, vector_dim, _weight=table, _freeze=True)
            self.width += vector_dim
        if characters and character_dim:
            self.characters = CharacterCNN(characters, character_dim)
            self.width += character_dim
        if self.word is not None:
            nn.init.normal_(self.word.weight, std=0.1)

    def forward(self, words: Tensor, forms: Tensor, form: Tensor) -> list[Tensor]:
        """Return the parts, (words, width) each, of words (words, 2) with characters in `forms`."""
        parts = []
        if self.word is not None:
            parts.append(self.word(words[:, 0]))
        if self.vector is not None:
            parts.append(self.vector(words[:, 1]))
        if self.characters is not None:
            parts.append(self.characters(forms)[form])
        return parts
