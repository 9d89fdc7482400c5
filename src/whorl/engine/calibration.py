"""From the log-probabilities of steps to the probabilities of phrases: a logistic function with six weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from whorl.engine.evidence import Evidence

__all__ = ["Calibration", "features"]

_LEAST = (
    1e-3  # what a sum of log-probabilities is kept away from 0, and so its logarithm from infinity
)
_SURE = -1e-6  # the highest log-probability that is told from certainty


def features(evidence: Evidence) -> tuple[float, float, float, float, float]:
    """What the weights of a calibration are for, in their order."""
    return (
        _log_odds(evidence.step),
        _log_odds(evidence.weakest),
        math.log(_LEAST - evidence.rest),
        math.log(evidence.words),
        math.log(evidence.children),
    )


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights that make the probabilities of phrases agree with how often such phrases are right.

    `whorl.labelling.calibration` finds them on trees that the model was not trained on.
    """

    step: float
    weakest: float
    rest: float
    words: float
    children: float
    bias: float

    def probability(self, evidence: Evidence) -> float:
        """The probability that a phrase is right, label and words."""
        step, weakest, rest, words, children = features(evidence)
        total = self.step * step + self.weakest * weakest + self.rest * rest
        return _logistic(total + self.words * words + self.children * children + self.bias)

    def to_dict(self) -> dict[str, float]:
        """What a model's description has to hold."""
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
