"""What all decoders take and return."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from whorl.span.candidates import Ints
from whorl.span.samples import Step
from whorl.span.scores import Floats

__all__ = ["Derivation", "EncodedBatch"]


class EncodedBatch(Protocol):
    """The lengths of a batch's sentences, and where their fenceposts are among all fenceposts."""

    @property
    def lengths(self) -> Ints:
        """The number of words of each sentence."""

    @property
    def fenceposts(self) -> Ints:
        """The row of each sentence's first fencepost."""


class Derivation(NamedTuple):
    """The transitions of one sentence, FINISH included, and the log-probability of each.

    `arities` has numbers proportional to the probabilities of all arities at each step, one step
    after the other, if they were asked for: see `whorl.engine.evidence`.
    """

    steps: list[Step]
    scores: list[float]
    arities: Floats | None = None

    @property
    def score(self) -> float:
        """The log-probability of the whole derivation."""
        return sum(self.scores)

    @classmethod
    def after_initial_shift(
        cls, steps: list[Step], scores: list[float], arities: Floats | None = None
    ) -> Derivation:
        """Prepend the first SHIFT, which is always taken and so has probability 1."""
        if arities is not None:
            arities = np.concatenate([np.ones(1, dtype=np.float32), arities])
        return cls([(0, 0), *steps], [0.0, *scores], arities)
