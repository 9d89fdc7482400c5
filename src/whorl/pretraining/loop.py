"""The pretraining loop: a generator of steps. Logging, saving and progress are outside."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from whorl.engine.device import has_fast_bfloat16
from whorl.errors import ModelError, RecipeError
from whorl.pretraining.corpus import Corpus
from whorl.pretraining.distillation import Distillation
from whorl.pretraining.electra import Electra
from whorl.pretraining.recipe import PretrainingRecipe
from whorl.pretraining.rows import Rows
from whorl.pretraining.schedule import Schedule
from whorl.pretraining.start import load_start, load_teacher

__all__ = ["Metrics", "Pretrainer", "pick_device"]

_SUMS = 6  # losses of generator and detection, hits, caught, number of steps, distillation


@dataclass(frozen=True, slots=True)
class Metrics:
    """Averages over the steps since the last log entry."""

    step: int
    pieces: int  # seen since the start
    fraction: float  # of the budget
    generator: float
    detection: float
    hits: float
    caught: float
    rate: float
    seconds: float
    distillation: float = 0.0

    def to_dict(self) -> dict[str, float]:
        """Return an entry of the log."""
        return {name: getattr(self, name) for name in self.__slots__}


class Pretrainer:
    """An encoder in training over a corpus.

    The rows and the randomness of a step depend only on the seed and its number. So with a budget
    of pieces, a resumed run ends with the weights of one that was never interrupted.
    """

    def __init__(
        self, recipe: PretrainingRecipe, corpus: Corpus, *, on_note: Callable[[str], None]
    ) -> None:
        self.settings = recipe.training
        self.schedule = Schedule(recipe.training)
        self.device = pick_device(recipe.training.device)
        self.on_note = on_note
        vocabulary = corpus.tokenizer.get_vocab_size()
        torch.manual_seed(recipe.training.seed)
        self.model = _network(recipe, vocabulary, self.device, on_note)
        s = recipe.training
        self.rows = Rows(corpus.ids, rows=s.rows, pieces=s.pieces, seed=s.seed, device=self.device)
        self.optimiser = self._optimiser()
        self.step = 0
        self.seconds = 0.0  # without the first step of each process, which compiles
        self.sums = torch.zeros(_SUMS, device=self.device)
        self._random = torch.Generator(self.device)
        self._compiled = s.compile and self.device.type == "cuda"
        self.model.compile_parts(on=self._compiled)

    def _optimiser(self) -> torch.optim.Optimizer:
        """Make an AdamW optimiser with weight decay for matrices only."""
        parameters = list(self.model.parameters())
        groups = [
            {"params": [p for p in parameters if p.dim() > 1], "weight_decay": self.settings.decay},
            {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(
            groups, lr=0.0, betas=(0.9, self.settings.beta), eps=1e-6, fused=True
        )

    @property
    def progress(self) -> float:
        """The fraction of the run that is done."""
        return self.schedule.progress(self.step, self.seconds)

    @property
    def ended(self) -> bool:
        """Whether the run is complete."""
        return self.progress >= 1

    def steps(self) -> Iterator[Metrics | None]:
        """Train step by step; yield metrics every `log` steps and at the end, else None."""
        before, start = self.seconds, 0.0
        while not self.ended:
            rate = self.schedule.rate(self.step, self.seconds)
            self.sums += self._first_step(rate) if not start else self._train_step(rate)
            self.step += 1
            if not start:
                self._synchronise()
                start = time.monotonic()
            self.seconds = before + time.monotonic() - start
            logged = self.step % self.settings.log == 0 or self.ended
            yield self._metrics(rate) if logged else None

    def _first_step(self, rate: float) -> Tensor:
        """Train a step that may fail to compile, or exceed the memory."""
        try:
            try:
                return self._train_step(rate)
            except Exception as error:
                if not self._compiled or isinstance(error, torch.cuda.OutOfMemoryError):
                    raise
                reason = (str(error).strip().splitlines() or [""])[0]
                self.on_note(f"continuing uncompiled: {type(error).__name__}: {reason}")
                self._compiled = False
                self.model.compile_parts(on=False)
                return self._train_step(rate)
        except torch.cuda.OutOfMemoryError as error:
            rows = self.settings.rows
            raise RecipeError(
                f"{self.device} lacks memory for steps of {rows} rows: lower training.rows"
            ) from error

    def _train_step(self, rate: float) -> Tensor:
        """Train one step; return its losses."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self._random.manual_seed(
            int(np.random.SeedSequence([self.settings.seed, self.step]).generate_state(1)[0])
        )
        self.optimiser.zero_grad(set_to_none=True)
        with self._autocast():
            losses = self.model(self.rows.batch(self.step), self.settings.masked, self._random)
        loss = losses.generator + self.settings.detection * losses.detection
        (loss + losses.distillation).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimiser.step()
        values = [losses.generator, losses.detection, losses.hits, losses.caught]
        steps = torch.ones_like(losses.hits)
        return torch.stack([*values, steps, losses.distillation]).detach()

    def _autocast(self) -> AbstractContextManager[object]:
        if has_fast_bfloat16(self.device):
            return torch.autocast(self.device.type, dtype=torch.bfloat16)
        return nullcontext()

    def _synchronise(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def _metrics(self, rate: float) -> Metrics:
        generator, detection, hits, caught, steps, distillation = self.sums.tolist()
        self.sums.zero_()
        if not math.isfinite(generator + detection + distillation):
            raise ModelError(f"the loss is not finite at step {self.step}: lower training.rate")
        return Metrics(
            step=self.step,
            pieces=self.step * self.schedule.step_pieces,
            fraction=self.schedule.fraction(self.step, self.seconds),
            generator=generator / steps,
            detection=detection / steps,
            hits=hits / steps,
            caught=caught / steps,
            rate=rate,
            seconds=self.seconds,
            distillation=distillation / steps,
        )


def _network(
    recipe: PretrainingRecipe,
    vocabulary: int,
    device: torch.device,
    on_note: Callable[[str], None],
) -> Electra:
    """Make the networks of a run on a device, with the weights that it starts from."""
    encoder, distillation = recipe.encoder(vocabulary), None
    if recipe.distillation.teacher:
        teacher = load_teacher(recipe.distillation.teacher, vocabulary).to(device)
        distillation = Distillation(recipe.distillation, teacher, encoder)
    model = Electra(encoder, recipe.generator(vocabulary), distillation)
    if recipe.model.start:
        load_start(recipe.model.start, model, on_note)
    return model.to(device)


def pick_device(name: str) -> torch.device:
    """Return a device by its name; `auto` is the GPU if there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise RecipeError(f"training.device must be auto, cpu or cuda, not {name!r}") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise RecipeError(f"training.device is {name!r}, but PyTorch finds no GPU: use cpu")
    return device
