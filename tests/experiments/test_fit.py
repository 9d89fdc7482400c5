"""Fits recover the curves that points lie on."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from hypothesis import given
from hypothesis import strategies as st

from whorl.errors import ExperimentError
from whorl.experiments.fit import fit

coefficients = st.floats(min_value=-100, max_value=100, allow_nan=False).filter(
    lambda x: x == 0 or abs(x) > 1e-3
)
lengths = st.lists(st.integers(min_value=1, max_value=400), min_size=3, max_size=30, unique=True)


@given(st.tuples(coefficients, coefficients, coefficients), lengths)
def test_a_parabola_is_recovered_from_its_points(wanted, xs):
    a, b, c = wanted
    parabola = fit([(x, a + b * x + c * x * x) for x in xs], 2)
    size = max(abs(a), abs(b) * max(xs), abs(c) * max(xs) ** 2, 1e-3)
    for x in xs:
        assert parabola(x) == pytest.approx(a + b * x + c * x * x, abs=1e-6 * size)
    if max(xs) - min(xs) > 50:
        for power, value in enumerate(parabola.coefficients):
            assert value * max(xs) ** power == pytest.approx(
                wanted[power] * max(xs) ** power, abs=1e-3 * size
            )


@given(coefficients, coefficients, lengths)
def test_a_line_is_recovered_and_a_parabola_adds_nothing_to_it(a, b, xs):
    points = [(x, a + b * x) for x in xs]
    size = max(abs(a), abs(b) * max(xs), 1.0)
    line, parabola = fit(points, 1), fit(points, 2)
    assert line(max(xs)) == pytest.approx(a + b * max(xs), abs=1e-6 * size)
    assert parabola(max(xs)) == pytest.approx(a + b * max(xs), abs=1e-6 * size)


def test_the_share_of_variance_is_that_of_the_textbook():
    # The slope is 0.8 through (2.5, 2.5): the squared residuals sum to 1.8 of 5.
    points = [(1, 1.0), (2, 3.0), (3, 2.0), (4, 4.0)]
    line = fit(points, 1)
    assert line.coefficients == pytest.approx((0.5, 0.8))
    assert line.r2 == pytest.approx(1 - 1.8 / 5)
    assert (
        fit([(x, float(x * x)) for x in range(9)], 1).r2
        < fit([(x, float(x * x)) for x in range(9)], 2).r2
    )


def test_the_share_of_the_highest_term_is_of_the_whole_value():
    parabola = fit([(x, 10 + 2 * x + 0.5 * x * x) for x in range(1, 20)], 2)
    assert parabola.top_share(10) == pytest.approx(50 / 80)


@pytest.mark.parametrize("points", [[], [(3, 1.0), (3, 2.0), (3, 4.0)], [(3, 1.0), (4, 1.0)]])
def test_too_few_lengths_are_an_error(points):
    with pytest.raises(ExperimentError, match="3 different lengths or more"):
        fit(points, 2)
