"""One way of parsing a sentence: its tree and how probable it is."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass

from whorl.engine.calibration import Calibration
from whorl.engine.evidence import gather
from whorl.trees import Tree

__all__ = ["Parse"]


@dataclass(frozen=True, slots=True)
class Parse:
    """A tree and its log-probability given the words: the sum of those of the steps that built it.

    Only the `span` network tells the log-probability of each step, and so the probabilities of
    phrases.
    """

    tree: Tree
    log_probability: float
    steps: array[float] | None = None
    """The log-probabilities of the steps; see `whorl.engine.evidence`."""
    calibration: Calibration | None = None

    def probabilities(self) -> list[float] | None:
        """How probable it is that each of `tree.phrases()` is right; None where that is not known.

        Of a model that was not calibrated, these are the probabilities of the reduces, which are
        too high on the whole. A root that was put above the tree, since all trees of the treebank
        have it, is certain.
        """
        if self.steps is None:
            return None
        found = gather(self.tree, self.steps)
        if self.calibration is None:
            return [1.0 if evidence is None else math.exp(evidence.step) for evidence in found]
        return [
            1.0 if evidence is None else self.calibration.probability(evidence)
            for evidence in found
        ]

    @property
    def confidence(self) -> float | None:
        """The part of the phrases that can be expected to be right: the mean of their probabilities."""
        found = self.probabilities()
        if found is None or self.steps is None:
            return None
        built = (
            len(self.steps) - 1 - (self.tree.right - self.tree.left)
        )  # without a root that was put above
        return sum(found[len(found) - built :]) / built
