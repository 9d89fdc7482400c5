"""How the span network learns: all states of a batch's derivations are scored at once, and tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from whorl.batching import batches_by_length
from whorl.engine.device import has_fast_bfloat16
from whorl.span.exploration import SpanExploration
from whorl.span.folder import SpanModel
from whorl.span.network import SpanNetwork, SpanScores
from whorl.span.parsing import parse_best
from whorl.span.samples import SpanBatch, SpanSample, collate_samples
from whorl.span.torch_backend import TorchBackend
from whorl.span.vocabulary import GENERIC, SpanVocabulary
from whorl.training.exploration import ExplorationPolicy
from whorl.training.learner import Group, RareWords, Treebank
from whorl.training.recipe import TrainingSettings
from whorl.training.sources import Shares
from whorl.trees import Tree

__all__ = ["SpanLearner", "span_loss"]


def span_loss(model: SpanNetwork, batch: SpanBatch, *, tag_weight: float) -> Tensor:
    """Return the negative log-likelihood of transitions and, times `tag_weight`, of tags."""
    scores: SpanScores = model(batch)
    device = scores.candidates.device
    rows, outputs, tags = (
        torch.from_numpy(array).to(device) for array in (batch.rows, batch.outputs, batch.tags)
    )
    targets = scores.candidates[rows, outputs]  # (states,)
    transition_loss = (scores.normalisers - targets).sum()
    tag_loss = functional.cross_entropy(scores.tags.float(), tags, reduction="sum")
    return transition_loss + tag_weight * tag_loss


class SpanLearner:
    """The span network over one treebank or a mix: see `whorl.training.learner.Learner`."""

    def __init__(
        self,
        model: SpanNetwork,
        vocabulary: SpanVocabulary,
        settings: TrainingSettings,
        shares: Shares,
        samples: list[SpanSample],
        *,
        root: str | None = None,
        convention: str | None = None,
    ) -> None:
        self.model = model
        self.device = model.device
        self.vocabulary = vocabulary
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
        words = vocabulary.words
        self.rare = None if words is None else RareWords(words, settings.unknown)

    def groups(self) -> Iterable[Group]:
        """See `Learner`: a pretrained transformer has its own learning rate, or does not learn."""
        pieces = self.model.encoder.pieces
        if pieces is not None and not self.settings.encoder_rate:
            pieces.freeze()
        weights = [] if pieces is None else pieces.transformer.parameters()
        pretrained = [weight for weight in weights if weight.requires_grad]
        known = {id(weight) for weight in pretrained}
        rest = [p for p in self.model.parameters() if p.requires_grad and id(p) not in known]
        groups = [Group(rest, self.settings.rate)]
        if pretrained:
            groups.append(Group(pretrained, self.settings.encoder_rate))
        return groups

    def numbers(self, random: np.random.Generator) -> Sequence[int]:
        """See `Learner`: by the weights of the mix."""
        return self.shares.numbers(random)

    def size(self, number: int) -> int:
        """See `Learner`."""
        return len(self.samples[number])

    def gold(self, numbers: Sequence[int]) -> list[SpanSample]:
        """See `Learner`."""
        return [self.samples[number] for number in numbers]

    def explored(self, numbers: Sequence[int], random: np.random.Generator) -> list[SpanSample]:
        """See `Learner`."""
        return self.exploration.samples(TorchBackend(self.model), self.gold(numbers), random)

    def batch(self, samples: Sequence[SpanSample], random: np.random.Generator) -> SpanBatch:
        """See `Learner`: some rare words become unknown, some sentences lose their treebank.

        Some sentences come with their tags, if the network reads them.
        """
        batch = collate_samples(samples, max_unary=self.model.config.max_unary)
        if self.rare is not None:
            self.rare.hide(batch.inputs.words[:, 0], random)
        batch.inputs.treebanks[random.random(batch.size) < self.settings.generic] = GENERIC
        if self.model.encoder.given is not None:
            shown = random.random(batch.size) < self.settings.given_tags
            batch.inputs.given[:] = np.where(np.repeat(shown, batch.inputs.lengths), batch.tags, 0)
        return batch

    def loss(self, batch: SpanBatch) -> Tensor:
        """See `Learner`."""
        with self._precision():
            return span_loss(self.model, batch, tag_weight=self.settings.tag_weight)

    def decisions(self, batch: SpanBatch) -> int:
        """See `Learner`."""
        return batch.steps

    def parse(self, treebank: Treebank, *, batch: int = 256) -> list[Tree]:
        """See `Learner`: each sentence is parsed as its own treebank is annotated."""
        backend = TorchBackend(self.model)
        sources = treebank.sources or [""] * len(treebank.trees)
        words = [[leaf.word for leaf in leaves] for leaves in treebank.sentences]
        trees: dict[int, Tree] = {}
        for indices in batches_by_length([len(sentence) for sentence in words], batch):
            parses = parse_best(
                backend,
                self.vocabulary,
                [words[index] for index in indices],
                treebanks=[
                    self.vocabulary.treebank_number(sources[index] or None) for index in indices
                ],
                max_unary=self.model.config.max_unary,
            )
            trees.update((index, tree) for index, (tree, _) in zip(indices, parses, strict=True))
        return [trees[index] for index in range(len(words))]

    def save(self, folder: Path, card: dict[str, Any]) -> None:
        """See `Learner`."""
        SpanModel(self.model, self.vocabulary, self.root, self.convention, card).save(folder)

    def _precision(self) -> AbstractContextManager[Any]:
        reduced = self.settings.precision == "bfloat16" and has_fast_bfloat16(self.device)
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=reduced)
