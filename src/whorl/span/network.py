"""The `span` network: an encoder run once over a sentence, then a light score for each transition of any state.

The hidden vector of a candidate is a sum of rows that were made before, one for each thing it looks
at: left and right edge, the labels of the topmost item and of the lowest that it takes, how many it
takes, and the unary chain on top. Label and number of children are scored apart, so that VP#7 can
be built without having been seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.span.candidates import BLOCKED, PLAIN, Candidates, Ints
from whorl.span.encoders.context import ContextEncoder, Encoded, Read
from whorl.span.encoders.pieces import PieceFeatures
from whorl.span.encoders.words import WordFeatures
from whorl.span.samples import SpanBatch, SpanInputs

__all__ = ["Sent", "SpanConfig", "SpanNetwork", "SpanScores", "Tables"]

_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class SpanConfig:
    """The sizes. `transformer` is the kind of one and its configuration, or nothing."""

    labels: int
    tags: int
    treebanks: int = 0
    words: int = 0
    vectors: int = 0  # rows
    characters: int = 0
    word_dim: int = 64
    vector_dim: int = 0
    character_dim: int = 64
    lstm_dim: int = 128
    lstm_layers: int = 2
    hidden_dim: int = 128
    dropout: float = 0.33
    max_arity: int = 20  # children, beyond which numbers are no longer told apart
    max_unary: int = 8
    transformer: tuple[str, dict[str, Any]] | None = None


class Tables(NamedTuple):
    """What decoding looks up: the rows of all fenceposts, as left and as right edges, and the scores of all tags."""

    left: Tensor  # (sentences * fenceposts, hidden)
    right: Tensor  # (sentences * fenceposts, hidden)
    tags: Tensor  # (all words, tags)


class Sent(NamedTuple):
    """Candidates as tensors: see `whorl.span.candidates.Candidates`."""

    state: Tensor
    taken: Tensor
    left: Tensor
    item: Tensor
    arity: Tensor
    allowed: Tensor
    right: Tensor
    top: Tensor
    chain: Tensor
    starts: Tensor
    most: int  # the most candidates of a state


class SpanScores(NamedTuple):
    """Of a batch: the scores of all outputs for every candidate, their sum's log, and the scores of all tags."""

    candidates: Tensor  # (candidates, 1 + labels)
    normalisers: Tensor  # (states,)
    tags: Tensor  # (all words, tags)


class SpanNetwork(nn.Module):
    """Scores transitions and tags."""

    def __init__(self, config: SpanConfig, pieces: PieceFeatures | None = None) -> None:
        super().__init__()
        self.config = config
        c = config
        if pieces is None and c.transformer is not None:
            pieces = PieceFeatures.rebuild(*c.transformer)
        self.encoder = ContextEncoder(
            WordFeatures(
                words=c.words,
                word_dim=c.word_dim,
                vectors=c.vectors,
                vector_dim=c.vector_dim,
                characters=c.characters,
                dim=c.character_dim,
            ),
            pieces,
            treebanks=c.treebanks,
            lstm_dim=c.lstm_dim,
            lstm_layers=c.lstm_layers,
            dropout=c.dropout,
        )
        self.tag = nn.Linear(self.encoder.width, c.tags)
        self.left = nn.Linear(self.encoder.fencepost_width, c.hidden_dim, bias=False)
        self.right = nn.Linear(self.encoder.fencepost_width, c.hidden_dim)
        self.top = nn.Embedding(c.labels + 1, c.hidden_dim)
        self.item = nn.Embedding(c.labels + 1, c.hidden_dim)
        self.arity = nn.Embedding(c.max_arity + 2, c.hidden_dim)
        self.chain = nn.Embedding(c.max_unary + 1, c.hidden_dim)
        self.out = nn.Linear(c.hidden_dim, c.labels + 1)
        for table in (self.top, self.item, self.arity, self.chain):
            nn.init.normal_(table.weight, std=0.05)

    def set_vectors(self, table: npt.NDArray[np.float32]) -> None:
        """Put pretrained vectors in; they are never trained."""
        if self.encoder.features.vector is not None:
            self.encoder.features.vector.weight.data.copy_(torch.from_numpy(table))

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.out.weight.device

    def forward(self, batch: SpanBatch) -> SpanScores:
        """Score all candidates of all states of a batch at once."""
        tables = self.tables(batch.inputs)
        candidates = self.send(batch.candidates)
        scores = self.score(tables.left, tables.right, candidates)
        return SpanScores(scores, self.normalisers(scores, candidates), tables.tags)

    def tables(self, inputs: SpanInputs) -> Tables:
        """Run the encoder: all that depends on the words, once."""
        return self.encode(Read(*(self._tensor(getattr(inputs, name)) for name in Read._fields)))

    def encode(self, read: Read) -> Tables:
        """The same, from tensors to tensors."""
        encoded: Encoded = self.encoder(read)
        fenceposts = encoded.fenceposts.flatten(0, 1)
        words = encoded.words.flatten(0, 1)[read.places]
        return Tables(self.left(fenceposts), self.right(fenceposts), self.tag(words))

    def send(self, candidates: Candidates) -> Sent:
        """Bring candidates to where the network is, in two transfers."""
        c = candidates
        each = np.stack(
            [
                c.state,
                c.taken,
                c.left,
                c.item,
                np.minimum(c.taken, self.config.max_arity + 1),
                c.allowed,
            ]
        )
        whole = np.stack([c.right, c.top, c.chain, c.starts])
        state, taken, left, item, arity, kinds = self._tensor(each).unbind()
        right, top, chain, starts = self._tensor(whole).unbind()
        most = int(c.taken.max()) + 1
        return Sent(state, taken, left, item, arity, kinds, right, top, chain, starts, most)

    def score(self, left: Tensor, right: Tensor, c: Sent) -> Tensor:
        """The scores of all outputs, (candidates, 1 + labels): SHIFT or FINISH, and each label. Always in float32."""
        with torch.autocast(self.device.type, enabled=False):
            states = (
                right.float()[c.right] + self.top(c.top) + self.chain(c.chain)
            )  # (states, hidden)
            hidden = (
                left.float()[c.left] + self.item(c.item) + self.arity(c.arity) + states[c.state]
            )
            scale = torch.rsqrt(
                hidden.square().mean(dim=1, keepdim=True) + _EPSILON
            )  # (candidates, 1)
            scores: Tensor = self.out(functional.relu(hidden * scale))
        return scores

    def normalisers(self, scores: Tensor, c: Sent) -> Tensor:
        """Of each state the log of the sum of the exponentials of all that is legal there: (states,)."""
        under_any = torch.where(
            c.allowed == PLAIN, scores[:, 0], scores[:, 1:].logsumexp(dim=1)
        )  # (candidates,)
        return self._by_state(under_any, c).logsumexp(dim=1)

    def best(self, scores: Tensor, c: Sent) -> Tensor:
        """Of each state the best candidate's row, its output and their log-probability: (3, states), in float64."""
        label, which = scores[:, 1:].max(dim=1)
        plain = c.allowed == PLAIN
        top, taken = self._by_state(torch.where(plain, scores[:, 0], label), c).max(dim=1)
        row = c.starts + taken
        output = torch.where(plain, 0, which + 1)[row]
        return torch.stack(
            [row.double(), output.double(), (top - self.normalisers(scores, c)).double()]
        )

    def _by_state(self, values: Tensor, c: Sent) -> Tensor:
        """Values of candidates as (states, candidates), minus infinity where nothing is legal."""
        legal = values.masked_fill(c.allowed == BLOCKED, -torch.inf)
        grid = values.new_full((len(c.starts), c.most), -torch.inf)
        grid[c.state, c.taken] = legal
        return grid

    def _tensor(self, values: Ints) -> Tensor:
        return torch.from_numpy(values).to(self.device, non_blocking=True)
