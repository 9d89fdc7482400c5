"""A BiLSTM over padded sentences that gives each sentence the same vectors in any batch."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.initialisation import glorot
from whorl.span.config import SpanConfig
from whorl.span.encoders.context import ContextEncoder, EncoderOutput

__all__ = ["BiLSTM"]


class BiLSTM(ContextEncoder):
    """Layers of two LSTMs, one over the words and one over the words in reverse.

    Padding comes last in both, so it cannot reach a word, and no sequences need to be packed. A
    fencepost is what was read up to it from either side.
    """

    def __init__(self, width: int, config: SpanConfig) -> None:
        super().__init__(width, config)
        self.hidden = config.lstm_dim
        self.dropout = config.dropout
        self.width = self.fencepost_width = 2 * self.hidden
        widths = [width, *[2 * self.hidden] * (config.lstm_layers - 1)]
        self.forwards = self._lstms(widths)
        self.backwards = self._lstms(widths)
        glorot(self)

    def _lstms(self, widths: list[int]) -> nn.ModuleList:
        return nn.ModuleList([nn.LSTM(width, self.hidden, batch_first=True) for width in widths])

    def forward(self, x: Tensor, reversal: Tensor) -> EncoderOutput:
        """See `ContextEncoder`; a word's vector has a forward and a backward half."""
        index = reversal[:, :, None]
        layers = zip(self.forwards, self.backwards, strict=True)
        for layer, (forwards, backwards) in enumerate(layers):
            if layer:
                x = self._drop(x)
            forward = forwards(x)[0]  # (sentences, positions, hidden)
            backward = backwards(x.gather(1, index.expand(-1, -1, x.shape[2])))[0]
            restored = backward.gather(1, index.expand(-1, -1, self.hidden))
            x = torch.cat([forward, restored], dim=2)  # (sentences, positions, 2 * hidden)
        x = self._drop(x)
        sides = [x[:, :-1, : self.hidden], x[:, 1:, self.hidden :]]
        return EncoderOutput(x, torch.cat(sides, dim=2))

    def _drop(self, values: Tensor) -> Tensor:
        return functional.dropout(values, self.dropout, self.training)
