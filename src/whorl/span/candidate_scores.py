"""The scores of candidates, as one operation with a backward pass of its own.

A candidate's hidden vector is a sum of four rows. There are many candidates, so on a CPU most of
the time would go into writing such vectors to memory and reading them again. Here they are made
block by block, small enough for the cache, and made again in the backward pass instead of kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

__all__ = ["score_candidates"]

_EPSILON = 1e-6
_BLOCK = 1024
"""Candidates; on a GPU, all at once."""


def score_candidates(
    tables: tuple[Tensor, ...], rows: tuple[Tensor, ...], weight: Tensor, bias: Tensor
) -> Tensor:
    """Score candidates whose hidden vector is a sum of one row of each table.

    That is `linear(relu(rms_norm(sum of rows)), weight, bias)`: (candidates, outputs). Everything
    is float32.
    """
    scores: Tensor = _CandidateScores.apply(weight, bias, len(tables), *tables, *rows)  # type: ignore[no-untyped-call]
    return scores


class _CandidateScores(torch.autograd.Function):
    """The norm divides a vector by a positive number, so it may follow ReLU and the matrix."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor, count: int, *tensors: Tensor) -> Tensor:
        tables, rows = tensors[:count], tensors[count:]
        products = weight.new_empty(len(rows[0]), len(weight))
        scales = weight.new_empty(len(rows[0]), 1)
        for block in _blocks(rows[0]):
            hidden = _hidden(tables, rows, block)
            norms = torch.linalg.vector_norm(hidden, dim=1, keepdim=True)
            scales[block] = torch.rsqrt(norms.square_() / hidden.shape[1] + _EPSILON)
            torch.mm(hidden.relu_(), weight.t(), out=products[block])
        ctx.count = count
        ctx.save_for_backward(weight, products, scales, *tensors)
        return torch.addcmul(bias, products, scales)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        weight, products, scales, *tensors = ctx.saved_tensors
        tables, rows = tensors[: ctx.count], tensors[ctx.count :]
        scaled = gradient * scales
        # of the norms, times the number that each component of a hidden vector is multiplied by
        of_norms = (gradient * products).sum(dim=1, keepdim=True)
        of_norms *= scales**3 / -weight.shape[1]
        of_weight = torch.zeros_like(weight)
        of_tables = [torch.zeros_like(table) for table in tables]
        for block in _blocks(rows[0]):
            hidden = _hidden(tables, rows, block)
            of_weight.addmm_(scaled[block].t(), hidden.relu())
            of_hidden = (scaled[block] @ weight).mul_(hidden > 0)
            of_hidden.addcmul_(hidden, of_norms[block])
            for of_table, row in zip(of_tables, rows, strict=True):
                of_table.index_add_(0, row[block], of_hidden)
        return (of_weight, gradient.sum(dim=0), None, *of_tables, *[None] * ctx.count)


def _hidden(tables: tuple[Tensor, ...], rows: tuple[Tensor, ...], block: slice) -> Tensor:
    """Add up the rows of some candidates: (candidates, hidden)."""
    first, *others = zip(tables, rows, strict=True)
    hidden = first[0].index_select(0, first[1][block])
    for table, row in others:
        hidden += table.index_select(0, row[block])
    return hidden


def _blocks(rows: Tensor) -> Iterator[slice]:
    size = _BLOCK if rows.device.type == "cpu" else max(1, len(rows))
    for start in range(0, len(rows), size):
        yield slice(start, start + size)
