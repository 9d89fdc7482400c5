"""The learning rate: linear warm-up, then linear decay to zero at the end of the budget."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.pretraining.recipe import PretrainingSettings

__all__ = ["Schedule"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Follows steps if the budget is in pieces, the clock if it is in minutes."""

    settings: PretrainingSettings

    @property
    def step_pieces(self) -> int:
        """The number of pieces per step."""
        return self.settings.rows * self.settings.pieces

    @property
    def steps(self) -> int | None:
        """The number of steps, None if the budget is in minutes."""
        tokens = self.settings.tokens
        return max(1, round(tokens / self.step_pieces)) if tokens else None

    def fraction(self, step: int, seconds: float) -> float:
        """Return the used fraction of the budget after this many steps and seconds."""
        used = step / self.steps if self.steps else seconds / (60 * self.settings.minutes)
        return min(1.0, used)

    def progress(self, step: int, seconds: float) -> float:
        """Return the fraction of the run that is done; it ends with the budget, or with `stop`."""
        stop = self.settings.stop
        stopping = step * self.step_pieces / stop if stop else 0.0
        return min(1.0, max(self.fraction(step, seconds), stopping))

    def rate(self, step: int, seconds: float) -> float:
        """Return the learning rate of the next step; with a budget of pieces, at its middle."""
        settings = self.settings
        fraction = self.fraction(step, seconds) + (0.5 / self.steps if self.steps else 0)
        if fraction < settings.warmup:
            return settings.rate * fraction / settings.warmup
        return settings.rate * max(0.0, 1 - fraction) / (1 - settings.warmup)
