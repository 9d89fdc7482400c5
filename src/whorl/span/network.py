"""The span network: an encoder run once per sentence, then a light score for each transition.

A candidate's hidden vector is a sum of rows computed beforehand, one for each thing it looks at:
left and right edge, the labels of the topmost item and of the lowest one it reduces, its arity, and
the length of the unary chain on top. Label and arity are scored independently, so VP#7 can be built
without having been seen in training.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from whorl.span.candidate_scores import score_candidates
from whorl.span.candidates import BLOCKED, SHIFT_OR_FINISH, Candidates, Ints
from whorl.span.config import SpanConfig
from whorl.span.encoders.context import EncoderOutput
from whorl.span.encoders.encoder import InputTensors, SentenceEncoder
from whorl.span.encoders.pieces import PieceFeatures
from whorl.span.samples import SpanBatch, SpanInputs

__all__ = ["CandidateTensors", "FencepostTables", "SpanNetwork", "SpanScores"]


class FencepostTables(NamedTuple):
    """What decoding looks up: rows of all fenceposts, as left and right edges; scores of tags."""

    left: Tensor  # (sentences * fenceposts, hidden)
    right: Tensor  # (sentences * fenceposts, hidden)
    tags: Tensor  # (all words, tags)


class CandidateTensors(NamedTuple):
    """Candidates as tensors: see `whorl.span.candidates.Candidates`."""

    state: Tensor
    arity: Tensor
    left: Tensor
    item_label: Tensor
    arity_row: Tensor  # in the table of arities
    kind: Tensor
    right: Tensor
    top_label: Tensor
    chain: Tensor
    starts: Tensor
    longest: int  # the largest number of candidates of a state


class SpanScores(NamedTuple):
    """The scores of a batch."""

    candidates: Tensor  # (candidates, 1 + labels)
    normalisers: Tensor  # (states,): log-sum-exp of a state's legal scores
    tags: Tensor  # (all words, tags)


class SpanNetwork(nn.Module):
    """Scores transitions and tags."""

    def __init__(self, config: SpanConfig, pieces: PieceFeatures | None = None) -> None:
        super().__init__()
        self.config = config
        c = config
        if pieces is None and c.transformer is not None:
            pieces = PieceFeatures.rebuild(*c.transformer, mixed=c.mixed)
        self.encoder = SentenceEncoder(config, pieces)
        context = self.encoder.context
        self.tag = nn.Linear(context.width, c.tags)
        self.left = nn.Linear(context.fencepost_width, c.hidden_dim, bias=False)
        self.right = nn.Linear(context.fencepost_width, c.hidden_dim)
        self.top = nn.Embedding(c.labels + 1, c.hidden_dim)
        self.item = nn.Embedding(c.labels + 1, c.hidden_dim)
        self.arity = nn.Embedding(c.max_arity + 2, c.hidden_dim)
        self.chain = nn.Embedding(c.max_unary + 1, c.hidden_dim)
        self.out = nn.Linear(c.hidden_dim, c.labels + 1)
        for table in (self.top, self.item, self.arity, self.chain):
            nn.init.normal_(table.weight, std=0.05)

    def set_vectors(self, table: npt.NDArray[np.float32]) -> None:
        """Copy pretrained vectors, which are never trained, into the network."""
        if self.encoder.features.vector is not None:
            self.encoder.features.vector.weight.data.copy_(torch.from_numpy(table))

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.out.weight.device

    def forward(self, batch: SpanBatch) -> SpanScores:
        """Score all candidates of all states of a batch at once."""
        tables = self.tables(batch.inputs)
        candidates = self.send(batch.candidates)
        scores = self.score(tables.left, tables.right, candidates)
        return SpanScores(scores, self.normalisers(scores, candidates), tables.tags)

    def tables(self, inputs: SpanInputs) -> FencepostTables:
        """Run the encoder, and everything else that depends on the words alone."""
        tensors = InputTensors(
            *(self._tensor(getattr(inputs, name)) for name in InputTensors._fields)
        )
        encoded: EncoderOutput = self.encoder(tensors)
        fenceposts = encoded.fenceposts.flatten(0, 1)
        words = encoded.words.flatten(0, 1)[tensors.positions]
        return FencepostTables(self.left(fenceposts), self.right(fenceposts), self.tag(words))

    def send(self, candidates: Candidates) -> CandidateTensors:
        """Move candidates to the network's device, in two transfers."""
        c = candidates
        arity_row = np.minimum(c.arity, self.config.max_arity + 1)
        per_candidate = np.stack([c.state, c.arity, c.left, c.item_label, arity_row, c.kind])
        per_state = np.stack([c.right, c.top_label, c.chain, c.starts])
        tensors = (*self._tensor(per_candidate).unbind(), *self._tensor(per_state).unbind())
        return CandidateTensors._make((*tensors, int(c.arity.max()) + 1))

    def score(self, left: Tensor, right: Tensor, c: CandidateTensors) -> Tensor:
        """Score SHIFT or FINISH and each label, in float32: (candidates, 1 + labels)."""
        with torch.autocast(self.device.type, enabled=False):
            # (states, hidden)
            states = right.float()[c.right] + self.top(c.top_label) + self.chain(c.chain)
            tables = (left.float(), self.item.weight, self.arity.weight, states)
            rows = (c.left, c.item_label, c.arity_row, c.state)
            return score_candidates(tables, rows, self.out.weight, self.out.bias)

    def normalisers(self, scores: Tensor, c: CandidateTensors) -> Tensor:
        """Return the log-sum-exp of each state's legal scores: (states,)."""
        return self._by_state(_totals(scores, c), c).logsumexp(dim=1)

    def arities(self, scores: Tensor, c: CandidateTensors) -> Tensor:
        """Return the probability of each candidate, over all its outputs: (candidates,)."""
        logs = _totals(scores, c) - self.normalisers(scores, c)[c.state]
        return logs.masked_fill(c.kind == BLOCKED, -torch.inf).exp()

    def best(self, scores: Tensor, c: CandidateTensors) -> Tensor:
        """Return each state's best candidate row, its output and log-probability: (3, states).

        In float64, which represents all row numbers exactly.
        """
        reduce_score, reduce_label = scores[:, 1:].max(dim=1)
        no_reduce = c.kind == SHIFT_OR_FINISH
        values = torch.where(no_reduce, scores[:, 0], reduce_score)
        best, arity = self._by_state(values, c).max(dim=1)
        row = c.starts + arity
        output = torch.where(no_reduce, 0, reduce_label + 1)[row]
        logs = best - self.normalisers(scores, c)
        return torch.stack([row.double(), output.double(), logs.double()])

    def _by_state(self, values: Tensor, c: CandidateTensors) -> Tensor:
        """Arrange candidates' values as (states, arities), minus infinity where none is legal."""
        legal = values.masked_fill(c.kind == BLOCKED, -torch.inf)
        grid = values.new_full((len(c.starts), c.longest), -torch.inf)
        grid[c.state, c.arity] = legal
        return grid

    def _tensor(self, values: Ints) -> Tensor:
        return torch.from_numpy(values).to(self.device, non_blocking=True)


def _totals(scores: Tensor, c: CandidateTensors) -> Tensor:
    """Return the log-sum-exp of each candidate's scores: (candidates,)."""
    return torch.where(c.kind == SHIFT_OR_FINISH, scores[:, 0], scores[:, 1:].logsumexp(dim=1))
