"""`whorl parse`: trees for text.

Annotations are evaluated here, not postponed: Typer would evaluate them one by one, which is slow.
"""

import sys
from typing import Annotated

import typer

from whorl.cli.choices import Errors, Input, Newline, format_option
from whorl.cli.common import guarded, terminal_width
from whorl.cli.options import (
    BatchOption,
    ConventionOption,
    DeviceOption,
    HyphensOption,
    JobsOption,
    ModelOption,
    NewlineOption,
    TokensOption,
)
from whorl.errors import TextError
from whorl.formats import all_formats, get_format

__all__ = ["parse"]


@guarded
def parse(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT|FILE|-]...",
            help="A text, or files; - is standard input, which is also the default.",
        ),
    ] = None,
    *,
    model: ModelOption = None,
    format_name: Annotated[str, format_option([*all_formats()])] = "brackets",
    tokens: TokensOption = False,
    kind: Annotated[
        Input | None,
        typer.Option(
            "--input",
            help="Text; lines of words (same as --tokens), of word_TAG, or of JSON; or trees.",
        ),
    ] = None,
    constraints: Annotated[
        str | None,
        typer.Option(
            "--constraints",
            metavar="FILE",
            help="JSON lines: what the trees of each sentence must have, beside --tokens.",
        ),
    ] = None,
    nbest: Annotated[
        int | None,
        typer.Option("--nbest", min=1, max=1000, help="Write this many trees of each sentence."),
    ] = None,
    probabilities: Annotated[
        bool,
        typer.Option(
            "--probabilities",
            help="Drawings: dash uncertain phrases and show how probable they are.",
        ),
    ] = False,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Beam width; 1 is greedy.")] = 1,
    batch: BatchOption = None,
    jobs: JobsOption = 1,
    newline: NewlineOption = Newline.space,
    hyphens: HyphensOption = None,
    errors: Annotated[
        Errors,
        typer.Option(
            "--errors", help="Replace a byte that is not UTF-8 by U+FFFD, or stop with an error."
        ),
    ] = Errors.replacing,
    convention: ConventionOption = None,
    device: DeviceOption = "cpu",
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            metavar="PATH",
            help="A file, or for SVG a folder; standard output by default.",
        ),
    ] = "-",
) -> None:
    """Parse text, or sentences that are already tokenised."""
    from whorl.catalogue import DEFAULT
    from whorl.cli.constraints import with_constraints
    from whorl.cli.inputs import sentence_reader
    from whorl.cli.outputs import open_writer
    from whorl.cli.parsing import parse_sources
    from whorl.cli.progress import ProgressDisplay
    from whorl.cli.sources import find_sources
    from whorl.parser import load

    if tokens and kind not in (None, Input.tokens):
        raise TextError(f"--tokens and --input {kind.value} contradict each other")
    kind = Input.tokens if tokens else kind or Input.text
    if probabilities and not get_format(format_name).marks_uncertain:
        drawings = [name for name, form in all_formats().items() if form.marks_uncertain]
        raise typer.BadParameter(
            f"--probabilities is for the formats {' and '.join(drawings)}, not for {format_name}."
        )
    sources = find_sources(inputs or [], strict=errors is Errors.strict)
    parser = load(model or DEFAULT, device=device, convention=convention)
    reader = sentence_reader(
        kind,
        parser.tokeniser,
        newline=newline.value,
        hyphens=None if hyphens is None else hyphens.value,
    )
    if constraints is not None:
        reader = with_constraints(reader, kind, sources, constraints)
    output_format = get_format(format_name)(
        n_best=nbest is not None,
        several_sources=len(sources) > 1,
        width=terminal_width(out),
        probabilities=probabilities,
    )
    show_progress = out != "-" or not sys.stdout.isatty()
    with (
        open_writer(output_format, out) as writer,
        ProgressDisplay("sentences", shown=show_progress) as progress,
    ):
        parse_sources(
            parser,
            sources,
            reader,
            writer,
            progress,
            batch_size=batch or parser.batch_size,
            beam=beam,
            n_best=nbest or 1,
            jobs=jobs,
        )
