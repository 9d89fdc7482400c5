"""Batches hold every item once, within their limits."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whorl.batching import batches_by_length, chunks_by_size, shuffled_batches

LENGTHS = st.lists(st.integers(0, 40), max_size=60)


@given(LENGTHS, st.integers(1, 9), st.none() | st.integers(1, 120))
def test_batches_hold_every_item_that_is_not_empty_once_and_shortest_first(lengths, size, padded):
    batches = list(batches_by_length(lengths, size, max_padded=padded))
    flat = [index for batch in batches for index in batch]
    assert sorted(flat) == [index for index, length in enumerate(lengths) if length]
    assert [lengths[index] for index in flat] == sorted(length for length in lengths if length)
    for batch in batches:
        assert 1 <= len(batch) <= size
        if padded is not None and len(batch) > 1:
            assert len(batch) * max(lengths[index] for index in batch) <= padded


@given(LENGTHS, st.integers(1, 9))
def test_batches_are_as_full_as_the_limits_allow(lengths, size):
    batches = list(batches_by_length(lengths, size))
    assert all(len(batch) == size for batch in batches[:-1])


@given(LENGTHS, st.integers(1, 9), st.integers(0, 5))
def test_shuffled_batches_hold_every_item_once_and_alike_in_length(lengths, size, seed):
    batches = shuffled_batches(lengths, size, np.random.default_rng(seed), jitter=4.0)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert sum(len(batch) < size for batch in batches) <= 1
    bounds = [(min(own), max(own)) for own in ([lengths[i] for i in b] for b in batches)]
    for (first_low, first_high), (second_low, second_high) in combinations(bounds, 2):
        assert first_high < second_low + 4 or second_high < first_low + 4


def test_shuffled_batches_depend_on_the_seed_alone():
    lengths = list(range(100))
    first, again, other = (
        shuffled_batches(lengths, 8, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert first == again != other


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 50))
def test_chunks_keep_the_order_and_end_once_the_limit_is_reached(items, limit):
    chunks = list(chunks_by_size(iter(items), limit, lambda item: item))
    assert [item for chunk in chunks for item in chunk] == items
    assert all(sum(chunk) >= limit > sum(chunk[:-1]) for chunk in chunks[:-1])
    assert all(chunks)
