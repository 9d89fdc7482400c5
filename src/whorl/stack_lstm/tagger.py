"""The part-of-speech tagger, whose tags the paper's parser reads (§6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import torch
from torch import Tensor

from whorl.batching import batches_by_length
from whorl.errors import ModelError
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.words import Words
from whorl.model_folder.tensors import load_network
from whorl.stack_lstm.batches import Ints
from whorl.stack_lstm.tagger_network import (
    FEATURES,
    TaggerConfig,
    TaggerNetwork,
    character_features,
)
from whorl.trees import Leaf

__all__ = ["Tagger", "pad", "tag_accuracy", "tag_scores"]

_BATCH = 64
"""Sentences tagged at once."""


class Tagger:
    """Tags the words of sentences."""

    def __init__(
        self, network: TaggerNetwork, words: Words, tags: Sequence[str], vectors: Vectors
    ) -> None:
        self.network = network.eval()
        self.words = words
        self.tags = list(tags)
        self.vectors = vectors

    @torch.no_grad()
    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of each sentence."""
        tags: list[list[str]] = [[] for _ in sentences]
        for batch in batches_by_length([len(words) for words in sentences], _BATCH):
            longest_first = batch[::-1]
            scores = tag_scores(self.network, [self.encode(sentences[i]) for i in longest_first])
            for i, row in zip(longest_first, scores.argmax(dim=2).tolist(), strict=True):
                tags[i] = [self.tags[number] for number in row[: len(sentences[i])]]
        return tags

    def accuracy(self, sentences: Sequence[Sequence[Leaf]]) -> float:
        """Return the share of words that are tagged correctly."""
        return tag_accuracy(
            sentences, self.tag([[leaf.word for leaf in leaves] for leaves in sentences])
        )

    def encode(self, words: Sequence[str]) -> Ints:
        """Return word, vector and character features of each word: (words, 2 + features)."""
        buckets = self.network.config.feature_buckets
        rows = np.empty((len(words), 2 + FEATURES), dtype=np.int64)
        rows[:, 0] = self.words.encode(words)
        rows[:, 1] = self.vectors.encode(words)
        rows[:, 2:] = [character_features(word, buckets) for word in words]
        return rows

    def to_state(self) -> tuple[dict[str, object], dict[str, Tensor]]:
        """Return settings, as JSON values, and weights; the caller keeps the vectors."""
        settings: dict[str, object] = {
            "config": asdict(self.network.config),
            "words": self.words.words[1:],
            "tags": self.tags,
        }
        return settings, {
            name: weight.detach().cpu() for name, weight in self.network.state_dict().items()
        }

    @classmethod
    def from_state(
        cls, settings: dict[str, object], weights: dict[str, Tensor], vectors: Vectors
    ) -> Tagger:
        """Undo `to_state`, given the vectors that the tagger was trained with."""
        try:
            config = TaggerConfig(**settings["config"])  # type: ignore[arg-type]
            words = Words(settings["words"])  # type: ignore[arg-type]
            tags = [str(tag) for tag in settings["tags"]]  # type: ignore[attr-defined]
        except (KeyError, TypeError) as error:
            raise ModelError(f"the tagger's settings are damaged: {error}") from error
        if config.vector_dim != vectors.dimension:
            raise ModelError(
                f"the tagger was trained with vectors of dimension {config.vector_dim}, "
                f"not {vectors.dimension}"
            )
        if (config.words, config.tags) != (len(words), len(tags)):
            raise ModelError(
                f"the tagger's settings have {len(words)} words and {len(tags)} tags, "
                f"expected {config.words} and {config.tags}"
            )
        network = load_network(lambda: TaggerNetwork(config, vectors.table), weights, "the tagger")
        return cls(network, words, tags, vectors)


def tag_accuracy(gold: Sequence[Sequence[Leaf]], predicted: Sequence[Sequence[str]]) -> float:
    """Return the share of words whose predicted tag is right; 1 if there are no words."""
    pairs = [
        (leaf.tag, tag)
        for leaves, tags in zip(gold, predicted, strict=True)
        for leaf, tag in zip(leaves, tags, strict=True)
    ]
    return sum(tag == right for right, tag in pairs) / len(pairs) if pairs else 1.0


def tag_scores(network: TaggerNetwork, sentences: Sequence[Ints]) -> Tensor:
    """Score all tags for encoded sentences, longest first: (sentences, words, tags)."""
    lengths = torch.tensor([len(rows) for rows in sentences])
    scores: Tensor = network(pad(sentences, 0).to(network.device), lengths)
    return scores


def pad(rows: Sequence[Ints], value: int) -> Tensor:
    """Stack arrays, padded to the longest: (sentences, words, ...)."""
    return torch.nn.utils.rnn.pad_sequence([torch.from_numpy(row) for row in rows], True, value)
