"""The schedule: warm-up, decay to zero at the end of the budget, and early stops."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")
pytest.importorskip("tokenizers")

from whorl.pretraining.recipe import PretrainingSettings
from whorl.pretraining.schedule import Schedule


def by_pieces(**settings):
    return Schedule(
        PretrainingSettings(
            **{"tokens": 100_000, "rows": 10, "pieces": 10, "rate": 1.0, "warmup": 0.1, **settings}
        )
    )


def by_minutes(**settings):
    return Schedule(PretrainingSettings(minutes=10, rate=1.0, warmup=0.1, **settings))


def test_the_rate_goes_up_and_then_down_to_zero_over_the_pieces():
    schedule = by_pieces()
    assert schedule.steps == 1000
    rates = [schedule.rate(step, 0.0) for step in range(1000)]
    assert max(rates) == rates[100] == pytest.approx(1.0, abs=0.01)
    assert rates[:100] == sorted(rates[:100])
    assert rates[100:] == sorted(rates[100:], reverse=True)
    assert 0 < rates[0] < 0.01
    assert 0 < rates[-1] < 0.001
    assert schedule.progress(999, 1e9) < 1 == schedule.progress(1000, 0)


def test_the_rate_follows_the_clock_where_the_budget_is_of_minutes():
    schedule = by_minutes()
    assert schedule.steps is None
    assert schedule.rate(10**9, 30) == pytest.approx(0.5)
    assert schedule.rate(0, 60) == pytest.approx(1.0)
    assert schedule.rate(0, 330) == pytest.approx(0.5)
    assert schedule.rate(0, 700) == 0
    assert schedule.progress(10**9, 599) < 1 == schedule.progress(0, 600)


def test_a_run_can_stop_before_its_schedule_ends():
    schedule, whole = by_pieces(stop=2000), by_pieces()
    assert schedule.progress(19, 0) < 1 == schedule.progress(20, 0)
    assert schedule.rate(19, 0) == whole.rate(19, 0)
    assert schedule.fraction(20, 0) == pytest.approx(0.02)
    timed = by_minutes(stop=65536 * 3)
    assert timed.progress(2, 1) < 1 == timed.progress(3, 1)


def test_there_may_be_no_warmup():
    assert by_pieces(warmup=0.0).rate(0, 0) == pytest.approx(1.0, abs=0.001)
