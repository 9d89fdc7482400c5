"""The training loop: a generator of epochs. Logging, checkpoints and progress are outside it."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import torch
from torch import Tensor

from whorl.batching import shuffled_batches
from whorl.errors import ModelError
from whorl.evaluation import (
    ALL_TOKENS,
    COLLINS,
    EVALB,
    WITHOUT_PUNCTUATION,
    Parameters,
    Report,
    evaluate,
    scorings,
    with_gold_tags,
)
from whorl.training.learner import Learner, Treebank
from whorl.training.recipe import TrainingSettings
from whorl.trees import Tree

__all__ = ["Epoch", "Trainer", "score", "tag_accuracy", "with_gold_tags"]

_LARGEST_WEIGHT = 1e15
"""Products of larger weights overflow."""

S = TypeVar("S")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Epoch:
    """The figures of one epoch; in a mix, F1 and exact matches are means over its treebanks.

    `dev_f1` and `dev_exact` are by EVALB's rules for the Penn Treebank, under which the best epoch
    is chosen. The other F1 are over all tokens, and without the treebank's own punctuation.
    """

    number: int
    loss: float
    """Per transition."""
    rate: float
    """Of the first group of weights, at the end of the epoch."""
    seconds: float
    dev_f1: float
    dev_f1_all_tokens: float
    dev_f1_without_punctuation: float
    dev_exact: float
    dev_tags: float
    """Accuracy."""
    dev_seconds: float
    dev_by_treebank: dict[str, float]

    def to_dict(self) -> dict[str, object]:
        """Return the figures by name, for a log."""
        return {name: getattr(self, name) for name in self.__slots__}


def score(treebank: Treebank, parsed: Sequence[Tree], params: Parameters = COLLINS) -> Report:
    """Score parsed trees under gold tags, by EVALB's rules for the Penn Treebank by default.

    EVALB removes punctuation by its tag, so a wrong tag would make the words of two trees differ
    and the sentence an error. Only brackets are scored here; tags are scored separately.
    """
    return evaluate(treebank.trees, list(map(with_gold_tags, treebank.trees, parsed)), params)


class Trainer(Generic[S, B]):
    """A learner and its optimiser.

    Each epoch draws its randomness from the seed and its number, so a resumed run continues exactly
    as if it had never stopped.
    """

    def __init__(self, learner: Learner[S, B], settings: TrainingSettings) -> None:
        self.learner = learner
        self.settings = settings
        groups = list(learner.groups())
        self.rates = [group.rate for group in groups]
        self.parameters = [weight for group in groups for weight in group.weights]
        self.optimiser = _optimiser(
            settings,
            [{"params": group.weights, "lr": group.rate} for group in groups],
            learner.device,
        )
        self.epoch = 0

    def epochs(
        self, dev: Treebank, *, on_batch: Callable[[int, int], None] | None = None
    ) -> Iterator[Epoch]:
        """Train up to the number of epochs in the settings.

        `on_batch` receives the number of sentences done in the epoch and their total.
        """
        while self.epoch < self.settings.epochs:
            started = time.perf_counter()
            loss = self._train_epoch(on_batch)
            trained = time.perf_counter()
            parsed = self.learner.parse(dev)
            scored = _score_dev(dev, parsed)
            reports = scored[EVALB]
            self.epoch += 1
            yield Epoch(
                number=self.epoch,
                loss=loss,
                rate=float(self.optimiser.param_groups[0]["lr"]),
                seconds=trained - started,
                dev_f1=_mean([report.f1 for report in reports.values()]),
                dev_f1_all_tokens=_mean([report.f1 for report in scored[ALL_TOKENS].values()]),
                dev_f1_without_punctuation=_mean(
                    [report.f1 for report in scored[WITHOUT_PUNCTUATION].values()]
                ),
                dev_exact=_mean([report.exact for report in reports.values()]),
                dev_tags=tag_accuracy(dev.trees, parsed),
                dev_seconds=time.perf_counter() - trained,
                dev_by_treebank={name: report.f1 for name, report in reports.items() if name},
            )

    def _train_epoch(self, on_batch: Callable[[int, int], None] | None) -> float:
        settings, learner = self.settings, self.learner
        seeds = np.random.SeedSequence([settings.seed, self.epoch])
        random = np.random.default_rng(seeds)
        torch.manual_seed(int(seeds.generate_state(1)[0]))
        numbers = learner.numbers(random)
        batches = len(range(0, len(numbers), settings.batch))
        total = torch.zeros((), device=learner.device)
        decisions = done = 0
        for index, samples in enumerate(self.batches(numbers, random)):
            self._set_rates(index, batches)
            batch = learner.batch(samples, random)
            total += self.step(batch)
            decisions += learner.decisions(batch)
            done += len(samples)
            if on_batch is not None:
                on_batch(done, len(numbers))
        loss = float(total) / max(1, decisions)
        self._check_convergence(loss)
        return loss

    def _check_convergence(self, loss: float = 0.0) -> None:
        """Raise `ModelError` if the loss or a weight has grown out of bounds."""
        largest = max(float(w.detach().abs().max()) for w in self.parameters if w.numel())
        if not (math.isfinite(loss) and largest < _LARGEST_WEIGHT):
            raise ModelError(
                f"training diverged in epoch {self.epoch + 1}: the loss or the weights are no "
                f"longer finite; lower training.rate, which is {self.settings.rate:g}"
            )

    def _set_rates(self, index: int, batches: int) -> None:
        """Set the learning rates for a batch of the epoch."""
        settings = self.settings
        step, warmup = self.epoch * batches + index, min(settings.warmup, 2 * batches)
        if settings.schedule == "linear":
            steps = settings.epochs * batches
            factor = max((steps - step) / max(1, steps - warmup), 0.0)
        else:
            factor = 1 / (1 + settings.decay * self.epoch)
        factor = min((step + 1) / (warmup + 1), factor)
        for group, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor

    def batches(self, numbers: Sequence[int], random: np.random.Generator) -> Iterator[list[S]]:
        """Yield the batches of an epoch; the dynamic oracle explores several batches at a time."""
        settings, learner = self.settings, self.learner
        sizes = [learner.size(number) for number in numbers]
        batches = [
            [numbers[index] for index in batch]
            for batch in shuffled_batches(sizes, settings.batch, random)
        ]
        if settings.oracle == "static":
            yield from map(learner.gold, batches)
            return
        together = max(1, settings.explore // settings.batch)
        for start in range(0, len(batches), together):
            if start:
                self._check_convergence()
            group = batches[start : start + together]
            samples = iter(learner.explored(list(itertools.chain(*group)), random))
            for batch in group:
                yield list(itertools.islice(samples, len(batch)))

    def step(self, batch: B) -> Tensor:
        """Take one step of the optimiser and return the loss of the batch before it."""
        self.learner.model.train()
        loss = self.learner.loss(batch)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.parameters, self.settings.clip)
        self.optimiser.step()
        return loss.detach()


def _optimiser(
    settings: TrainingSettings, groups: list[dict[str, object]], device: torch.device
) -> torch.optim.Optimizer:
    if settings.optimiser == "sgd":
        return torch.optim.SGD(groups, lr=settings.rate, weight_decay=settings.l2)
    kind = torch.optim.Adam if settings.optimiser == "adam" else torch.optim.AdamW
    return kind(
        groups,
        lr=settings.rate,
        weight_decay=settings.l2,
        betas=(0.9, 0.98),
        # Much faster on a CPU. On a GPU, the default is as fast and takes gradients of any layout.
        fused=True if device.type == "cpu" else None,
    )


def _score_dev(dev: Treebank, parsed: Sequence[Tree]) -> dict[str, dict[str, Report]]:
    """Score each treebank of a mix in every way; a single treebank has an empty name."""
    scored: dict[str, dict[str, Report]] = {}
    for name, numbers in dev.parts().items():
        part = Treebank([dev.trees[n] for n in numbers], [dev.sentences[n] for n in numbers])
        trees = [parsed[n] for n in numbers]
        for scoring, params in scorings(dev.punctuation_of(name)).items():
            scored.setdefault(scoring, {})[name] = score(part, trees, params)
    return scored


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def tag_accuracy(gold: Sequence[Tree], parsed: Sequence[Tree]) -> float:
    """Return the fraction of the words whose tag is right."""
    right = [
        leaf.tag == other.tag
        for tree, other_tree in zip(gold, parsed, strict=True)
        for leaf, other in zip(tree.leaves(), other_tree.leaves(), strict=True)
    ]
    return sum(right) / max(1, len(right))
