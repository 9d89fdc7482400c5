"""LSTMs of one size that run together, without gradients, arranged for speed.

In PyTorch the logistic function is several times cheaper than the hyperbolic tangent, and tanh(x) =
2σ(2x) - 1. So every gate is a logistic function, and factors of two are folded into the weights: a
state holds half of each h and twice each c.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import torch
from torch import Tensor, nn

__all__ = ["LSTMGroup", "Weights", "weights_of_cells", "weights_of_lstm"]

Weights: TypeAlias = tuple[Tensor, Tensor, Tensor, Tensor]
"""The weights of one layer in PyTorch's order: input, state, input bias, state bias."""


class LSTMGroup:
    """LSTMs with the same number of layers and the same width.

    A state is one row, the h of all layers and then the c: (lstms, items, 2 * layers * hidden).
    """

    @torch.no_grad()
    def __init__(self, lstms: Sequence[Sequence[Weights]]) -> None:
        self.layers = len(lstms[0])
        self.hidden = lstms[0][0][1].shape[1]
        self.width = 2 * self.layers * self.hidden
        self._project = [_arranged(lstm[0][0]) for lstm in lstms]  # (input, 4 * hidden) each
        self._bias = [_arranged((lstm[0][2] + lstm[0][3])[:, None])[0] for lstm in lstms]
        self._first = torch.stack([2 * _arranged(lstm[0][1]) for lstm in lstms])
        self._deeper = [
            torch.stack([2 * _arranged(torch.cat(lstm[layer][:2], dim=1)) for lstm in lstms])
            for layer in range(1, self.layers)
        ]  # (lstms, 2 * hidden, 4 * hidden): from the layer below, then from the layer itself
        self._deeper_bias = [
            torch.stack([_arranged((lstm[layer][2] + lstm[layer][3])[:, None]) for lstm in lstms])
            for layer in range(1, self.layers)
        ]  # (lstms, 1, 4 * hidden)

    def project(self, read: Tensor, lstm: int) -> Tensor:
        """Return what inputs add to the first gates of one LSTM: (items, 4 * hidden)."""
        weight, bias = self.projection(lstm)
        return torch.addmm(bias, read, weight)

    def projection(self, lstm: int) -> tuple[Tensor, Tensor]:
        """Return the weights and biases of `project`: (input, 4 * hidden), (4 * hidden,)."""
        return self._project[lstm], self._bias[lstm]

    def initial(self, items: int) -> Tensor:
        """Return the states before the first input."""
        return self._first.new_zeros(len(self._first), items, self.width)

    def top(self, states: Tensor) -> Tensor:
        """Return the h of the last layer, halved."""
        return states[..., (self.layers - 1) * self.hidden : self.layers * self.hidden]

    def read(self, gates: Tensor, states: Tensor) -> None:
        """Read one input into the states, in place; `gates`, from `project`, are overwritten."""
        parts = states.chunk(2 * self.layers, dim=-1)
        gates.baddbmm_(parts[0], self._first)
        _step(gates, parts[0], parts[self.layers])
        for layer in range(1, self.layers):
            both = states[..., (layer - 1) * self.hidden : (layer + 1) * self.hidden]
            torch.baddbmm(self._deeper_bias[layer - 1], both, self._deeper[layer - 1], out=gates)
            _step(gates, parts[layer], parts[self.layers + layer])

    def prepare(self, states: Tensor) -> list[Tensor]:
        """Return what states add to the gates of each layer: (lstms, items, 4 * hidden) each."""
        parts = states.chunk(2 * self.layers, dim=-1)
        added = [torch.bmm(parts[0], self._first)]
        for layer in range(1, self.layers):
            weight = self._deeper[layer - 1][:, self.hidden :]
            added.append(torch.baddbmm(self._deeper_bias[layer - 1], parts[layer], weight))
        return added

    def read_prepared(
        self, gates: Tensor, prepared: list[Tensor], chosen: Tensor, states: Tensor
    ) -> None:
        """Read one input into states that are the `chosen` ones of those prepared."""
        parts = states.chunk(2 * self.layers, dim=-1)
        gates += prepared[0].index_select(1, chosen)
        _step(gates, parts[0], parts[self.layers])
        for layer in range(1, self.layers):
            weight = self._deeper[layer - 1][:, : self.hidden]
            torch.index_select(prepared[layer], 1, chosen, out=gates)
            gates.baddbmm_(parts[layer - 1], weight)
            _step(gates, parts[layer], parts[self.layers + layer])


def _step(gates: Tensor, h: Tensor, c: Tensor) -> None:
    """Compute the new h and c from the gates before the logistic function, in place."""
    opened, kept, shown, new = gates.sigmoid_().chunk(4, dim=-1)
    c.mul_(kept).addcmul_(opened, new, value=4).sub_(opened, alpha=2)
    torch.sub(torch.sigmoid(c).mul_(shown), shown, alpha=0.5, out=h)


def _arranged(weight: Tensor) -> Tensor:
    """Turn PyTorch's rows (input, forget, new, output) into columns, with new last and doubled."""
    opened, kept, new, shown = weight.chunk(4)
    return torch.cat([opened, kept, shown, 2 * new]).t().contiguous()


def weights_of_lstm(lstm: nn.LSTM) -> list[Weights]:
    """Return the weights of an LSTM, layer by layer."""
    return list(_layers(lstm))


def _layers(lstm: nn.LSTM) -> Iterator[Weights]:
    for layer in range(lstm.num_layers):
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        ih, hh, bias_ih, bias_hh = (getattr(lstm, f"{name}_l{layer}") for name in names)
        yield ih, hh, bias_ih, bias_hh


def weights_of_cells(cells: nn.ModuleList) -> list[Weights]:
    """Return the weights of an LSTM made of cells, layer by layer."""
    return [
        (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
        for cell in cells
        if isinstance(cell, nn.LSTMCell)
    ]
