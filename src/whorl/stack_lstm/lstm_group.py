"""LSTMs of one size that run in step, without gradients, arranged for speed.

The logistic function is some times cheaper than the hyperbolic tangent, and tanh(x) = 2σ(2x) - 1.
So every gate is a logistic function, and factors of two are moved into the weights: a state holds
half of each h and twice each c.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import torch
from torch import Tensor, nn

__all__ = ["LSTMGroup", "Weights", "weights_of_cells", "weights_of_lstm"]

Weights: TypeAlias = tuple[Tensor, Tensor, Tensor, Tensor]
"""Of one layer: from the input, from the state, and the two biases, as PyTorch keeps them."""


class LSTMGroup:
    """Some LSTMs of as many layers and of one width, which read together.

    A state is one row: all layers' h, then all layers' c, (lstms, items, 2 * layers * hidden).
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
        ]  # (lstms, 2 * hidden, 4 * hidden): the layer below beside the layer itself
        self._deeper_bias = [
            torch.stack([_arranged((lstm[layer][2] + lstm[layer][3])[:, None]) for lstm in lstms])
            for layer in range(1, self.layers)
        ]  # (lstms, 1, 4 * hidden)

    def project(self, read: Tensor, lstm: int) -> Tensor:
        """What an input adds to the gates of the first layer of one of the LSTMs: (items, 4 * hidden)."""
        weight, bias = self.projection(lstm)
        return torch.addmm(bias, read, weight)

    def projection(self, lstm: int) -> tuple[Tensor, Tensor]:
        """The weights and biases of `project`: (input, 4 * hidden), (4 * hidden,)."""
        return self._project[lstm], self._bias[lstm]

    def nothing(self, items: int) -> Tensor:
        """The states before anything is read."""
        return self._first.new_zeros(len(self._first), items, self.width)

    def top(self, states: Tensor) -> Tensor:
        """The h of the last layer, halved."""
        return states[..., (self.layers - 1) * self.hidden : self.layers * self.hidden]

    def read(self, gates: Tensor, states: Tensor) -> None:
        """Let the states go one input on, in place; `gates` are what `project` gave, and are used up."""
        parts = states.chunk(2 * self.layers, dim=-1)
        gates.baddbmm_(parts[0], self._first)
        _step(gates, parts[0], parts[self.layers])
        for layer in range(1, self.layers):
            both = states[..., (layer - 1) * self.hidden : (layer + 1) * self.hidden]
            torch.baddbmm(self._deeper_bias[layer - 1], both, self._deeper[layer - 1], out=gates)
            _step(gates, parts[layer], parts[self.layers + layer])

    def prepare(self, states: Tensor) -> list[Tensor]:
        """What these states add to the gates of each layer, for `read_prepared`: (lstms, items, 4 * hidden) each."""
        parts = states.chunk(2 * self.layers, dim=-1)
        added = [torch.bmm(parts[0], self._first)]
        for layer in range(1, self.layers):
            weight = self._deeper[layer - 1][:, self.hidden :]
            added.append(torch.baddbmm(self._deeper_bias[layer - 1], parts[layer], weight))
        return added

    def read_prepared(
        self, gates: Tensor, prepared: list[Tensor], chosen: Tensor, states: Tensor
    ) -> None:
        """The same as `read` where the states are some of those that were prepared, by their numbers."""
        parts = states.chunk(2 * self.layers, dim=-1)
        gates += prepared[0].index_select(1, chosen)
        _step(gates, parts[0], parts[self.layers])
        for layer in range(1, self.layers):
            weight = self._deeper[layer - 1][:, : self.hidden]
            torch.index_select(prepared[layer], 1, chosen, out=gates)
            gates.baddbmm_(parts[layer - 1], weight)
            _step(gates, parts[layer], parts[self.layers + layer])


def _step(gates: Tensor, h: Tensor, c: Tensor) -> None:
    """From the gates before the logistic function to the new h and c, in place."""
    opened, kept, shown, new = gates.sigmoid_().chunk(4, dim=-1)
    c.mul_(kept).addcmul_(opened, new, value=4).sub_(opened, alpha=2)
    torch.sub(torch.sigmoid(c).mul_(shown), shown, alpha=0.5, out=h)


def _arranged(weight: Tensor) -> Tensor:
    """Rows of gates in PyTorch's order (input, forget, new, output) as columns, new last and doubled."""
    opened, kept, new, shown = weight.chunk(4)
    return torch.cat([opened, kept, shown, 2 * new]).t().contiguous()


def weights_of_lstm(lstm: nn.LSTM) -> list[Weights]:
    """The layers of an LSTM."""
    return list(_layers(lstm))


def _layers(lstm: nn.LSTM) -> Iterator[Weights]:
    for layer in range(lstm.num_layers):
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        ih, hh, bias_ih, bias_hh = (getattr(lstm, f"{name}_l{layer}") for name in names)
        yield ih, hh, bias_ih, bias_hh


def weights_of_cells(cells: nn.ModuleList) -> list[Weights]:
    """The layers of an LSTM that is kept as cells."""
    return [
        (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
        for cell in cells
        if isinstance(cell, nn.LSTMCell)
    ]
