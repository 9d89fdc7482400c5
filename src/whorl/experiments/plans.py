"""The runs that each experiment of §7 needs. Runs that experiments share have one name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whorl.experiments.runs import Run
from whorl.training.recipe import Recipe

__all__ = [
    "DYNAMIC",
    "STRATEGIES",
    "SYSTEMS",
    "Setting",
    "accuracy_settings",
    "dynamic_setting",
    "exploration_settings",
    "plan_runs",
    "static_settings",
]

SYSTEMS = ("nonbinary", "binary", "topdown", "inorder")
DYNAMIC = ("nonbinary", "topdown", "inorder")
"""The systems with a dynamic oracle (§5.3 on the binary one)."""

STRATEGIES = ((0.1, 1.0), (0.1, 0.0), (0.2, 0.0), (0.3, 0.0))
"""Regular and aggressive exploration, as in Table 2."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The choices in which the parsers of an experiment differ."""

    system: str = "nonbinary"
    oracle: str = "static"
    regular: float = 0.1
    aggressive: float = 0.0
    loss: str = "zero-cost"

    @property
    def strategy(self) -> str:
        """The exploration as Table 2 names it."""
        return (
            f"aggr-{self.aggressive} ∨ reg-{self.regular}"
            if self.aggressive
            else f"reg-{self.regular}"
        )

    @property
    def name(self) -> str:
        """A name for folders, such as `nonbinary-dynamic-reg0.1`."""
        parts = [self.system, self.oracle]
        if self.oracle == "dynamic":
            parts += [f"aggr{self.aggressive}"] * bool(self.aggressive) + [f"reg{self.regular}"]
            parts += [self.loss] * (self.loss != "zero-cost")
        return "-".join(parts)

    def run(self, base: Recipe, seed: int, beams: Sequence[int] = (1,)) -> Run:
        """Return the run with this setting and seed; all else is the recipe's."""
        settings = {
            "model.system": self.system,
            "training.oracle": self.oracle,
            "training.regular": self.regular,
            "training.aggressive": self.aggressive,
            "training.loss": self.loss,
            "training.seed": seed,
        }
        recipe = base.override([f"{key}={value}" for key, value in settings.items()])
        return Run(f"{self.name}-seed{seed}", recipe, tuple(beams))


def dynamic_setting(base: Recipe, system: str = "nonbinary") -> Setting:
    """Return the dynamic setting with the exploration of the recipe."""
    training = base.training
    return Setting(system, "dynamic", training.regular, training.aggressive, training.loss)


def static_settings() -> list[Setting]:
    """Return the four systems with static oracles, for Tables 5 and 7 and Figure 10."""
    return [Setting(system) for system in SYSTEMS]


def accuracy_settings(base: Recipe) -> list[Setting]:
    """Return the four systems with each oracle they have, for Tables 3 and 4."""
    return [
        setting
        for system in SYSTEMS
        for setting in (
            Setting(system),
            *([dynamic_setting(base, system)] if system in DYNAMIC else []),
        )
    ]


def exploration_settings(base: Recipe) -> list[Setting]:
    """Return the non-binary system with each strategy of Table 2, and with each loss."""
    own = dynamic_setting(base)
    settings = [
        Setting("nonbinary", "dynamic", regular, aggressive) for regular, aggressive in STRATEGIES
    ]
    settings += [
        Setting("nonbinary", "dynamic", own.regular, own.aggressive, loss)
        for loss in ("zero-cost", "taken")
    ]
    return list(dict.fromkeys(settings))


def plan_runs(
    settings: Iterable[Setting], base: Recipe, seeds: Sequence[int], beams: Sequence[int] = (1,)
) -> list[Run]:
    """Return the runs of these settings, seed by seed."""
    listed = list(settings)
    return [setting.run(base, seed, beams) for seed in seeds for setting in listed]
