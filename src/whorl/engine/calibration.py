"""From log-probabilities of steps to probabilities of phrases: a logistic function of 7 weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from whorl.engine.evidence import Evidence

__all__ = ["FEATURES", "Calibration", "features"]

FEATURES = ("step", "weakest", "rest", "words", "children", "survival")
"""What a calibration weighs, apart from a constant."""

_LEAST = 1e-3  # added to a negated sum of log-probabilities before its logarithm is taken
_SURE = -1e-6  # log-probabilities above this count as this one, whose odds are finite


def features(evidence: Evidence) -> tuple[float, float, float, float, float, float]:
    """Return the values of `FEATURES`."""
    return (
        _log_odds(evidence.step),
        _log_odds(evidence.weakest),
        math.log(_LEAST - evidence.rest),
        math.log(evidence.words),
        math.log(evidence.children),
        _log_odds(evidence.survival),
    )


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights that make the probability of a phrase agree with how often such phrases are right.

    `whorl.labelling.calibration` fits them to trees that the model was not trained on.
    """

    step: float
    weakest: float
    rest: float
    words: float
    children: float
    bias: float
    survival: float = 0.0
    """Models calibrated before there was this evidence do not weigh it."""

    @property
    def needs_arities(self) -> bool:
        """Whether parses must have the probabilities of arities."""
        return self.survival != 0

    def probability(self, evidence: Evidence) -> float:
        """Return the probability that the label and the span of a phrase are right."""
        step, weakest, rest, words, children, survival = features(evidence)
        total = self.step * step + self.weakest * weakest + self.rest * rest
        total = total + self.words * words + self.children * children + self.bias
        return _logistic(total + self.survival * survival)

    def to_dict(self) -> dict[str, float]:
        """Return the weights as `model.json` holds them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: Mapping[str, float]) -> Calibration:
        """Undo `to_dict`."""
        return cls(**saved)


def _log_odds(log_probability: float) -> float:
    log_probability = min(log_probability, _SURE)
    return log_probability - math.log(-math.expm1(log_probability))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value >= 0 else 1 - 1 / (1 + math.exp(value))
