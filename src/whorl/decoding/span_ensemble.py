"""Several `span` networks as one: their scores are averaged, at every step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from whorl.data.candidates import Candidates
from whorl.data.span_samples import SpanInputs
from whorl.decoding.span_parse import Reader
from whorl.decoding.spans import Scorer
from whorl.runtime.choices import ArrayScorer, Floats, log_probabilities, masked

__all__ = ["EnsembleReader"]


class EnsembleReader:
    """Networks that number words, labels and tags alike: trained by one recipe with different seeds."""

    def __init__(self, readers: Sequence[Reader[SpanInputs]]) -> None:
        self._readers = readers

    def read(self, inputs: SpanInputs) -> tuple[Scorer, Floats]:
        """See `Reader`; tags by the mean of their log-probabilities."""
        scorers, tags = zip(*(reader.read(inputs) for reader in self._readers), strict=True)
        return _EnsembleScorer(scorers), np.mean([_log_softmax(one) for one in tags], axis=0)


class _EnsembleScorer(ArrayScorer):
    """The mean of the log-probabilities: what all hold possible."""

    def __init__(self, scorers: Sequence[Scorer]) -> None:
        self._scorers = scorers

    def scores(self, candidates: Candidates) -> Floats:
        """See `Scorer`."""
        found = [log_probabilities(masked(one.scores(candidates), candidates), candidates) for one in self._scorers]
        mean: Floats = np.mean(found, axis=0)
        return mean


def _log_softmax(scores: Floats) -> Floats:
    shifted = scores - scores.max(axis=1, keepdims=True)
    found: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return found
