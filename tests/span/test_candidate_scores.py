"""Candidates scored in blocks: the values and gradients of the plain definition."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from whorl.span import candidate_scores
from whorl.span.candidate_scores import score_candidates

HIDDEN, OUTPUTS = 12, 5
TABLES = (7, 3, 4, 6)  # rows
COUNTS = (0, 1, 30, 64)  # candidates


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(candidate_scores, "_BLOCK", 16)


def plain_scores(tables, rows, weight, bias):
    hidden = sum(table[row] for table, row in zip(tables, rows, strict=True))
    scale = torch.rsqrt(hidden.square().mean(dim=1, keepdim=True) + 1e-6)
    return functional.linear(functional.relu(hidden * scale), weight, bias)


def example(count, dtype=torch.float64):
    generator = torch.Generator().manual_seed(count)

    def weights(*shape):
        return torch.randn(*shape, generator=generator, dtype=dtype, requires_grad=True)

    tables = tuple(weights(size, HIDDEN) for size in TABLES)
    rows = tuple(torch.randint(size, (count,), generator=generator) for size in TABLES)
    return tables, rows, weights(OUTPUTS, HIDDEN), weights(OUTPUTS)


@pytest.mark.parametrize("count", COUNTS)
def test_scores_are_those_of_the_definition(count):
    values = example(count)
    torch.testing.assert_close(score_candidates(*values), plain_scores(*values))


@pytest.mark.parametrize("count", COUNTS)
def test_gradients_are_those_of_the_definition(count):
    tables, rows, weight, bias = example(count)
    inputs = (*tables, weight, bias)
    weights_of_loss = torch.linspace(-1, 1, count * OUTPUTS, dtype=weight.dtype)

    def gradients(score):
        scores = score(tables, rows, weight, bias)
        loss = (scores.flatten() * weights_of_loss).sum()
        return torch.autograd.grad(loss, inputs)

    for ours, plain in zip(gradients(score_candidates), gradients(plain_scores), strict=True):
        torch.testing.assert_close(ours, plain)


def test_a_hidden_vector_of_zeros_has_a_finite_gradient():
    tables, rows, weight, bias = example(4)
    zeros = tuple(torch.zeros_like(table, requires_grad=True) for table in tables)
    score_candidates(zeros, rows, weight, bias).sum().backward()
    assert all(torch.isfinite(table.grad).all() for table in zeros)
