"""Context encoders: from the vectors of words to those of words in context and of fenceposts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn

from whorl.span.config import SpanConfig

__all__ = ["ContextEncoder", "EncoderOutput", "NoContext"]


class EncoderOutput(NamedTuple):
    """Vectors of all positions, marks and padding included, and of the fenceposts between them."""

    words: Tensor  # (sentences, positions, width)
    fenceposts: Tensor  # (sentences, positions - 1, fencepost width)


class ContextEncoder(nn.Module, ABC):
    """Reads whole sentences. Subclasses set both widths and take `(width, config)`.

    A sentence must get the same vectors in any batch: padding, which comes last, must not reach
    words.
    """

    width: int
    """The length of a word's vector."""
    fencepost_width: int
    """The length of a fencepost's vector."""

    def __init__(self, width: int, config: SpanConfig) -> None:
        super().__init__()

    @abstractmethod
    def forward(self, x: Tensor, reversal: Tensor) -> EncoderOutput:
        """Encode (sentences, positions, width); `reversal` is that of `SpanInputs`."""


class NoContext(ContextEncoder):
    """Words unchanged, as transformers know the context; a fencepost joins its neighbours."""

    def __init__(self, width: int, config: SpanConfig) -> None:
        super().__init__(width, config)
        self.width = width
        self.fencepost_width = 2 * width

    def forward(self, x: Tensor, reversal: Tensor) -> EncoderOutput:
        """See `ContextEncoder`."""
        return EncoderOutput(x, torch.cat([x[:, :-1], x[:, 1:]], dim=2))
