"""The sizes of the stack-LSTM, and its section of a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from whorl.training.recipe import ModelSettings
from whorl.training.settings import POSITIVE, Range

__all__ = ["StackLSTMSettings", "StackLSTMSizes"]


@dataclass(frozen=True)
class StackLSTMSizes:
    """The sizes of the paper's Table 1; dimensions of embeddings, composed vectors and states."""

    word_dim: int = 32
    tag_dim: int = 12
    transition_dim: int = 16
    input_dim: int = 128
    hidden_dim: int = 128
    layers: int = 2
    dropout: float = 0.2


@dataclass(frozen=True)
class StackLSTMSettings(StackLSTMSizes, ModelSettings):
    """The section `[model]`: the network, its transition system, and the stack-LSTM's sizes."""

    ranges: ClassVar[Mapping[str, Range]] = {
        "tag_dim": POSITIVE,
        "transition_dim": POSITIVE,
        "input_dim": POSITIVE,
        "hidden_dim": POSITIVE,
        "layers": Range(1, 1000),
        "dropout": Range(0, 1, with_high=False),
    }
