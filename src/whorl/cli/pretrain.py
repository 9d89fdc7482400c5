"""`whorl pretrain`: an encoder from raw text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.errors import RecipeError

if TYPE_CHECKING:
    from whorl.pretraining.corpus import Corpus
    from whorl.pretraining.loop import Pretrainer, Window
    from whorl.pretraining.run import Listener

__all__ = ["pretrain"]


@guarded
def pretrain(
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="[TEXT]", help="A folder of raw text: .txt, .gz, .xz; or one such file."
        ),
    ] = None,
    *,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="The encoder folder to write.")
    ],
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
        float | None, typer.Option("--minutes", help="Train for so long; the schedule fits.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", help="Or until so many word pieces were seen.")
    ] = None,
    rows: Annotated[
        int | None, typer.Option("--rows", help="Rows of text in a step; fewer need less memory.")
    ] = None,
    cache: Annotated[
        str | None, typer.Option("--cache", help="Keep vocabulary and ids here for other runs.")
    ] = None,
    device: Annotated[str | None, typer.Option("--device", help="auto, cpu or cuda.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of all randomness.")] = None,
    int8: Annotated[
        bool, typer.Option("--int8", help="Save the weights in 8 bits: a quarter of the size.")
    ] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Override any key of the recipe."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run.")
    ] = False,
) -> None:
    """Pretrain a transformer encoder on raw text of any language, into an encoder folder.

    Pieces of words are learned first, then the encoder itself, by telling which pieces of a text a
    small generator has replaced. A GPU makes a strong one in half an hour; without one, keep it
    tiny. The folder also gets a card, `metrics.jsonl`, a loss curve, and checkpoints, from which
    --resume goes on.
    """
    from whorl.pretraining.recipe import PretrainingRecipe
    from whorl.pretraining.run import pretrain as run

    if minutes is not None and tokens is not None:
        raise RecipeError("--minutes and --tokens are two ways to say how long: give one of them")
    flags = {
        "data.text": text,
        "data.vocabulary": vocabulary,
        "data.cache": cache,
        "model.layers": layers,
        "model.width": width,
        "training.minutes": minutes,
        "training.tokens": 0 if minutes is not None else tokens,
        "training.rows": rows,
        "training.device": device,
        "training.seed": seed,
        "training.precision": "int8" if int8 else None,
    }
    chosen = PretrainingRecipe.chosen(recipe, flags, settings)
    listener = _listener()
    try:
        outcome = run(chosen, out, resume=resume, listener=listener)
    finally:
        listener.close()
    last = outcome.last
    ended = "" if outcome.finished else ", before the end of its schedule"
    note(
        f"{last.pieces:,} pieces seen in {last.seconds / 60:.1f} min{ended}; generator {last.generator:.3f}, "
        f"detection {last.detection:.4f}; encoder in {out}"
    )


def _listener() -> Listener:
    """Shows progress: bars on a terminal, and a line every so many steps."""
    from whorl.cli.progress import ProgressDisplay
    from whorl.pretraining.run import Listener

    class Shown(Listener):
        def __init__(self) -> None:
            self.bars = ProgressDisplay()

        def preparing(self, what: str, done: int, total: int) -> None:
            self.bars.show(what, done / max(1, total))

        def begun(self, corpus: Corpus, trainer: Pretrainer) -> None:
            of = corpus.summary
            note(
                f"{of['files']} files, {of['sentences']:,} sentences, {of['words']:,} words, {of['pieces']:,} pieces, "
                f"{corpus.tokenizer.get_vocab_size():,} of them different; on {trainer.device}"
            )

        def step(self, trainer: Pretrainer) -> None:
            done = trainer.progress
            self.bars.show("training", done, trainer.seconds / done * (1 - done) if done else 0.0)

        def window(self, window: Window) -> None:
            self.bars.line(
                f"step {window.step:6}  {window.pieces / 1e6:8.2f} M pieces  generator {window.generator:.3f}  "
                f"detection {window.detection:.4f}  hits {100 * window.hits:4.1f} %  "
                f"caught {100 * window.caught:4.1f} %  {window.seconds / 60:.1f} min"
            )

        def note(self, text: str) -> None:
            note(text)

        def close(self) -> None:
            self.bars.close()

    return Shown()
