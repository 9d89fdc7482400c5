"""Least squares: does running time grow as a line or as a parabola (§7.5)?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from whorl.errors import ExperimentError

__all__ = ["Fit", "fit"]


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted polynomial: its coefficients, constant first, and the variance it explains (R²)."""

    coefficients: tuple[float, ...]
    r2: float

    def __call__(self, x: float) -> float:
        """Return the value of the polynomial."""
        return sum(self.terms(x))

    def terms(self, x: float) -> list[float]:
        """Return the terms of the value, constant first."""
        return [coefficient * x**power for power, coefficient in enumerate(self.coefficients)]

    def top_share(self, x: float) -> float:
        """Return the share of the highest term in the value at `x`."""
        return self.terms(x)[-1] / self(x)


def fit(points: Sequence[tuple[float, float]], degree: int) -> Fit:
    """Fit a polynomial of this degree by least squares."""
    xs, ys = np.array(points, dtype=np.float64).reshape(-1, 2).T
    distinct = len(set(xs.tolist()))
    if distinct <= degree:
        raise ExperimentError(
            f"a curve of degree {degree} needs points at {degree + 1} different lengths or more, "
            f"found {distinct}"
        )
    scale = np.abs(xs).max()
    powers = np.vander(xs / scale, degree + 1, increasing=True)  # (points, coefficients)
    solution = np.linalg.lstsq(powers, ys, rcond=None)[0]
    residual = float(((ys - powers @ solution) ** 2).sum())
    total = float(((ys - ys.mean()) ** 2).sum())
    return Fit(
        tuple(float(value / scale**power) for power, value in enumerate(solution)),
        1 - residual / total if total else 1.0,
    )
