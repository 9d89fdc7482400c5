"""`whorl pretrain`: an encoder from raw text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ResumeOption, SettingsOption, out_folder
from whorl.errors import RecipeError

if TYPE_CHECKING:
    from whorl.pretraining.corpus import Corpus
    from whorl.pretraining.loop import Metrics, Pretrainer
    from whorl.pretraining.run import PretrainingListener

__all__ = ["pretrain"]


@guarded
def pretrain(
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="[TEXT]", help="A folder of raw text (.txt, .gz, .xz), or one such file."
        ),
    ] = None,
    *,
    out: Annotated[str, out_folder("The encoder folder to write.")],
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="ENCODER",
            help="Continue from this encoder, of its sizes.",
        ),
    ] = None,
    teacher: Annotated[
        str | None,
        typer.Option(
            "--teacher", metavar="ENCODER", help="Learn from this encoder too, with its pieces."
        ),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            "--recipe", help="A TOML file, or pretrain for the defaults; flags override it."
        ),
    ] = None,
    layers: Annotated[int | None, typer.Option("--layers", help="Layers of the encoder.")] = None,
    width: Annotated[int | None, typer.Option("--width", help="Dimensions of its vectors.")] = None,
    vocabulary: Annotated[
        int | None, typer.Option("--vocabulary", help="Word pieces to learn.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", help="Train this long; the schedule is fitted to it."),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", help="Train on this many word pieces instead.")
    ] = None,
    rows: Annotated[
        int | None, typer.Option("--rows", help="Rows of text per step; fewer need less memory.")
    ] = None,
    cache: Annotated[
        str | None,
        typer.Option("--cache", help="Keep vocabulary and ids in this folder for other runs."),
    ] = None,
    device: Annotated[str | None, typer.Option("--device", help="auto, cpu or cuda.")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="The seed of all random choices.")
    ] = None,
    int8: Annotated[
        bool, typer.Option("--int8", help="Save the weights in 8 bits, a quarter of the size.")
    ] = False,
    settings: SettingsOption = None,
    resume: ResumeOption = False,
) -> None:
    """Pretrain a transformer encoder on raw text of any language, into an encoder folder.

    Word pieces are learnt first, then the encoder, by detecting the pieces of a text that a small
    generator has replaced. Half an hour on a GPU gives a strong encoder; without a GPU, keep it
    tiny. The folder also gets a card, `metrics.jsonl`, a loss curve, and the checkpoints that
    --resume starts from.
    """
    from whorl.pretraining.recipe import PretrainingRecipe
    from whorl.pretraining.run import pretrain as run
    from whorl.pretraining.start import start_sizes

    if minutes is not None and tokens is not None:
        raise RecipeError("--minutes and --tokens both say how long to train: give one of them")
    sizes = {"model.layers": layers, "model.width": width}
    flags = {
        "data.text": text,
        "data.vocabulary": vocabulary,
        "data.cache": cache,
        "model.start": start,
        **(start_sizes(start) if start is not None and recipe is None else {}),
        **{key: value for key, value in sizes.items() if value is not None},
        "distillation.teacher": teacher,
        "training.minutes": minutes,
        "training.tokens": 0 if minutes is not None else tokens,
        "training.rows": rows,
        "training.device": device,
        "training.seed": seed,
        "training.precision": "int8" if int8 else None,
    }
    chosen = PretrainingRecipe.chosen(recipe, flags, settings)
    if not chosen.data.text:
        raise RecipeError("no text to pretrain on: give TEXT, or set data.text in a recipe")
    listener = _listener()
    try:
        outcome = run(chosen, out, resume=resume, listener=listener)
    finally:
        listener.close()
    last = outcome.last
    ended = "" if outcome.finished else ", before the end of its schedule"
    note(
        f"{last.pieces:,} pieces seen in {last.seconds / 60:.1f} min{ended}; "
        f"generator {last.generator:.3f}, detection {last.detection:.4f}; encoder in {out}"
    )


def _listener() -> PretrainingListener:
    """Return a listener that shows bars on a terminal, and prints a line at each logged step."""
    from whorl.cli.progress import ProgressDisplay
    from whorl.pretraining.run import PretrainingListener

    class ProgressListener(PretrainingListener):
        def __init__(self) -> None:
            self.progress = ProgressDisplay()

        def preparing(self, what: str, done: int, total: int) -> None:
            self.progress.show(what, done / max(1, total))

        def started(self, corpus: Corpus, trainer: Pretrainer) -> None:
            counts = corpus.summary
            note(
                f"{counts['files']} files, {counts['sentences']:,} sentences, "
                f"{counts['words']:,} words, {counts['pieces']:,} pieces, "
                f"{corpus.tokenizer.get_vocab_size():,} of them different; on {trainer.device}"
            )

        def step(self, trainer: Pretrainer) -> None:
            done = trainer.progress
            self.progress.show(
                "training", done, trainer.seconds / done * (1 - done) if done else 0.0
            )

        def metrics(self, metrics: Metrics) -> None:
            distilled = metrics.distillation
            self.progress.line(
                f"step {metrics.step:6}  {metrics.pieces / 1e6:8.2f} M pieces  "
                f"generator {metrics.generator:.3f}  detection {metrics.detection:.4f}  "
                f"{f'distillation {distilled:.4f}  ' if distilled else ''}"
                f"hits {100 * metrics.hits:4.1f} %  caught {100 * metrics.caught:4.1f} %  "
                f"{metrics.seconds / 60:.1f} min"
            )

        def note(self, text: str) -> None:
            note(text)

        def close(self) -> None:
            self.progress.close()

    return ProgressListener()
