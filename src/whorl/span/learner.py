"""How the `span` network learns: all states of all gold sequences of a batch are scored at once, with the tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from whorl.span.decoding import parse_spans
from whorl.span.exploration import SpanExploration
from whorl.span.folder import SpanModel
from whorl.span.network import SpanNetwork, SpanScores
from whorl.span.samples import SpanBatch, SpanSample, collate_spans
from whorl.span.torch_backend import NetworkReader
from whorl.span.vocabulary import GENERIC, SpanVocabulary
from whorl.training.exploration import ExplorationPolicy
from whorl.training.learner import Group, RareWords, Treebank
from whorl.training.recipe import TrainingSettings
from whorl.training.sources import Shares
from whorl.trees import Tree

__all__ = ["SpanLearner", "span_loss"]


def span_loss(model: SpanNetwork, batch: SpanBatch, *, tag_weight: float) -> Tensor:
    """The negative log-probability of the right transitions, and so many times that of the tags, summed."""
    scores: SpanScores = model(batch)
    device = scores.candidates.device
    rows, outputs, tags = (
        torch.from_numpy(a).to(device) for a in (batch.rows, batch.outputs, batch.tags)
    )
    right = scores.candidates[rows, outputs]  # (states,)
    transitions = (scores.normalisers - right).sum()
    return transitions + tag_weight * functional.cross_entropy(
        scores.tags.float(), tags, reduction="sum"
    )


class SpanLearner:
    """The `span` network over one treebank or a mix: see `Learner`."""

    def __init__(
        self,
        model: SpanNetwork,
        encoder: SpanVocabulary,
        settings: TrainingSettings,
        shares: Shares,
        samples: list[SpanSample],
        *,
        root: str | None = None,
        convention: str | None = None,
    ) -> None:
        self.model = model
        self.device = model.device
        self.encoder = encoder
        self.settings = settings
        self.shares = shares
        self.samples = samples
        self.root = root
        self.convention = convention
        self.exploration = SpanExploration(
            ExplorationPolicy(settings.regular, settings.aggressive),
            max_unary=model.config.max_unary,
            on_taken=settings.loss == "taken",
        )
        self.rare = None if encoder.words is None else RareWords(encoder.words, settings.unknown)

    def groups(self) -> Iterable[Group]:
        """See `Learner`: a pretrained transformer learns at a rate of its own."""
        pieces = self.model.encoder.pieces
        slow = [] if pieces is None else [p for p in pieces.parameters() if p.requires_grad]
        known = {id(weight) for weight in slow}
        rest = [p for p in self.model.parameters() if p.requires_grad and id(p) not in known]
        groups = [Group(rest, self.settings.rate)]
        return [*groups, Group(slow, self.settings.encoder_rate)] if slow else groups

    def numbers(self, random: np.random.Generator) -> Sequence[int]:
        """See `Learner`: what the weights of the mix say."""
        return self.shares.numbers(random)

    def size(self, number: int) -> int:
        """See `Learner`."""
        return len(self.samples[number])

    def gold(self, numbers: Sequence[int]) -> list[SpanSample]:
        """See `Learner`."""
        return [self.samples[number] for number in numbers]

    def explored(self, numbers: Sequence[int], random: np.random.Generator) -> list[SpanSample]:
        """See `Learner`."""
        return self.exploration.samples(NetworkReader(self.model), self.gold(numbers), random)

    def batch(self, samples: Sequence[SpanSample], random: np.random.Generator) -> SpanBatch:
        """See `Learner`: rare words stand for the unknown at times, and sentences for those of any treebank."""
        batch = collate_spans(samples, max_unary=self.model.config.max_unary)
        if self.rare is not None:
            self.rare.hide(batch.inputs.words[:, 0], random)
        batch.inputs.treebanks[random.random(batch.size) < self.settings.generic] = GENERIC
        return batch

    def loss(self, batch: SpanBatch) -> Tensor:
        """See `Learner`."""
        with self._precision():
            return span_loss(self.model, batch, tag_weight=self.settings.tag_weight)

    def decisions(self, batch: SpanBatch) -> int:
        """See `Learner`."""
        return batch.steps

    def parse(self, treebank: Treebank, *, batch: int = 256) -> list[Tree]:
        """See `Learner`: each sentence in the convention of its own treebank."""
        reader = NetworkReader(self.model)
        sources = treebank.sources or [""] * len(treebank.trees)
        words = [[leaf.word for leaf in leaves] for leaves in treebank.sentences]
        order = sorted(range(len(words)), key=lambda number: len(words[number]))
        found: dict[int, Tree] = {}
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            parsed = parse_spans(
                reader,
                self.encoder,
                [words[number] for number in chosen],
                treebanks=[self.encoder.treebank(sources[number] or None) for number in chosen],
                max_unary=self.model.config.max_unary,
            )
            found.update((number, tree) for number, (tree, _) in zip(chosen, parsed, strict=True))
        return [found[number] for number in range(len(words))]

    def save(self, folder: Path, card: dict[str, Any]) -> None:
        """See `Learner`."""
        SpanModel(self.model, self.encoder, self.root, self.convention, card).save(folder)

    def _precision(self) -> AbstractContextManager[Any]:
        reduced = self.settings.precision == "bfloat16" and self.device.type == "cuda"
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=reduced)
