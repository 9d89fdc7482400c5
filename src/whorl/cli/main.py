"""The `whorl` command: one file per subcommand, heavy imports inside functions."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from whorl.cli import text, treebank
from whorl.cli.bench import bench
from whorl.cli.calibrate import calibrate
from whorl.cli.common import guarded
from whorl.cli.complexity import complexity
from whorl.cli.corpus import corpus
from whorl.cli.draw import draw
from whorl.cli.evaluate import evaluate
from whorl.cli.export import export
from whorl.cli.label import label
from whorl.cli.models import models
from whorl.cli.package import package
from whorl.cli.parse import parse
from whorl.cli.pretrain import pretrain
from whorl.cli.reproduce import reproduce
from whorl.cli.search import search
from whorl.cli.streams import prepare_streams
from whorl.cli.train import train
from whorl.cli.transitions import transitions
from whorl.cli.vectors import vectors

__all__ = ["app", "main"]

app = typer.Typer(
    name="whorl",
    help="A constituency parser: text in, phrase-structure trees out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(requested: bool) -> None:
    if requested:
        from whorl import __version__

        print(f"whorl {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """A constituency parser: text in, phrase-structure trees out."""


app.command("evaluate")(guarded(evaluate))
app.command("draw")(draw)
app.command("train")(train)
app.command("pretrain")(pretrain)
app.command("vectors")(vectors)
app.command("label")(label)
app.command("parse")(parse)
app.command("search")(search)
app.command("complexity")(complexity)
app.command("corpus")(corpus)
app.command("models")(models)
app.command("bench")(bench)
app.command("export")(export)
app.command("calibrate")(calibrate)
app.command("package")(package)
app.command("reproduce")(reproduce)
app.command("transitions")(transitions)
app.add_typer(treebank.app, name="treebank")
app.add_typer(text.app, name="text")


def _exit_on_signal(number: int, _: object) -> None:
    """Exit as on an error, so that unfinished files are removed."""
    sys.exit(128 + number)


@guarded
def _run() -> None:
    try:
        app()
    except SystemExit as ending:
        if ending.code:
            raise


def main() -> None:
    """Run the command line."""
    prepare_streams()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _exit_on_signal)
    try:
        _run()
    except typer.Exit as ending:
        sys.exit(ending.exit_code)
