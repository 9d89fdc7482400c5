"""How far a run has come, and the learning rate there: up in a line, then down to zero at the budget's end."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.pretraining.recipe import Training

__all__ = ["Schedule"]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Counts in steps where the budget is of pieces, in seconds where it is of minutes."""

    settings: Training

    @property
    def step_pieces(self) -> int:
        """The pieces of a step."""
        return self.settings.rows * self.settings.pieces

    @property
    def steps(self) -> int | None:
        """How many there are, where the budget says so."""
        tokens = self.settings.tokens
        return max(1, round(tokens / self.step_pieces)) if tokens else None

    def fraction(self, step: int, seconds: float) -> float:
        """The part of the budget that is used up, after so many steps and seconds; 1 is its end."""
        used = step / self.steps if self.steps else seconds / (60 * self.settings.minutes)
        return min(1.0, used)

    def progress(self, step: int, seconds: float) -> float:
        """The part of the run that is done; 1 where the budget is used up, or the run was to stop."""
        stop = self.settings.stop
        stopping = step * self.step_pieces / stop if stop else 0.0
        return min(1.0, max(self.fraction(step, seconds), stopping))

    def rate(self, step: int, seconds: float) -> float:
        """The learning rate of the step after so many; of a budget of steps, that at its middle."""
        settings = self.settings
        fraction = self.fraction(step, seconds) + (0.5 / self.steps if self.steps else 0)
        if fraction < settings.warmup:
            return settings.rate * fraction / settings.warmup
        return settings.rate * max(0.0, 1 - fraction) / (1 - settings.warmup)
