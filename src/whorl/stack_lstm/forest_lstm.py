"""LSTMs over forests, with gradients: each item is read in the state that its parent left.

The children of a phrase are a chain; the stacks of a parse are a tree, since a stack continues from
an earlier state after a pop. Items of one depth are computed together, and what does not depend on
the previous state is computed for all items at once. PyTorch's LSTMs read chains only, and sum
their weight gradients step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from whorl.stack_lstm.batches import Ints
from whorl.stack_lstm.lstm_group import Weights

__all__ = ["Forest", "Layer", "layers", "read_layer"]


class Forest(NamedTuple):
    """Items depth by depth, roots first.

    In a forest of chains, an item and its parent have the same position within their depths.
    """

    starts: list[int]  # the first item of each depth, and the end of the last depth
    parents: Tensor  # of all items but the roots
    chains: bool

    @classmethod
    def of_chains(cls, lengths: Ints, device: torch.device) -> tuple[Forest, Ints]:
        """Build chains of these lengths, longest first, and return the last item of each too."""
        counts = (lengths[:, None] > np.arange(lengths[0])[None, :]).sum(axis=0)
        starts = np.concatenate([[0], np.cumsum(counts)])
        shift = np.repeat(counts[:-1], counts[1:])
        parents = np.arange(counts[0], starts[-1]) - shift
        ends: Ints = starts[lengths - 1] + np.arange(len(lengths))
        return cls(starts.tolist(), torch.from_numpy(parents).to(device), chains=True), ends

    @classmethod
    def of_trees(cls, roots: int, parents: Sequence[Ints], device: torch.device) -> Forest:
        """Build trees from the positions of the parents of each depth within the previous depth."""
        starts = np.cumsum([0, roots, *map(len, parents)])
        numbered = [
            positions + start for positions, start in zip(parents, starts[:-2], strict=True)
        ]
        numbers = np.concatenate([*numbered, np.empty(0, dtype=np.int64)])
        return cls(starts.tolist(), torch.from_numpy(numbers).to(device), chains=False)


class Layer(NamedTuple):
    """One layer of LSTMs that run together; gates are in the order of `_gates`."""

    read: Tensor  # (lstms, input, 4 * hidden)
    state: Tensor  # (lstms, hidden, 4 * hidden)
    bias: Tensor  # (lstms, 1, 4 * hidden)


def layers(lstms: Sequence[Sequence[Weights]]) -> list[Layer]:
    """Return the layers of LSTMs of one size."""
    return [
        Layer(
            torch.stack([_gates(weights[0]).t() for weights in level]),
            torch.stack([_gates(weights[1]).t() for weights in level]),
            torch.stack([_gates(weights[2] + weights[3])[None] for weights in level]),
        )
        for level in zip(*lstms, strict=True)
    ]


def read_layer(layer: Layer, items: Tensor, forest: Forest) -> Tensor:
    """Map items, (lstms, items, input), to the states that they leave, (lstms, items, hidden)."""
    states: Tensor = _Reading.apply(items, *layer, forest)  # type: ignore[no-untyped-call]
    return states


def _gates(weight: Tensor) -> Tensor:
    """Reorder gates from PyTorch's input, forget, new, output to output, input, forget, new."""
    opened, kept, new, shown = weight.chunk(4)
    return torch.cat([shown, opened, kept, new])


class _Reading(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, items: Tensor, read: Tensor, state: Tensor, bias: Tensor, forest: Forest
    ) -> Tensor:
        gates = torch.baddbmm(bias, items, read)
        hidden = state.shape[1]
        cells, shown, states = (items.new_empty(*items.shape[:2], hidden) for _ in range(3))
        for depth, (start, end) in enumerate(zip(forest.starts, forest.starts[1:], strict=False)):
            now = gates[:, start:end]
            if depth:
                parents = _parents(forest, depth)
                _add_products(now, states[:, parents], state)
            now[..., : 3 * hidden].sigmoid_()
            output, opened, kept, new = now.chunk(4, dim=-1)
            new.tanh_()
            cell = torch.mul(opened, new, out=cells[:, start:end])
            if depth:
                cell.addcmul_(kept, cells[:, parents])
            torch.mul(output, torch.tanh(cell, out=shown[:, start:end]), out=states[:, start:end])
        ctx.forest = forest
        ctx.save_for_backward(items, read, state, gates, cells, shown, states)
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, wanted: Tensor) -> tuple[Tensor | None, ...]:
        items, read, state, gates, cells, shown, states = ctx.saved_tensors
        forest: Forest = ctx.forest
        lstms, count, hidden = states.shape
        later = forest.starts[1]
        output, opened, kept, new = gates.chunk(4, dim=-1)
        # The derivative of each gate, without the factor that comes from later items:
        local = gates * (1 - gates)
        local[..., 3 * hidden :] = (1 - new * new) * opened
        local[..., :hidden] *= shown
        local[..., hidden : 2 * hidden] *= new
        local[:, :later, 2 * hidden : 3 * hidden] = 0
        local[:, later:, 2 * hidden : 3 * hidden] *= cells[:, forest.parents]
        through = output * (1 - shown * shown)
        back = wanted.clone()
        back_cells = torch.zeros_like(cells)
        parts = local.view(lstms, count, 4, hidden)
        turned = state.transpose(1, 2).contiguous()
        for depth in reversed(range(len(forest.starts) - 1)):
            start, end = forest.starts[depth : depth + 2]
            cell = back_cells[:, start:end].addcmul_(back[:, start:end], through[:, start:end])
            parts[:, start:end, 0] *= back[:, start:end]
            parts[:, start:end, 1:] *= cell[:, :, None]
            if depth:
                parents = _parents(forest, depth)
                cell = cell * kept[:, start:end]
                if forest.chains:
                    _add_products(back[:, parents], local[:, start:end], turned)
                    back_cells[:, parents] += cell
                else:
                    _add_at(back, parents, torch.bmm(local[:, start:end], turned))
                    _add_at(back_cells, parents, cell)
        return (
            torch.bmm(local, read.transpose(1, 2)) if ctx.needs_input_grad[0] else None,
            torch.bmm(items.transpose(1, 2), local),
            torch.bmm(states[:, forest.parents].transpose(1, 2), local[:, later:]),
            local.sum(dim=1, keepdim=True),
            None,
        )


def _add_products(total: Tensor, left: Tensor, right: Tensor) -> None:
    """Compute `total.baddbmm_(left, right)`, which on a CPU would copy non-contiguous input."""
    if total.is_cuda:
        total.baddbmm_(left, right)
    else:
        for sums, factors, weights in zip(total, left, right, strict=True):
            sums.addmm_(factors, weights)


def _add_at(total: Tensor, places: Tensor, added: Tensor) -> None:
    """Compute `total.index_add_(1, places, added)`, which on a GPU would add in random order."""
    if total.is_cuda:
        for sums, values in zip(total, added, strict=True):
            sums.index_put_((places,), values, accumulate=True)
    else:
        total.index_add_(1, places, added)


def _parents(forest: Forest, depth: int) -> Any:
    """Return the parents of the items of one depth, as an index."""
    before, start, end = forest.starts[depth - 1 : depth + 2]
    return (
        slice(before, before + end - start)
        if forest.chains
        else forest.parents[start - forest.starts[1] : end - forest.starts[1]]
    )
