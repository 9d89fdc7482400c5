"""Parsing with a `span` network in PyTorch: the encoder where the network is, the decisions there or in NumPy."""

from __future__ import annotations

import numpy as np
import torch

from whorl.data.candidates import Candidates
from whorl.data.span_samples import SpanInputs
from whorl.decoding.spans import Scorer
from whorl.models.span import SpanNetwork, Tables
from whorl.runtime.choices import Best, Floats
from whorl.runtime.span_scorer import SpanScorer, SpanWeights

__all__ = ["DeviceScorer", "NetworkReader"]


class NetworkReader:
    """A network ready to read batches of sentences. The weights are taken as they are now."""

    def __init__(self, model: SpanNetwork) -> None:
        self.model = model.eval()
        self.weights = None
        if model.device.type == "cpu":
            state = model.state_dict()
            self.weights = SpanWeights({name: state[name].numpy() for name in SpanWeights.NAMES})

    @torch.no_grad()
    def read(self, inputs: SpanInputs) -> tuple[Scorer, Floats]:
        """Run the encoder: a scorer for the sentences' states, and the scores of all tags for all words."""
        tables = self.model.tables(inputs)
        tags: Floats = tables.tags.cpu().numpy()
        if self.weights is None:
            return DeviceScorer(self.model, tables), tags
        return SpanScorer(self.weights, tables.left.numpy(), tables.right.numpy()), tags


class DeviceScorer:
    """Scores where the network is: one transfer there for each step, and one back."""

    def __init__(self, model: SpanNetwork, tables: Tables) -> None:
        self.model = model
        self.tables = tables

    @torch.no_grad()
    def scores(self, candidates: Candidates) -> Floats:
        """See `Scorer`."""
        there = self.model.send(candidates)
        found: Floats = self.model.score(self.tables.left, self.tables.right, there).cpu().numpy()
        return found

    @torch.no_grad()
    def best(self, candidates: Candidates) -> Best:
        """See `Scorer`."""
        there = self.model.send(candidates)
        scores = self.model.score(self.tables.left, self.tables.right, there)
        found = self.model.best(scores, there).cpu().numpy()  # (3, states), in float64, which holds all row numbers
        return Best(found[0].astype(np.int64), found[1].astype(np.int64), found[2].astype(np.float32))
