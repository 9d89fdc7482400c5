"""The training loop: a generator of epochs. Logging, saving and showing progress are outside it."""

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

from whorl.errors import ModelError
from whorl.evaluation import Report, evaluate
from whorl.training.learner import Learner, Treebank
from whorl.training.recipe import TrainingSettings
from whorl.trees import Tree
from whorl.trees.tree import make_tree

__all__ = ["Epoch", "Trainer", "buckets", "score"]

_LARGEST_WEIGHT = 1e15  # products of larger ones overflow
S = TypeVar("S")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch came to. Where treebanks are mixed, F1 and exact matches are the means of theirs."""

    number: int
    loss: float  # per transition
    rate: float  # of the first weights, at the end
    seconds: float
    dev_f1: float
    dev_exact: float
    dev_tags: float  # accuracy
    dev_seconds: float
    dev_by_treebank: dict[str, float]

    def to_dict(self) -> dict[str, object]:
        """For a log."""
        return {name: getattr(self, name) for name in self.__slots__}


def score(treebank: Treebank, parsed: Sequence[Tree]) -> Report:
    """Score parsed trees under the gold tags.

    EVALB leaves punctuation out by its tag, so that a wrong tag would make the words of two trees
    differ and the sentence an error. What is measured here is the brackets; the tags are measured
    apart.
    """
    return evaluate(treebank.trees, list(map(_under_gold_tags, treebank.trees, parsed)))


def _under_gold_tags(gold: Tree, parsed: Tree) -> Tree:
    leaves = gold.leaves()
    tree: Tree = parsed.rebuild(
        leaf=lambda leaf: leaves[leaf.left],
        phrase=lambda node, children: make_tree(node.label, children, node.left, node.right),
    )
    return tree


def buckets(lengths: Sequence[int], size: int, random: np.random.Generator) -> list[list[int]]:
    """Batches of sentences of about one length, in random order."""
    jittered = np.array(lengths) + random.random(len(lengths)) * 8
    order = np.argsort(jittered, kind="stable").tolist()
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    random.shuffle(batches)
    return batches


class Trainer(Generic[S, B]):
    """A learner and an optimiser. Each epoch draws its own randomness from seed and number.

    So a run that is taken up again after an epoch goes on exactly as if it had never stopped.
    """

    def __init__(self, learner: Learner[S, B], settings: TrainingSettings) -> None:
        self.learner = learner
        self.settings = settings
        groups = list(learner.groups())
        self.rates = [group.rate for group in groups]
        self.parameters = [weight for group in groups for weight in group.weights]
        self.optimiser = _optimiser(
            settings, [{"params": group.weights, "lr": group.rate} for group in groups]
        )
        self.epoch = 0

    def epochs(
        self, dev: Treebank, *, on_batch: Callable[[int, int], None] | None = None
    ) -> Iterator[Epoch]:
        """Train, epoch after epoch, up to the number in the settings; `on_batch` hears of sentences done."""
        while self.epoch < self.settings.epochs:
            started = time.perf_counter()
            loss = self._train_epoch(on_batch)
            trained = time.perf_counter()
            parsed = self.learner.parse(dev)
            reports = _reports(dev, parsed)
            self.epoch += 1
            yield Epoch(
                number=self.epoch,
                loss=loss,
                rate=float(self.optimiser.param_groups[0]["lr"]),
                seconds=trained - started,
                dev_f1=_mean([report.f1 for report in reports.values()]),
                dev_exact=_mean([report.exact for report in reports.values()]),
                dev_tags=_tag_accuracy(dev.trees, parsed),
                dev_seconds=time.perf_counter() - trained,
                dev_by_treebank={name: report.f1 for name, report in reports.items() if name},
            )

    def _train_epoch(self, on_batch: Callable[[int, int], None] | None) -> float:
        settings, learner = self.settings, self.learner
        seeds = np.random.SeedSequence([settings.seed, self.epoch])
        random = np.random.default_rng(seeds)
        torch.manual_seed(int(seeds.generate_state(1)[0]))
        numbers = learner.numbers(random)
        count = len(range(0, len(numbers), settings.batch))
        total = torch.zeros((), device=learner.device)
        steps = done = 0
        for place, samples in enumerate(self._batches(numbers, random)):
            self._set_rates(place, count)
            batch = learner.batch(samples, random)
            total += self.step(batch)
            steps += learner.decisions(batch)
            done += len(samples)
            if on_batch is not None:
                on_batch(done, len(numbers))
        loss = float(total) / max(1, steps)
        self._check_convergence(loss)
        return loss

    def _check_convergence(self, loss: float = 0.0) -> None:
        """Raise `ModelError` when the loss or a weight has grown out of bounds."""
        largest = max(float(w.detach().abs().max()) for w in self.parameters if w.numel())
        if not (math.isfinite(loss) and largest < _LARGEST_WEIGHT):
            raise ModelError(
                f"training diverged in epoch {self.epoch + 1}: the loss or the weights are no "
                f"longer finite; lower training.rate, which is {self.settings.rate:g}"
            )

    def _set_rates(self, place: int, count: int) -> None:
        """The rates for this batch of the epoch, of so many."""
        settings = self.settings
        step, warm = self.epoch * count + place, min(settings.warmup, 2 * count)
        if settings.schedule == "linear":
            left = (settings.epochs * count - step) / max(1, settings.epochs * count - warm)
            factor = max(left, 0.0)
        else:
            factor = 1 / (1 + settings.decay * self.epoch)
        factor = min((step + 1) / (warm + 1), factor)
        for group, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor

    def _batches(self, numbers: Sequence[int], random: np.random.Generator) -> Iterator[list[S]]:
        """The epoch's batches; with the dynamic oracle, of what exploration visits, many batches at a time."""
        settings, learner = self.settings, self.learner
        chosen = [
            [numbers[place] for place in places]
            for places in buckets(
                [learner.size(number) for number in numbers], settings.batch, random
            )
        ]
        if settings.oracle == "static":
            for batch in chosen:
                yield learner.gold(batch)
            return
        together = max(1, settings.explore // settings.batch)
        for start in range(0, len(chosen), together):
            if start:
                self._check_convergence()
            group = chosen[start : start + together]
            visited = iter(
                learner.explored([number for batch in group for number in batch], random)
            )
            for batch in group:
                yield list(itertools.islice(visited, len(batch)))

    def step(self, batch: B) -> Tensor:
        """One step of the optimiser; the batch's loss before it. Its gradient is the sum of its sentences'."""
        self.learner.model.train()
        loss = self.learner.loss(batch)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.parameters, self.settings.clip)
        self.optimiser.step()
        return loss.detach()


def _optimiser(
    settings: TrainingSettings, groups: list[dict[str, object]]
) -> torch.optim.Optimizer:
    if settings.optimiser == "adam":
        return torch.optim.Adam(
            groups, lr=settings.rate, weight_decay=settings.l2, betas=(0.9, 0.98)
        )
    if settings.optimiser == "adamw":
        return torch.optim.AdamW(
            groups, lr=settings.rate, weight_decay=settings.l2, betas=(0.9, 0.98)
        )
    return torch.optim.SGD(groups, lr=settings.rate, weight_decay=settings.l2)


def _reports(dev: Treebank, parsed: Sequence[Tree]) -> dict[str, Report]:
    """A report for each treebank by its name, which is empty where there is but one."""
    if not dev.sources:
        return {"": score(dev, parsed)}
    found = {}
    for name in dict.fromkeys(dev.sources):
        chosen = [number for number, source in enumerate(dev.sources) if source == name]
        part = Treebank([dev.trees[n] for n in chosen], [dev.sentences[n] for n in chosen])
        found[name] = score(part, [parsed[n] for n in chosen])
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _tag_accuracy(gold: Sequence[Tree], parsed: Sequence[Tree]) -> float:
    pairs = [
        (one.tag, other.tag)
        for tree, found in zip(gold, parsed, strict=True)
        for one, other in zip(tree.leaves(), found.leaves(), strict=True)
    ]
    return sum(one == other for one, other in pairs) / max(1, len(pairs))
