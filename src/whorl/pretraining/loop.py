"""The pretraining loop: a generator of steps. Logging, saving and showing progress are outside it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from whorl.errors import ModelError, RecipeError
from whorl.pretraining.corpus import Corpus
from whorl.pretraining.electra import Electra
from whorl.pretraining.recipe import PretrainingRecipe
from whorl.pretraining.rows import Rows
from whorl.pretraining.schedule import Schedule

__all__ = ["Pretrainer", "Window", "pick_device"]

_MEASURES = (
    5  # losses of generator and detection, hits, caught, and how many steps these are summed over
)


@dataclass(frozen=True, slots=True)
class Window:
    """What the last few steps came to, on average."""

    step: int
    pieces: int  # seen since the beginning
    fraction: float  # of the budget
    generator: float
    detection: float
    hits: float
    caught: float
    rate: float
    seconds: float

    def to_dict(self) -> dict[str, float]:
        """For a log."""
        return {name: getattr(self, name) for name in self.__slots__}


class Pretrainer:
    """An encoder in training over a corpus. A step's rows and randomness follow from the seed and its number.

    So where the budget is of pieces, a run that is taken up again goes on exactly as if it had
    never stopped.
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
        self.model = Electra(recipe.encoder(vocabulary), recipe.generator(vocabulary)).to(
            self.device
        )
        s = recipe.training
        self.rows = Rows(corpus.ids, rows=s.rows, pieces=s.pieces, seed=s.seed, device=self.device)
        self.optimiser = self._optimiser()
        self.step = 0
        self.seconds = 0.0  # of the budget, used up; the first step of a process, which compiles, is not counted
        self.sums = torch.zeros(_MEASURES, device=self.device)
        self._random = torch.Generator(self.device)
        self._compiled = s.compile and self.device.type == "cuda"
        self.model.compile_parts(on=self._compiled)

    def _optimiser(self) -> torch.optim.Optimizer:
        """AdamW; matrices decay, norms and biases do not."""
        parameters = list(self.model.parameters())
        groups = [
            {"params": [p for p in parameters if p.dim() > 1], "weight_decay": self.settings.decay},
            {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
        ]
        fused = self.device.type == "cuda"
        return torch.optim.AdamW(
            groups, lr=0.0, betas=(0.9, self.settings.beta), eps=1e-6, fused=fused
        )

    @property
    def progress(self) -> float:
        """The part of the run that is done."""
        return self.schedule.progress(self.step, self.seconds)

    @property
    def ended(self) -> bool:
        """Whether there is no more to do."""
        return self.progress >= 1

    def steps(self) -> Iterator[Window | None]:
        """Train, step after step; every so many steps, and at the end, with what they came to."""
        before, began = self.seconds, 0.0
        while not self.ended:
            rate = self.schedule.rate(self.step, self.seconds)
            self.sums += self._first_step(rate) if not began else self._train_step(rate)
            self.step += 1
            if not began:
                self._wait()
                began = time.monotonic()
            self.seconds = before + time.monotonic() - began
            logged = self.step % self.settings.log == 0 or self.ended
            yield self._window(rate) if logged else None

    def _first_step(self, rate: float) -> Tensor:
        """A step that may turn out not to compile here, or not to fit into memory."""
        try:
            try:
                return self._train_step(rate)
            except Exception as error:
                if not self._compiled or isinstance(error, torch.cuda.OutOfMemoryError):
                    raise
                first = (str(error).strip().splitlines() or [""])[0]
                self.on_note(
                    f"going on without compiling, which failed: {type(error).__name__}: {first}"
                )
                self._compiled = False
                self.model.compile_parts(on=False)
                return self._train_step(rate)
        except torch.cuda.OutOfMemoryError as error:
            rows = self.settings.rows
            raise RecipeError(
                f"{self.device} has no memory for steps of {rows} rows: lower training.rows"
            ) from error

    def _train_step(self, rate: float) -> Tensor:
        """One step of the optimiser; the losses before it."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self._random.manual_seed(
            int(np.random.SeedSequence([self.settings.seed, self.step]).generate_state(1)[0])
        )
        self.optimiser.zero_grad(set_to_none=True)
        with self._autocast():
            losses = self.model(self.rows.batch(self.step), self.settings.masked, self._random)
        (losses.generator + self.settings.detection * losses.detection).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimiser.step()
        one = torch.ones_like(losses.hits)
        return torch.stack(
            [losses.generator, losses.detection, losses.hits, losses.caught, one]
        ).detach()

    def _autocast(self) -> AbstractContextManager[object]:
        if self.device.type == "cuda" and torch.cuda.is_bf16_supported():
            return torch.autocast("cuda", dtype=torch.bfloat16)
        return nullcontext()

    def _wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def _window(self, rate: float) -> Window:
        generator, detection, hits, caught, _ = (self.sums / self.sums[-1]).tolist()
        self.sums.zero_()
        if not math.isfinite(generator + detection):
            raise ModelError(
                f"the loss is no number any more at step {self.step}: lower training.rate"
            )
        return Window(
            step=self.step,
            pieces=self.step * self.schedule.step_pieces,
            fraction=self.schedule.fraction(self.step, self.seconds),
            generator=generator,
            detection=detection,
            hits=hits,
            caught=caught,
            rate=rate,
            seconds=self.seconds,
        )


def pick_device(name: str) -> torch.device:
    """The device of a name; `auto` is the GPU where there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise RecipeError(f"training.device must be auto, cpu or cuda, not {name!r}") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise RecipeError(f"training.device is {name!r}, but there is no GPU here: use cpu")
    return device
