"""What the training loop asks of a network: the two networks train through one loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from whorl.lexicon.words import Words
from whorl.trees import Leaf, Tree

__all__ = ["Group", "Learner", "RareWords", "Treebank"]


@dataclass(frozen=True, slots=True)
class Treebank:
    """Gold trees, and their sentences with the tags that the parser will see; for a mix, where each comes from."""

    trees: list[Tree]
    sentences: list[list[Leaf]]
    sources: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Group:
    """Weights that share a learning rate."""

    weights: list[nn.Parameter]
    rate: float


S = TypeVar("S")
B = TypeVar("B")


class Learner(Protocol[S, B]):
    """A network, its training samples, and how it learns from some of them and parses with what it has learnt.

    Samples are numbered. The loop decides which come together and when; the learner makes a batch
    of them and its loss.
    """

    @property
    def model(self) -> nn.Module:
        """The network."""

    @property
    def device(self) -> torch.device:
        """Where it is."""

    def groups(self) -> Iterable[Group]:
        """What is trained, and how fast."""

    def numbers(self, random: np.random.Generator) -> Sequence[int]:
        """The samples of one epoch; their number is the same in every epoch."""

    def size(self, number: int) -> int:
        """How long a sample is, so that those of a batch are alike."""

    def gold(self, numbers: Sequence[int]) -> list[S]:
        """Samples of gold sequences."""

    def explored(self, numbers: Sequence[int], random: np.random.Generator) -> list[S]:
        """Samples of sequences that the network leads, with what a dynamic oracle says of them."""

    def batch(self, samples: Sequence[S], random: np.random.Generator) -> B:
        """Put samples together, with whatever is left to chance."""

    def loss(self, batch: B) -> Tensor:
        """The loss of a batch: the sum of its sentences'."""

    def decisions(self, batch: B) -> int:
        """How many transitions the loss is about."""

    def parse(self, treebank: Treebank) -> list[Tree]:
        """Parse a treebank's sentences with the network as it is."""

    def save(self, folder: Path, card: dict[str, Any]) -> None:
        """Write the model folder."""


class RareWords:
    """Words seen once in training: at times they stand for what training did not have."""

    def __init__(self, words: Words, chance: float) -> None:
        self.chance = chance
        self.rare = np.zeros(len(words), dtype=np.bool_)
        self.unknown = np.zeros(len(words), dtype=np.int64)
        for word in words.singletons:
            number = words.index[word]
            self.rare[number] = True
            self.unknown[number] = words.unknown(word, first=False)

    def hide(self, column: npt.NDArray[np.int64], random: np.random.Generator) -> None:
        """Replace some rare words by the number of their class, in place."""
        hidden = self.rare[column] & (random.random(len(column)) < self.chance)
        column[hidden] = self.unknown[column[hidden]]
