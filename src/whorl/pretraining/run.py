"""A whole pretraining run: from a recipe and raw text to an encoder folder; it can be taken up again at any time."""

from __future__ import annotations

import datetime
import json
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from whorl import __version__
from whorl.errors import ModelError
from whorl.files import replaced
from whorl.pretraining.card import write_card, write_checks
from whorl.pretraining.checkpoint import load_checkpoint, save_checkpoint
from whorl.pretraining.corpus import Corpus, prepare
from whorl.pretraining.loop import Pretrainer, Window, pick_device
from whorl.pretraining.recipe import PretrainingRecipe
from whorl.reporting.chart import line_chart
from whorl.transformer.folder import ENCODER_JSON, Precision

__all__ = ["Listener", "Outcome", "pretrain"]

_WORK = (
    "work"  # the folder of the checkpoint, inside the encoder's; gone once the schedule has ended
)
_METRICS = "metrics.jsonl"


class Listener:
    """Hears how a run goes; a command line shows it. This one says nothing."""

    def preparing(self, what: str, done: int, total: int) -> None:
        """So much of the text has been read to make the vocabulary or the ids."""

    def begun(self, corpus: Corpus, trainer: Pretrainer) -> None:
        """Training begins, or goes on."""

    def step(self, trainer: Pretrainer) -> None:
        """A step is done."""

    def window(self, window: Window) -> None:
        """What the last few steps came to."""

    def note(self, text: str) -> None:
        """Something to know."""

    def close(self) -> None:
        """There is no more to hear."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to; `finished` says that its schedule has ended."""

    last: Window
    finished: bool

    def to_dict(self) -> dict[str, Any]:
        """For a file."""
        return {**self.last.to_dict(), "finished": self.finished}


def pretrain(
    recipe: PretrainingRecipe,
    folder: str | Path,
    *,
    resume: bool = False,
    listener: Listener | None = None,
) -> Outcome:
    """Make an encoder by a recipe in a folder; `resume` goes on where an interrupted run stopped."""
    folder = Path(folder)
    work = folder / _WORK
    listener = listener or Listener()
    recipe.check()
    pick_device(recipe.training.device)
    begun = (work / "checkpoint.json").exists()
    if not resume and (begun or (folder / ENCODER_JSON).exists()):
        raise ModelError(
            f"{folder} holds an encoder or a run: go on with --resume, or choose another folder"
        )
    if resume and not begun and (folder / ENCODER_JSON).exists():
        raise ModelError(
            f"{folder} holds an encoder whose training has ended: there is nothing to resume"
        )
    work.mkdir(parents=True, exist_ok=True)
    corpus = prepare(recipe.data, Path(recipe.data.cache or work / "corpus"), listener.preparing)
    trainer = Pretrainer(recipe, corpus, on_note=listener.note)
    if resume:
        load_checkpoint(work, trainer, recipe)
    listener.begun(corpus, trainer)
    rows = _kept_metrics(folder, trainer.step)
    _train(recipe, folder, trainer, rows, listener)
    outcome = Outcome(
        Window(**rows[-1]), trainer.schedule.fraction(trainer.step, trainer.seconds) >= 1
    )
    _write_encoder(recipe, folder, corpus, trainer, outcome)
    if outcome.finished:
        (work / "checkpoint.json").unlink()  # first: without it nothing else there counts
        shutil.rmtree(work, ignore_errors=True)
    return outcome


def _train(
    recipe: PretrainingRecipe,
    folder: Path,
    trainer: Pretrainer,
    rows: list[dict[str, Any]],
    listener: Listener,
) -> None:
    saved = time.monotonic()
    for window in trainer.steps():
        listener.step(trainer)
        if window is not None:
            rows.append(window.to_dict())
            _write_metrics(folder, rows)
            listener.window(window)
        if time.monotonic() - saved >= recipe.training.save:
            save_checkpoint(folder / _WORK, trainer, recipe)
            saved = time.monotonic()
    save_checkpoint(folder / _WORK, trainer, recipe)


def _kept_metrics(folder: Path, step: int) -> list[dict[str, Any]]:
    """What was logged up to a step; what an interrupted run logged after its last checkpoint comes again."""
    path = folder / _METRICS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [row for row in map(json.loads, lines) if row["step"] <= step]


def _write_metrics(folder: Path, rows: list[dict[str, Any]]) -> None:
    with replaced(folder / _METRICS) as partial:
        partial.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    curves = {
        "generator": [(row["pieces"] / 1e6, row["generator"]) for row in rows],
        "10 × detection": [(row["pieces"] / 1e6, 10 * row["detection"]) for row in rows],
    }
    chart = line_chart(curves, title="Pretraining", x_label="million pieces seen", y_label="loss")
    with replaced(folder / "curve.svg") as partial:
        partial.write_text(chart, encoding="utf-8")


def _write_encoder(
    recipe: PretrainingRecipe, folder: Path, corpus: Corpus, trainer: Pretrainer, outcome: Outcome
) -> None:
    with replaced(folder / "tokenizer.json") as partial:
        corpus.tokenizer.save(str(partial))
    described = {
        "whorl": __version__,
        "date": datetime.date.today().isoformat(),
        "data": corpus.summary,
        "outcome": outcome.to_dict(),
        "recipe": recipe.to_dict(),
    }
    encoder = trainer.model.encoder
    encoder.save(folder, precision=cast(Precision, recipe.training.precision), **described)
    write_checks(folder, corpus.examples)
    write_card(
        folder,
        described,
        {name: getattr(encoder.config, name) for name in encoder.config.__slots__},
    )
