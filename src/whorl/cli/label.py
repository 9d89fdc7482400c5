"""`whorl label`: silver trees from raw text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from whorl.cli.common import guarded, note

__all__ = ["label"]


@guarded
def label(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...",
            help="Files of tokenised sentences, one a line: .txt, .gz, .xz; or folders.",
        ),
    ],
    *,
    models: Annotated[
        list[str],
        typer.Option(
            "--model", metavar="DIR", help="A model folder; several of one recipe are averaged."
        ),
    ],
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="DIR", help="The folder for trees and confidences."),
    ],
    convention: Annotated[
        str | None, typer.Option("--convention", help="The treebank whose convention to follow.")
    ] = None,
    device: Annotated[str, typer.Option("--device", help="cpu or cuda.")] = "cpu",
    batch: Annotated[int, typer.Option("--batch", min=1, help="Sentences parsed at once.")] = 128,
    longest: Annotated[
        int, typer.Option("--longest", min=1, help="Longer sentences stay out, in words.")
    ] = 100,
    most: Annotated[
        int, typer.Option("--most", min=0, help="Lines of each file, spread over it; 0: all.")
    ] = 0,
    beyond: Annotated[
        int,
        typer.Option(
            "--beyond", min=0, help="Leave out the lines that --most takes with this number."
        ),
    ] = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Files labelled side by side.")] = 1,
) -> None:
    """Label raw text with a trained parser, for other parsers to learn from.

    Each file gives trees and a confidence for each. What is done is not done again: an interrupted
    command can be repeated.
    """
    from whorl.labelling.silver import Labelled, Labelling
    from whorl.labelling.silver import label as run
    from whorl.pretraining.text import text_files

    files = [path for text in texts for path in text_files(text)]
    said = 0

    def tell(done: Labelled) -> None:
        nonlocal said
        said += 1
        print(
            f"{done.name}: {done.trees} trees, {done.words} words, {done.left_out} lines left out "
            f"({said} files of {len(files)})",
            file=sys.stderr,
            flush=True,
        )

    labelling = Labelling(
        tuple(models), device, convention, batch, longest=longest, most=most, beyond=beyond
    )
    found = run(files, Path(out), labelling, jobs=jobs, on_file=tell)
    note(f"{sum(one.trees for one in found)} trees from {len(found)} files in {out}")
