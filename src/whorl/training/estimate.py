"""How long a run will take, measured on a few of its own batches before it begins."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from whorl.training.learner import Treebank
from whorl.training.loop import Trainer

__all__ = ["Estimate", "estimate_time"]

_BATCHES = 6
_WARM_UP = 2  # batches: the first ones allocate memory
_PARSING = 0.35
"""The time to parse a word as a share of that to learn from it, measured on a CPU."""


class Estimate(NamedTuple):
    """The expected duration of a run, in seconds."""

    epoch: float
    """One epoch, its development trees included."""
    total: float
    """All epochs that are left."""


def estimate_time(trainer: Trainer[Any, Any], dev: Treebank) -> Estimate:
    """Time a few batches of the next epoch, and restore the weights afterwards."""
    learner, settings = trainer.learner, trainer.settings
    random = np.random.default_rng(settings.seed)
    numbers = list(learner.numbers(random))
    drawn = random.permutation(numbers).tolist()
    probe = Trainer(learner, settings)
    saved = [weight.detach().clone() for weight in probe.parameters]

    def learn(sample: list[int]) -> float:
        started = time.perf_counter()
        for samples in probe.batches(sample, random):
            float(probe.step(learner.batch(samples, random)))
        return time.perf_counter() - started

    learn(drawn[: _WARM_UP * settings.batch])
    timed = drawn[: _BATCHES * settings.batch]
    seconds = learn(timed)
    for weight, value in zip(probe.parameters, saved, strict=True):
        weight.data.copy_(value)
    words = sum(map(learner.size, numbers)) + _PARSING * sum(map(len, dev.sentences))
    epoch = seconds / max(1, sum(map(learner.size, timed))) * words
    return Estimate(epoch, epoch * max(0, settings.epochs - trainer.epoch))
