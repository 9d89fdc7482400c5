"""Timing: the fastest round counts."""

from __future__ import annotations

import time

import pytest

from whorl.reporting.timing import (
    best_of,
    best_of_each,
    numpy_gflops,
    one_torch_thread,
    percentile_95,
    torch_gflops,
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that moves only when a test moves it."""
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    return now


def advance(clock: list[float], seconds: float) -> None:
    clock[0] += seconds


def test_the_fastest_round_counts(clock):
    durations = iter([3.0, 1.0, 2.0])
    assert best_of(lambda: advance(clock, next(durations)), 3) == 1.0


def test_the_fastest_round_of_each_item_counts(clock):
    durations = iter([3.0, 5.0, 4.0, 1.0])
    times = best_of_each(lambda _: advance(clock, next(durations)), ["a", "b"], rounds=2)
    assert times == [3.0, 1.0]


def test_95_percent_of_the_values_lie_below():
    assert percentile_95([7.0]) == 7.0
    assert percentile_95([float(value) for value in range(1, 100)]) == 95.0


def test_the_machine_has_a_speed():
    assert numpy_gflops() > 0.01


def test_pytorch_has_a_speed_and_one_thread_inside_the_block():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with one_torch_thread():
        assert torch.get_num_threads() == 1
        assert torch_gflops() > 0.01
    assert torch.get_num_threads() == before
