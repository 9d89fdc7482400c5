"""Parsing with a `span` network in PyTorch: the encoder where the network is, the decisions there or in NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from whorl.span.candidates import Candidates
from whorl.span.greedy import Scorer
from whorl.span.network import Sent, SpanNetwork, Tables
from whorl.span.numpy_scorer import SpanScorer, SpanWeights
from whorl.span.samples import SpanInputs
from whorl.span.scores import Best, Floats

__all__ = ["DeviceScorer", "NetworkReader"]


class NetworkReader:
    """A network ready to read batches of sentences, or several as one. The weights are taken as they are now.

    Several number words, labels and tags alike, as those do that were trained by one recipe with
    different seeds; their log-probabilities are averaged, at every step, and so are those of tags.
    """

    def __init__(self, *models: SpanNetwork) -> None:
        self.models = [model.eval() for model in models]
        self.weights = None
        if len(models) == 1 and models[0].device.type == "cpu":
            state = models[0].state_dict()
            self.weights = SpanWeights({name: state[name].numpy() for name in SpanWeights.NAMES})

    @torch.no_grad()
    def read(self, inputs: SpanInputs) -> tuple[Scorer, Floats]:
        """Run the encoder: a scorer for the sentences' states, and the scores of all tags for all words."""
        tables = [model.tables(inputs) for model in self.models]
        tags: Floats = (
            torch.stack([one.tags.log_softmax(dim=1) for one in tables]).mean(dim=0).cpu().numpy()
        )
        if self.weights is None:
            return DeviceScorer(list(zip(self.models, tables, strict=True))), tags
        return SpanScorer(self.weights, tables[0].left.numpy(), tables[0].right.numpy()), tags


class DeviceScorer:
    """Scores where the networks are: one transfer there for each step, and one back.

    Of several networks, which number all things alike, the mean of the log-probabilities.
    """

    def __init__(self, read: Sequence[tuple[SpanNetwork, Tables]]) -> None:
        self.read = read
        self.model = read[0][0]

    @torch.no_grad()
    def scores(self, candidates: Candidates) -> Floats:
        """See `Scorer`."""
        found: Floats = self._scores(self.model.send(candidates)).cpu().numpy()
        return found

    @torch.no_grad()
    def best(self, candidates: Candidates) -> Best:
        """See `Scorer`."""
        there = self.model.send(candidates)
        found = (
            self.model.best(self._scores(there), there).cpu().numpy()
        )  # (3, states): float64 holds all row numbers
        return Best(
            found[0].astype(np.int64), found[1].astype(np.int64), found[2].astype(np.float32)
        )

    def _scores(self, there: Sent) -> Tensor:
        scores = [model.score(tables.left, tables.right, there) for model, tables in self.read]
        if len(scores) == 1:
            return scores[0]
        return torch.stack(
            [one - self.model.normalisers(one, there)[there.state, None] for one in scores]
        ).mean(dim=0)
