"""A parse of a sentence: its tree and how probable it is."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass

from whorl.engine.calibration import Calibration
from whorl.engine.evidence import gather_evidence
from whorl.trees import UNCERTAIN, Tree, draw_html, draw_svg, draw_text

__all__ = ["Parse"]


@dataclass(frozen=True, slots=True)
class Parse:
    """A tree and its log-probability given the words: the sum over the steps that built it.

    Only the `span` network gives the log-probability of each step, and so probabilities of phrases.
    """

    tree: Tree
    log_probability: float
    steps: array[float] | None = None
    """The log-probability of each step; see `whorl.engine.evidence`."""
    calibration: Calibration | None = None
    arities: array[float] | None = None
    """How probable each arity is at each step, for calibrations that need it; see `evidence`."""

    def probabilities(self) -> list[float] | None:
        """Return the probability that each of `tree.phrases()` is right; None where unknown.

        Without a calibration, these are the probabilities of the reduces, which are too high on
        average. A root that was put above the tree, because the treebank has one everywhere, has
        probability 1.
        """
        if self.steps is None:
            return None
        phrases = gather_evidence(self.tree, self.steps, self.arities)
        if self.calibration is None:
            return [1.0 if evidence is None else math.exp(evidence.step) for evidence in phrases]
        return [
            1.0 if evidence is None else self.calibration.probability(evidence)
            for evidence in phrases
        ]

    @property
    def confidence(self) -> float | None:
        """The expected precision of the tree: the mean probability of the phrases it built."""
        probabilities = self.probabilities()
        if probabilities is None or self.steps is None:
            return None
        # One step per word, one per phrase, and FINISH: a root that was put above has none.
        built = len(self.steps) - 1 - (self.tree.right - self.tree.left)
        return sum(probabilities[len(probabilities) - built :]) / built

    def pretty(self, *, width: int = 100, uncertain_below: float = UNCERTAIN) -> str:
        """Draw the tree as text, with the phrases that are less probable marked as uncertain."""
        return draw_text(
            self.tree,
            width=width,
            probabilities=self.probabilities(),
            uncertain_below=uncertain_below,
        )

    def svg(self, *, uncertain_below: float = UNCERTAIN) -> str:
        """Draw the tree as SVG, with the phrases that are less probable marked as uncertain."""
        return draw_svg(
            self.tree, probabilities=self.probabilities(), uncertain_below=uncertain_below
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return draw_html([(self.tree, self.probabilities())])
