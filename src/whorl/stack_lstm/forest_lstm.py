"""LSTMs over forests, with gradients: each item is read in the state that another item, its parent, left.

A chain is a sentence that is read word after word; a tree is what the stacks of a parse have been,
since a stack that is popped and pushed again goes on from an earlier state. Items of one depth are
computed together, and whatever does not depend on the state before is computed for all items at
once: PyTorch's own LSTMs read chains only, and their gradients with respect to the weights are
summed step by step.
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
    """Items depth by depth, those without a parent first.

    In a forest of chains, the item at some place of its depth has the parent at that same place of
    the depth before.
    """

    starts: list[int]  # where each depth starts, and where the last one ends
    parents: Tensor  # of all items but those of the first depth, in the same numbering
    chains: bool

    @classmethod
    def of_chains(cls, lengths: Ints, device: torch.device) -> tuple[Forest, Ints]:
        """Chains of these lengths, the longest first; also where each of them ends."""
        counts = (lengths[:, None] > np.arange(lengths[0])[None, :]).sum(axis=0)
        starts = np.concatenate([[0], np.cumsum(counts)])
        shift = np.repeat(counts[:-1], counts[1:])
        parents = np.arange(counts[0], starts[-1]) - shift
        ends: Ints = starts[lengths - 1] + np.arange(len(lengths))
        return cls(starts.tolist(), torch.from_numpy(parents).to(device), chains=True), ends

    @classmethod
    def of_trees(cls, roots: int, parents: Sequence[Ints], device: torch.device) -> Forest:
        """Trees from the places that the parents of each depth have in the depth before."""
        starts = np.cumsum([0, roots, *map(len, parents)])
        numbered = [places + start for places, start in zip(parents, starts[:-2], strict=True)]
        numbers = np.concatenate([*numbered, np.empty(0, dtype=np.int64)])
        return cls(starts.tolist(), torch.from_numpy(numbers).to(device), chains=False)


class Layer(NamedTuple):
    """One layer of some LSTMs that read side by side; gates are in the order of `_gates`."""

    read: Tensor  # (lstms, input, 4 * hidden)
    state: Tensor  # (lstms, hidden, 4 * hidden)
    bias: Tensor  # (lstms, 1, 4 * hidden)


def layers(lstms: Sequence[Sequence[Weights]]) -> list[Layer]:
    """The layers of LSTMs of one size."""
    return [
        Layer(
            torch.stack([_gates(weights[0]).t() for weights in level]),
            torch.stack([_gates(weights[1]).t() for weights in level]),
            torch.stack([_gates(weights[2] + weights[3])[None] for weights in level]),
        )
        for level in zip(*lstms, strict=True)
    ]


def read_layer(layer: Layer, items: Tensor, forest: Forest) -> Tensor:
    """From (lstms, items, input) to the states that each item leaves, (lstms, items, hidden)."""
    states: Tensor = _Reading.apply(items, *layer, forest)  # type: ignore[no-untyped-call]
    return states


def _gates(weight: Tensor) -> Tensor:
    """From PyTorch's order of gates (input, forget, new, output) to output, input, forget, new."""
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
                parents = _above(forest, depth)
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
        # How each gate answers, apart from what comes back from later items:
        answers = gates * (1 - gates)
        answers[..., 3 * hidden :] = (1 - new * new) * opened
        answers[..., :hidden] *= shown
        answers[..., hidden : 2 * hidden] *= new
        answers[:, :later, 2 * hidden : 3 * hidden] = 0
        answers[:, later:, 2 * hidden : 3 * hidden] *= cells[:, forest.parents]
        through = output * (1 - shown * shown)
        back = wanted.clone()
        back_cells = torch.zeros_like(cells)
        parts = answers.view(lstms, count, 4, hidden)
        turned = state.transpose(1, 2).contiguous()
        for depth in reversed(range(len(forest.starts) - 1)):
            start, end = forest.starts[depth : depth + 2]
            cell = back_cells[:, start:end].addcmul_(back[:, start:end], through[:, start:end])
            parts[:, start:end, 0] *= back[:, start:end]
            parts[:, start:end, 1:] *= cell[:, :, None]
            if depth:
                parents = _above(forest, depth)
                cell = cell * kept[:, start:end]
                if forest.chains:
                    _add_products(back[:, parents], answers[:, start:end], turned)
                    back_cells[:, parents] += cell
                else:
                    _add_at(back, parents, torch.bmm(answers[:, start:end], turned))
                    _add_at(back_cells, parents, cell)
        return (
            torch.bmm(answers, read.transpose(1, 2)) if ctx.needs_input_grad[0] else None,
            torch.bmm(items.transpose(1, 2), answers),
            torch.bmm(states[:, forest.parents].transpose(1, 2), answers[:, later:]),
            answers.sum(dim=1, keepdim=True),
            None,
        )


def _add_products(total: Tensor, left: Tensor, right: Tensor) -> None:
    """`total.baddbmm_(left, right)`, which on a CPU copies what does not lie side by side."""
    if total.is_cuda:
        total.baddbmm_(left, right)
    else:
        for one, other, another in zip(total, left, right, strict=True):
            one.addmm_(other, another)


def _add_at(total: Tensor, places: Tensor, added: Tensor) -> None:
    """`total.index_add_(1, places, added)`, which on a GPU adds in an order left to chance."""
    if total.is_cuda:
        for one, other in zip(total, added, strict=True):
            one.index_put_((places,), other, accumulate=True)
    else:
        total.index_add_(1, places, added)


def _above(forest: Forest, depth: int) -> Any:
    """The parents of the items of one depth, as an index."""
    before, start, end = forest.starts[depth - 1 : depth + 2]
    return (
        slice(before, before + end - start)
        if forest.chains
        else forest.parents[start - forest.starts[1] : end - forest.starts[1]]
    )
