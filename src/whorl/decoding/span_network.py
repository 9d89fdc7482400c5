"""Parsing with a `span` network in PyTorch: the encoder where the network is, the decisions there or in NumPy."""

from __future__ import annotations

import torch

from whorl.data.candidates import Candidates, Ints
from whorl.data.span_samples import SpanInputs
from whorl.decoding.spans import Floats, Scorer
from whorl.models.span import SpanNetwork, Tables
from whorl.runtime.span_scorer import SpanScorer, SpanWeights

__all__ = ["NetworkReader"]


class NetworkReader:
    """A network ready to read batches of sentences. The weights are taken as they are now."""

    def __init__(self, model: SpanNetwork) -> None:
        self.model = model.eval()
        self.weights = None
        if model.device.type == "cpu":
            state = model.state_dict()
            self.weights = SpanWeights({name: state[name].numpy() for name in SpanWeights.NAMES})

    @torch.no_grad()
    def read(self, inputs: SpanInputs) -> tuple[Scorer, Ints]:
        """Run the encoder: a scorer for the sentences' states, and the numbers of all words' tags."""
        tables = self.model.tables(inputs)
        tags: Ints = tables.tags[:, 1:].argmax(dim=1).add_(1).cpu().numpy()  # 0 is no tag to give
        if self.weights is None:
            return _DeviceScorer(self.model, tables), tags
        return SpanScorer(self.weights, tables.left.numpy(), tables.right.numpy()), tags


class _DeviceScorer:
    """Scores where the network is."""

    def __init__(self, model: SpanNetwork, tables: Tables) -> None:
        self.model = model
        self.tables = tables

    @torch.no_grad()
    def scores(self, candidates: Candidates) -> Floats:
        """See `Scorer`."""
        found: Floats = self.model.score(self.tables.left, self.tables.right, candidates).cpu().numpy()
        return found
