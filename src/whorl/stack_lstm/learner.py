"""How the stack-LSTM learns: the loss of its batches, exploration, and parsing while it trains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from whorl.batching import batches_by_length
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.batches import Batch, Sample, collate
from whorl.stack_lstm.decoding import decode
from whorl.stack_lstm.exploration import Exploration
from whorl.stack_lstm.folder import StackLSTMModel
from whorl.stack_lstm.network import StackLSTM
from whorl.stack_lstm.tagger import Tagger
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.training.exploration import ExplorationPolicy
from whorl.training.learner import Group, RareWords, Treebank
from whorl.training.recipe import TrainingSettings
from whorl.trees import Tree, strip_root

__all__ = ["StackLSTMLearner", "sequence_loss"]


def sequence_loss(scores: Tensor, masks: Tensor, targets: Tensor) -> Tensor:
    """Return the negative log-probability of the targets among legal transitions, summed.

    A step with several targets counts the probability of any of them. A step whose targets the
    inventory lacks does not count.
    """
    legal = scores.masked_fill(~masks, -torch.inf).log_softmax(dim=1)  # (steps, transitions)
    known = targets >= 0  # (steps, alternatives)
    chosen = legal.gather(1, targets.clamp(min=0)).masked_fill(~known, -torch.inf)
    counted = known.any(dim=1)
    return -chosen[counted].logsumexp(dim=1).sum()


class StackLSTMLearner:
    """The stack-LSTM over a treebank; see `Learner`."""

    def __init__(
        self,
        model: StackLSTM,
        vocabulary: StackLSTMVocabulary,
        settings: TrainingSettings,
        train: Treebank,
        samples: list[Sample],
        *,
        tagger: Tagger | None = None,
        root: str | None = None,
    ) -> None:
        self.model = model
        self.device = model.device
        self.vocabulary = vocabulary
        self.settings = settings
        self.train = train
        self.samples = samples
        self.tagger = tagger
        self.root = root
        policy = ExplorationPolicy(settings.regular, settings.aggressive)
        self.exploration = Exploration(vocabulary, policy, on_taken=settings.loss == "taken")
        self.rare = RareWords(vocabulary.words, settings.unknown)

    def groups(self) -> Iterable[Group]:
        """See `Learner`; all weights share one rate."""
        return [Group([p for p in self.model.parameters() if p.requires_grad], self.settings.rate)]

    def numbers(self, random: np.random.Generator) -> Sequence[int]:
        """See `Learner`; every epoch has all samples."""
        return range(len(self.samples))

    def size(self, number: int) -> int:
        """See `Learner`."""
        return len(self.samples[number].transitions)

    def gold(self, numbers: Sequence[int]) -> list[Sample]:
        """See `Learner`."""
        return [self.samples[number] for number in numbers]

    def explored(self, numbers: Sequence[int], random: np.random.Generator) -> list[Sample]:
        """See `Learner`."""
        sentences = [self.train.sentences[number] for number in numbers]
        golds = [strip_root(self.train.trees[number]) for number in numbers]
        return self.exploration.samples(BatchedStackLSTM(self.model), sentences, golds, random)

    def batch(self, samples: Sequence[Sample], random: np.random.Generator) -> Batch:
        """See `Learner`; some words seen once are hidden."""
        batch = collate(samples)
        self.rare.hide(batch.words[:, 0], random)
        return batch

    def loss(self, batch: Batch) -> Tensor:
        """See `Learner`."""
        masks = torch.from_numpy(self.vocabulary.mask_table()[batch.masks]).to(self.device)
        return sequence_loss(
            self.model(batch), masks, torch.from_numpy(batch.targets).to(self.device)
        )

    def decisions(self, batch: Batch) -> int:
        """See `Learner`."""
        return len(batch.transitions)

    def parse(self, treebank: Treebank, *, batch: int = 128) -> list[Tree]:
        """See `Learner`."""
        network = BatchedStackLSTM(self.model)
        sentences = treebank.sentences
        trees: dict[int, Tree] = {}
        for chosen in batches_by_length([len(leaves) for leaves in sentences], batch):
            parsed = decode(network, self.vocabulary, [sentences[index] for index in chosen])
            trees.update((index, one.tree) for index, one in zip(chosen, parsed, strict=True))
        return [trees[index] for index in range(len(sentences))]

    def save(self, folder: Path, card: dict[str, Any]) -> None:
        """See `Learner`."""
        tagger = self.tagger.to_state() if self.tagger else None
        StackLSTMModel(self.model, self.vocabulary, tagger, self.root, card).save(folder)
