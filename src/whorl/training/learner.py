"""What the training loop needs of a network, so that all networks train in one loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from whorl.evaluation import punctuation_tags
from whorl.lexicon.words import Words
from whorl.trees import Leaf, Tree

__all__ = ["Group", "Learner", "RareWords", "Treebank"]


@dataclass(frozen=True, slots=True)
class Treebank:
    """Gold trees, and their sentences with the tags that the parser sees.

    `sources` names the treebank of each tree in a mix, and is empty otherwise. `punctuation` has
    the tags of punctuation by treebank, under an empty name outside a mix.
    """

    trees: list[Tree]
    sentences: list[list[Leaf]]
    sources: list[str] = field(default_factory=list)
    punctuation: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def parts(self) -> dict[str, Sequence[int]]:
        """Return the numbers of the trees of each treebank in a mix, or of all under no name."""
        parts: dict[str, list[int]] = {}
        for number, name in enumerate(self.sources):
            parts.setdefault(name, []).append(number)
        return {**parts} or {"": range(len(self.trees))}

    def punctuation_of(self, name: str) -> tuple[str, ...]:
        """Return the tags of punctuation of a treebank: those given, else those its words show."""
        listed = self.punctuation.get(name)
        return listed or punctuation_tags(self.trees[n] for n in self.parts()[name])


@dataclass(frozen=True, slots=True)
class Group:
    """Weights that share a learning rate."""

    weights: list[nn.Parameter]
    rate: float


S = TypeVar("S")
B = TypeVar("B")


class Learner(Protocol[S, B]):
    """A network with its training samples, which learns from batches of them and parses.

    Samples are numbered. The loop decides which of them form a batch and when; the learner builds
    the batch and computes its loss.
    """

    @property
    def model(self) -> nn.Module:
        """The network."""

    @property
    def device(self) -> torch.device:
        """The device of the network."""

    def groups(self) -> Iterable[Group]:
        """Return the trained weights with their learning rates."""

    def numbers(self, random: np.random.Generator) -> Sequence[int]:
        """Draw the samples of one epoch; every epoch has the same number of them."""

    def size(self, number: int) -> int:
        """Return the length of a sample, by which samples are batched."""

    def gold(self, numbers: Sequence[int]) -> list[S]:
        """Return samples of gold sequences."""

    def explored(self, numbers: Sequence[int], random: np.random.Generator) -> list[S]:
        """Return samples of sequences that the network takes, with a dynamic oracle's targets."""

    def batch(self, samples: Sequence[S], random: np.random.Generator) -> B:
        """Collate samples; random choices, such as words to hide, are made here."""

    def loss(self, batch: B) -> Tensor:
        """Return the loss of a batch, summed over its sentences."""

    def decisions(self, batch: B) -> int:
        """Return the number of transitions in the loss."""

    def parse(self, treebank: Treebank) -> list[Tree]:
        """Parse the sentences of a treebank with the current weights."""

    def save(self, folder: Path, card: dict[str, Any]) -> None:
        """Write the model folder."""


class RareWords:
    """Hides words seen once in training, at random, so that the network learns unknown words."""

    def __init__(self, words: Words, probability: float) -> None:
        self.probability = probability
        self.rare = np.zeros(len(words), dtype=np.bool_)
        self.unknown = np.zeros(len(words), dtype=np.int64)
        for word in words.singletons:
            number = words.index[word]
            self.rare[number] = True
            self.unknown[number] = words.unknown(word, first=False)

    def hide(self, column: npt.NDArray[np.int64], random: np.random.Generator) -> None:
        """Replace some rare words by the number of their class, in place."""
        hidden = self.rare[column] & (random.random(len(column)) < self.probability)
        column[hidden] = self.unknown[column[hidden]]
