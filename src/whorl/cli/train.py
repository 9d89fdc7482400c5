"""`whorl train`: a parser from a treebank."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import (
    EpochsOption,
    RecipeArgument,
    ResumeOption,
    SettingsOption,
    TrainingDeviceOption,
    TrainTreesOption,
    VectorsOption,
)
from whorl.errors import RecipeError
from whorl.networks import NETWORKS
from whorl.transitions import SYSTEMS

if TYPE_CHECKING:
    from whorl.training.checkpoint import Progress
    from whorl.training.loop import Epoch
    from whorl.training.run import Listener

__all__ = ["Pace", "train"]


@guarded
def train(
    recipe: RecipeArgument = None,
    *,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="The model folder to write.")
    ],
    train_trees: TrainTreesOption = None,
    dev_trees: Annotated[
        str | None, typer.Option("--dev", help="Development trees, to choose the best epoch.")
    ] = None,
    vectors: VectorsOption = None,
    network: Annotated[
        str | None, typer.Option("--network", help=f"One of {', '.join(NETWORKS)}.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", help=f"One of {', '.join(SYSTEMS)}.")
    ] = None,
    oracle: Annotated[str | None, typer.Option("--oracle", help="static or dynamic.")] = None,
    epochs: EpochsOption = None,
    device: TrainingDeviceOption = None,
    settings: SettingsOption = None,
    resume: ResumeOption = False,
) -> None:
    """Train a parser on a treebank, into a model folder.

    The folder receives the model of the best epoch, `metrics.jsonl`, a learning curve, and a
    checkpoint after every epoch. An interrupted run resumes with --resume --out DIR and the recipe
    that it was begun with.
    """
    from whorl.training.recipe import Recipe
    from whorl.training.run import saved_recipe
    from whorl.training.run import train as run

    flags = {
        "data.train": train_trees,
        "data.dev": dev_trees,
        "data.vectors": vectors,
        "model.network": network,
        "model.system": system,
        "training.oracle": oracle,
        "training.epochs": epochs,
        "training.device": device,
    }
    saved = saved_recipe(out) if resume else None
    if resume and saved is None and recipe is None:
        raise RecipeError(f"cannot resume: there is no training run in {out!r}")
    chosen = Recipe.chosen(recipe, flags, settings, default=saved)
    with _listener(chosen.training.epochs) as listener:
        progress = run(chosen, out, resume=resume, listener=listener)
    count = f"{progress.epoch} epoch{'s' if progress.epoch > 1 else ''}"
    note(f"{count}, best development F1 {progress.best:.2f}, model in {out}")


@contextmanager
def _listener(epochs: int) -> Iterator[Listener]:
    """Show progress: a bar on a terminal, and a line per epoch."""
    from whorl.cli.progress import ProgressDisplay
    from whorl.training.run import Listener

    class TrainingDisplay(Listener):
        def tagging(self, done: int, total: int) -> None:
            display.show("tags", done / total)

        def begin(self, progress: Progress) -> None:
            self.pace = Pace(progress.epoch, epochs, time.monotonic())

        def batch(self, done: int, total: int) -> None:
            left = self.pace.left(done / total, time.monotonic())
            display.show(f"epoch {self.pace.done + 1} of {epochs}", done / total, left)

        def epoch(self, epoch: Epoch, progress: Progress) -> None:
            self.pace.done = progress.epoch
            left = self.pace.left(0.0, time.monotonic())
            mark = " *" if progress.since == 0 else ""
            each = "".join(f"  {name} {f1:.2f}" for name, f1 in epoch.dev_by_treebank.items())
            display.line(
                f"epoch {epoch.number:3}  loss {epoch.loss:.4f}  dev F1 {epoch.dev_f1:6.2f}{mark}"
                f"  all tokens {epoch.dev_f1_all_tokens:.2f}{each}  tags {100 * epoch.dev_tags:.2f}"
                f"  {epoch.seconds:.1f} s  at most {left / 60:.1f} min left"
            )

    display = ProgressDisplay()
    try:
        yield TrainingDisplay()
    finally:
        display.close()


@dataclass
class Pace:
    """The speed of a run: epochs done, those of an earlier run included, and their total."""

    done: int
    epochs: int
    began: float
    before: int = field(init=False)

    def __post_init__(self) -> None:
        self.before = self.done

    def left(self, fraction: float, now: float) -> float:
        """Return the seconds left, at most, once a fraction of the next epoch is done."""
        passed = self.done - self.before + fraction
        return (now - self.began) / passed * (self.epochs - self.done - fraction) if passed else 0.0
