"""`whorl train`: a parser from a treebank."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import guarded, note

if TYPE_CHECKING:
    from whorl.training.checkpoint import Progress
    from whorl.training.loop import Epoch
    from whorl.training.recipe import Recipe
    from whorl.training.run import Listener

__all__ = ["train"]


@guarded
def train(
    recipe: Annotated[str | None, typer.Argument(metavar="[RECIPE]", help="A TOML file; flags override it.")] = None,
    *,
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="The model folder to write.")],
    train_trees: Annotated[str | None, typer.Option("--train", help="Training trees: a file or a treebank.")] = None,
    dev_trees: Annotated[str | None, typer.Option("--dev", help="Development trees, to choose the best epoch.")] = None,
    vectors: Annotated[str | None, typer.Option("--vectors", help="Word vectors, as text or .gz.")] = None,
    network: Annotated[str | None, typer.Option("--network", help="stack-lstm or span.")] = None,
    system: Annotated[str | None, typer.Option("--system", help="nonbinary, binary, topdown or inorder.")] = None,
    oracle: Annotated[str | None, typer.Option("--oracle", help="static or dynamic.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="The most epochs.")] = None,
    device: Annotated[str | None, typer.Option("--device", help="cpu or cuda.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Override any key of the recipe.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")] = False,
) -> None:
    """Train a parser on a treebank, into a model folder.

    The folder gets the best model, `metrics.jsonl`, a learning curve, and a checkpoint after every epoch, so that an
    interrupted run can be taken up again with --resume.
    """
    from whorl.training.recipe import Recipe  # noqa: PLC0415 - only when it runs
    from whorl.training.run import train as run  # noqa: PLC0415 - likewise

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
    chosen = Recipe.chosen(recipe, flags, settings)
    progress = run(chosen, out, resume=resume, listener=_listener(chosen))
    note(f"{progress.epoch} epochs, best development F1 {progress.best:.2f}, model in {out}")


def _listener(recipe: Recipe) -> Listener:
    """Shows progress: a bar on a terminal, a line an epoch otherwise."""
    from whorl.training.run import Listener  # noqa: PLC0415 - heavy, and only when it runs

    class Shown(Listener):
        def __init__(self) -> None:
            self.began = time.monotonic()
            self.shown = 0.0

        def tagging(self, done: int, total: int) -> None:
            self._status(f"tagger: fold {done} of {total}")

        def batch(self, done: int, total: int) -> None:
            self._status(f"epoch: {done} of {total} sentences")

        def epoch(self, epoch: Epoch, progress: Progress) -> None:
            spent = time.monotonic() - self.began
            left = spent / progress.epoch * (recipe.training.epochs - progress.epoch)
            mark = " *" if progress.since == 0 else ""
            each = "".join(f"  {name} {f1:.2f}" for name, f1 in epoch.dev_by_treebank.items())
            self._clear()
            print(
                f"epoch {epoch.number:3}  loss {epoch.loss:.4f}  dev F1 {epoch.dev_f1:6.2f}{mark}{each}  "
                f"tags {100 * epoch.dev_tags:.2f}  {epoch.seconds:.1f} s  at most {left / 60:.1f} min left",
                flush=True,
            )

        def _status(self, text: str) -> None:
            now = time.monotonic()
            if sys.stderr.isatty() and now - self.shown > 0.2:
                self.shown = now
                print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

        def _clear(self) -> None:
            if sys.stderr.isatty():
                print("\r\033[K", end="", file=sys.stderr, flush=True)

    return Shown()
