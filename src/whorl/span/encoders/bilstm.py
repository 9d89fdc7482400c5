"""A BiLSTM over padded sentences that gives each sentence the same vectors in any batch, without packing."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.initialisation import glorot

__all__ = ["BiLSTM"]


class BiLSTM(nn.Module):
    """Layers of two LSTMs, one over the words and one over the words turned round.

    Padding comes last in both, so that it cannot reach a word; and nothing here depends on lengths
    but the indices, so that the whole is a graph of plain operators, which can be exported.
    """

    def __init__(self, width: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.hidden = hidden
        self.dropout = dropout
        widths = [width, *[2 * hidden] * (layers - 1)]
        self.forwards = nn.ModuleList([nn.LSTM(size, hidden, batch_first=True) for size in widths])
        self.backwards = nn.ModuleList([nn.LSTM(size, hidden, batch_first=True) for size in widths])
        glorot(self)

    def forward(self, x: Tensor, turned: Tensor) -> Tensor:
        """(sentences, places, width) to (sentences, places, 2 * hidden), forward and backward halves."""
        index = turned[:, :, None]
        for layer, (forwards, backwards) in enumerate(
            zip(self.forwards, self.backwards, strict=True)
        ):
            if layer:
                x = functional.dropout(x, self.dropout, self.training)
            there = forwards(x)[0]
            back = backwards(x.gather(1, index.expand(-1, -1, x.shape[2])))[0]
            x = torch.cat([there, back.gather(1, index.expand(-1, -1, self.hidden))], dim=2)
        return x
