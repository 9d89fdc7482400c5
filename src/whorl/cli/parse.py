"""`whorl parse`: trees for text."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from whorl.cli.choices import Errors, Format, Hyphens, Input, Newline
from whorl.cli.common import guarded
from whorl.cli.options import (
    BatchOption,
    ConventionOption,
    DeviceOption,
    ModelOption,
    TokensOption,
)
from whorl.errors import TextError

__all__ = ["parse"]


@guarded
def parse(
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT|FILE|-]...",
            help="A text, or files; standard input without any, and for -.",
        ),
    ] = None,
    *,
    model: ModelOption = None,
    form: Annotated[
        Format, typer.Option("--format", "-f", help="What to write.")
    ] = Format.brackets,
    tokens: TokensOption = False,
    kind: Annotated[
        Input | None,
        typer.Option(
            "--input",
            help="Text, or lines of words (as --tokens), of word_TAG, or trees to be parsed anew.",
        ),
    ] = None,
    nbest: Annotated[
        int | None, typer.Option("--nbest", min=1, help="The best so many trees of each sentence.")
    ] = None,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Width of the beam; 1 is greedy.")] = 1,
    batch: BatchOption = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that parse.")] = 1,
    newline: Annotated[
        Newline,
        typer.Option(
            "--newline", help="Text: a line break is a space, or ends a paragraph or a sentence."
        ),
    ] = Newline.space,
    hyphens: Annotated[
        Hyphens, typer.Option("--hyphens", help="Text: hyphenated words stay whole or are cut.")
    ] = (Hyphens.keep),
    errors: Annotated[
        Errors,
        typer.Option(
            "--errors", help="A byte that is not UTF-8 is read as U+FFFD, or ends it all."
        ),
    ] = Errors.forgiving,
    convention: ConventionOption = None,
    device: DeviceOption = "cpu",
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="PATH", help="A file, or for SVG a folder; else standard output."
        ),
    ] = "-",
) -> None:
    """Parse text, or sentences that are tokenised already."""
    from whorl.cli.inputs import reading
    from whorl.cli.outputs import open_writer
    from whorl.cli.parsing import parse_all
    from whorl.cli.progress import ProgressDisplay
    from whorl.cli.sources import find_sources

    if tokens and kind not in (None, Input.tokens):
        raise TextError(f"--tokens and --input {kind.value} contradict each other")
    sources = find_sources(given or [], strict=errors is Errors.strict)
    read = reading(
        Input.tokens if tokens else kind or Input.text, newline=newline.value, hyphens=hyphens.value
    )
    from whorl.parser import load
    from whorl.shipped import DEFAULT

    parser = load(model or DEFAULT, device=device, convention=convention)
    shown = out != "-" or not sys.stdout.isatty()
    with (
        open_writer(form, out, several=nbest is not None, named=len(sources) > 1) as writer,
        ProgressDisplay("sentences", shown=shown) as progress,
    ):
        together = batch or parser.batch_size
        parse_all(
            parser,
            sources,
            read,
            writer,
            progress,
            batch=together,
            beam=beam,
            n_best=nbest or 1,
            jobs=jobs,
        )
