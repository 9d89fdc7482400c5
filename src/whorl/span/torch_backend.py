"""The PyTorch backend: the encoder on the network's device, decisions there or in NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from whorl.span.candidates import Candidates
from whorl.span.network import CandidateTensors, FencepostTables, SpanNetwork
from whorl.span.numpy_scorer import NumpyScorer, ScorerWeights
from whorl.span.samples import SpanInputs
from whorl.span.scores import Decisions, Floats, Scorer, check_finite

__all__ = ["TorchBackend", "TorchScorer"]


class TorchBackend:
    """Runs one network, or averages the log-probabilities of several; weights are read once.

    Networks to average must number words, labels and tags alike, as those trained by one recipe
    with different seeds do.
    """

    def __init__(self, *models: SpanNetwork) -> None:
        self.models = [model.eval() for model in models]
        self.weights = None
        if len(models) == 1 and models[0].device.type == "cpu":
            state = models[0].state_dict()
            self.weights = ScorerWeights(
                {name: state[name].numpy() for name in ScorerWeights.NAMES}
            )

    @torch.no_grad()
    def encode(self, batch: SpanInputs) -> tuple[Scorer, Floats]:
        """See `whorl.span.parsing.Backend`."""
        tables = [model.tables(batch) for model in self.models]
        tag_logs = torch.stack([each.tags.log_softmax(dim=1) for each in tables])
        tags: Floats = tag_logs.mean(dim=0).cpu().numpy()
        if self.weights is None:
            return TorchScorer(list(zip(self.models, tables, strict=True))), tags
        return NumpyScorer(self.weights, tables[0].left.numpy(), tables[0].right.numpy()), tags


class TorchScorer(Scorer):
    """Scores on the networks' device, with one transfer there and one back per step.

    With several networks, scores are the means of their log-probabilities.
    """

    def __init__(self, encoded: Sequence[tuple[SpanNetwork, FencepostTables]]) -> None:
        self.encoded = encoded
        self.model = encoded[0][0]

    @torch.no_grad()
    def scores(self, candidates: Candidates) -> Floats:
        """See `Scorer`."""
        scores: Floats = self._scores(self.model.send(candidates)).cpu().numpy()
        return scores

    @torch.no_grad()
    def best(self, candidates: Candidates, *, arities: bool = False) -> Decisions:
        """See `Scorer`; constraints are applied on the CPU."""
        if candidates.restriction is not None:
            return super().best(candidates, arities=arities)
        tensors = self.model.send(candidates)
        scores = self._scores(tensors)
        best = self.model.best(scores, tensors).cpu().numpy()  # (3, states)
        check_finite(float(best.sum()))
        row, output = best[:2].astype(np.int64)
        shares: Floats | None = None
        if arities:
            shares = self.model.arities(scores, tensors).cpu().numpy()
        return Decisions(row, output, best[2].astype(np.float32), shares)

    def _scores(self, candidates: CandidateTensors) -> Tensor:
        scores = [
            model.score(tables.left, tables.right, candidates) for model, tables in self.encoded
        ]
        if len(scores) == 1:
            return scores[0]
        normalisers = [self.model.normalisers(each, candidates) for each in scores]
        return torch.stack(
            [
                each - normaliser[candidates.state, None]
                for each, normaliser in zip(scores, normalisers, strict=True)
            ]
        ).mean(dim=0)
