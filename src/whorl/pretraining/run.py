"""A pretraining run: from a recipe and raw text to an encoder folder. Interrupted runs resume."""

from __future__ import annotations

import datetime
import json
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from whorl import __version__
from whorl.errors import ModelError
from whorl.files import replace_atomically
from whorl.pretraining.card import write_card, write_checks
from whorl.pretraining.checkpoint import CHECKPOINT_JSON, load_checkpoint, save_checkpoint
from whorl.pretraining.corpus import Corpus, prepare_corpus
from whorl.pretraining.loop import Metrics, Pretrainer, pick_device
from whorl.pretraining.recipe import PretrainingRecipe
from whorl.pretraining.start import describe_sources, save_generator, shared_pieces
from whorl.reporting.chart import line_chart
from whorl.transformer.folder import ENCODER_JSON, Precision

__all__ = ["Outcome", "PretrainingListener", "pretrain"]

_CHECKPOINT_FOLDER = "work"  # the folder of the checkpoint, removed at the end of the schedule
_METRICS = "metrics.jsonl"


class PretrainingListener:
    """Receives the events of a run. This one ignores them."""

    def preparing(self, what: str, done: int, total: int) -> None:
        """Report `done` of `total` bytes of text, read for the vocabulary or for the ids."""

    def started(self, corpus: Corpus, trainer: Pretrainer) -> None:
        """Report that training starts or resumes."""

    def step(self, trainer: Pretrainer) -> None:
        """Report that a step is done."""

    def metrics(self, metrics: Metrics) -> None:
        """Report the metrics of the last steps."""

    def note(self, text: str) -> None:
        """Report a message for the user."""

    def close(self) -> None:
        """Report the end of the run."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The last metrics of a run, and whether it reached the end of its schedule."""

    last: Metrics
    finished: bool

    def to_dict(self) -> dict[str, Any]:
        """Return what `encoder.json` stores."""
        return {**self.last.to_dict(), "finished": self.finished}


def pretrain(
    recipe: PretrainingRecipe,
    folder: str | Path,
    *,
    resume: bool = False,
    listener: PretrainingListener | None = None,
) -> Outcome:
    """Pretrain an encoder by a recipe; `resume` continues an interrupted run."""
    folder = Path(folder)
    checkpoint_folder = folder / _CHECKPOINT_FOLDER
    listener = listener or PretrainingListener()
    recipe.check()
    data = shared_pieces(recipe)
    pick_device(recipe.training.device)
    interrupted = (checkpoint_folder / CHECKPOINT_JSON).exists()
    if not resume and (interrupted or (folder / ENCODER_JSON).exists()):
        raise ModelError(
            f"{folder} holds an encoder or a run: use --resume, or choose another folder"
        )
    if resume and not interrupted and (folder / ENCODER_JSON).exists():
        raise ModelError(f"{folder} holds a finished encoder: there is nothing to resume")
    checkpoint_folder.mkdir(parents=True, exist_ok=True)
    corpus = prepare_corpus(
        data, Path(recipe.data.cache or checkpoint_folder / "corpus"), listener.preparing
    )
    trainer = Pretrainer(recipe, corpus, on_note=listener.note)
    if resume:
        load_checkpoint(checkpoint_folder, trainer, recipe)
    listener.started(corpus, trainer)
    rows = _read_metrics(folder / _METRICS, trainer.step)
    _train(recipe, folder, trainer, rows, listener)
    outcome = Outcome(
        Metrics(**rows[-1]), trainer.schedule.fraction(trainer.step, trainer.seconds) >= 1
    )
    _write_encoder(recipe, folder, corpus, trainer, outcome)
    if outcome.finished:
        (checkpoint_folder / CHECKPOINT_JSON).unlink()  # first, since the other files depend on it
        shutil.rmtree(checkpoint_folder, ignore_errors=True)
    return outcome


def _train(
    recipe: PretrainingRecipe,
    folder: Path,
    trainer: Pretrainer,
    rows: list[dict[str, Any]],
    listener: PretrainingListener,
) -> None:
    saved = time.monotonic()
    for metrics in trainer.steps():
        listener.step(trainer)
        if metrics is not None:
            rows.append(metrics.to_dict())
            _write_metrics(folder, rows)
            listener.metrics(metrics)
        if time.monotonic() - saved >= recipe.training.save:
            save_checkpoint(folder / _CHECKPOINT_FOLDER, trainer, recipe)
            saved = time.monotonic()
    save_checkpoint(folder / _CHECKPOINT_FOLDER, trainer, recipe)


def _read_metrics(path: Path, step: int) -> list[dict[str, Any]]:
    """Read the log up to a step; an interrupted run may have logged more after its checkpoint."""
    if not path.exists():
        return []
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [Metrics(**row).to_dict() for row in rows if row["step"] <= step]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelError(f"cannot resume the run: {path} is damaged: {error!r}") from error


def _write_metrics(folder: Path, rows: list[dict[str, Any]]) -> None:
    with replace_atomically(folder / _METRICS) as partial:
        partial.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    curves = {
        "generator": [(row["pieces"] / 1e6, row["generator"]) for row in rows],
        "10 × detection": [(row["pieces"] / 1e6, 10 * row["detection"]) for row in rows],
    }
    if any(row["distillation"] for row in rows):
        curves["distillation"] = [(row["pieces"] / 1e6, row["distillation"]) for row in rows]
    chart = line_chart(curves, title="Pretraining", x_label="million pieces seen", y_label="loss")
    with replace_atomically(folder / "curve.svg") as partial:
        partial.write_text(chart, encoding="utf-8")


def _write_encoder(
    recipe: PretrainingRecipe, folder: Path, corpus: Corpus, trainer: Pretrainer, outcome: Outcome
) -> None:
    with replace_atomically(folder / "tokenizer.json") as partial:
        corpus.tokenizer.save(str(partial))
    described = {
        "whorl": __version__,
        "date": datetime.date.today().isoformat(),
        "data": corpus.summary,
        "outcome": outcome.to_dict(),
        "encoders": describe_sources(recipe),
        "recipe": recipe.to_dict(),
    }
    encoder = trainer.model.encoder
    encoder.save(folder, precision=cast(Precision, recipe.training.precision), **described)
    save_generator(folder, trainer.model)
    write_checks(folder, corpus.examples)
    write_card(folder, described, asdict(encoder.config))
