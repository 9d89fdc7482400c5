"""LSTMs over forests agree with PyTorch's, and their gradients are right."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

from whorl.stack_lstm.forest_lstm import Forest, layers, read_layer
from whorl.stack_lstm.lstm_group import weights_of_cells, weights_of_lstm

CPU = torch.device("cpu")


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
@settings(deadline=None, max_examples=30)
def test_chains_are_read_as_pytorch_reads_packed_sequences(lengths):
    torch.manual_seed(sum(lengths))
    lengths = np.array(sorted(lengths, reverse=True))
    lstms = [nn.LSTM(3, 4, 2, batch_first=True) for _ in range(2)]
    padded = torch.randn(2, len(lengths), int(lengths[0]), 3)
    wanted = torch.randn(2, len(lengths), 4)
    ends = torch.stack(
        [
            lstm(pack_padded_sequence(read, torch.from_numpy(lengths), batch_first=True))[1][0][-1]
            for lstm, read in zip(lstms, padded, strict=True)
        ]
    )
    (ends * wanted).sum().backward()
    expected = [weight.grad.clone() for lstm in lstms for weight in lstm.parameters()]
    for lstm in lstms:
        lstm.zero_grad()

    forest, places = Forest.of_chains(lengths, CPU)
    items = torch.cat(
        [padded[:, : int((lengths > place).sum()), place] for place in range(int(lengths[0]))],
        dim=1,
    )
    for layer in layers([weights_of_lstm(lstm) for lstm in lstms]):
        items = read_layer(layer, items, forest)
    torch.testing.assert_close(items[:, torch.from_numpy(places)], ends)
    (items[:, torch.from_numpy(places)] * wanted).sum().backward()
    torch.testing.assert_close(
        [weight.grad for lstm in lstms for weight in lstm.parameters()], expected
    )


@st.composite
def parents(draw):
    """For each depth the places of the parents in the depth before; one root, or more."""
    count = roots = draw(st.integers(1, 3))
    depths = []
    for _ in range(draw(st.integers(0, 4))):
        depths.append(np.array(draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=4))))
        count = len(depths[-1])
    return roots, depths


@given(parents())
@settings(deadline=None, max_examples=30)
def test_trees_are_read_as_cells_read_them_one_by_one(drawn):
    roots, depths = drawn
    torch.manual_seed(len(depths))
    cell = nn.LSTMCell(3, 4)
    forest = Forest.of_trees(roots, depths, CPU)
    items = torch.randn(1, forest.starts[-1], 3)
    outputs = [cell(item[None]) for item in items[0, :roots]]
    for item, parent in zip(items[0, roots:], forest.parents.tolist(), strict=True):
        outputs.append(cell(item[None], outputs[parent]))
    (layer,) = layers([weights_of_cells(nn.ModuleList([cell]))])
    torch.testing.assert_close(
        read_layer(layer, items, forest)[0], torch.cat([h for h, _ in outputs])
    )


@pytest.mark.parametrize(
    "forest",
    [
        Forest.of_trees(2, [np.array([0, 0, 1]), np.array([2, 2, 0, 2]), np.array([3])], CPU),
        Forest.of_trees(1, [], CPU),
        Forest.of_chains(np.array([3, 2, 2, 1]), CPU)[0],
    ],
    ids=["trees", "one root", "chains"],
)
def test_gradients(forest):
    torch.manual_seed(1)
    numbers = [
        torch.randn(2, *shape, dtype=torch.float64, requires_grad=True)
        for shape in ((3, 8), (2, 8), (1, 8))
    ]
    items = torch.randn(2, forest.starts[-1], 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda items, *layer: read_layer(layer, items, forest), (items, *numbers)
    )
