"""`whorl label`: silver trees from raw text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ConventionOption, DeviceOption, out_folder

__all__ = ["label"]


@guarded
def label(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...",
            help="Files of tokenised sentences, one per line: .txt, .gz, .xz; or folders.",
        ),
    ],
    *,
    models: Annotated[
        list[str],
        typer.Option(
            "--model",
            "-m",
            metavar="NAME|DIR",
            help="A model; repeat it to average models of one recipe.",
        ),
    ],
    out: Annotated[
        str,
        out_folder("The folder for trees and confidences."),
    ],
    convention: ConventionOption = None,
    device: DeviceOption = "cpu",
    batch: Annotated[int, typer.Option("--batch", min=1, help="Sentences parsed together.")] = 128,
    longest: Annotated[
        int, typer.Option("--longest", min=1, help="Leave out sentences of more words.")
    ] = 100,
    most: Annotated[
        int,
        typer.Option(
            "--most", min=0, help="Take this many lines of each file, spread over it; 0 takes all."
        ),
    ] = 0,
    beyond: Annotated[
        int,
        typer.Option(
            "--beyond", min=0, help="Leave out the lines that --most takes with this number."
        ),
    ] = 0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Worker processes, one file each.")
    ] = 1,
) -> None:
    """Label raw text with a trained parser, for other parsers to learn from.

    Each file becomes a file of trees and a file of confidences. Files that are done are skipped, so
    an interrupted command can be repeated.
    """
    from whorl.cli.progress import ProgressDisplay
    from whorl.labelling.silver import LabelledFile, LabellingOptions, label_files
    from whorl.pretraining.text import text_files

    files = [path for text in texts for path in text_files(text)]
    done = 0
    options = LabellingOptions(
        tuple(models),
        device,
        convention,
        batch,
        max_words=longest,
        max_lines=most,
        skipped_lines=beyond,
    )
    with ProgressDisplay() as progress:

        def report(file: LabelledFile) -> None:
            nonlocal done
            done += 1
            print(
                f"{file.name}: {file.trees} trees, {file.words} words, {file.left_out} lines left "
                f"out ({done} files of {len(files)})",
                file=sys.stderr,
                flush=True,
            )
            progress.show("labelling", done / len(files), detail=f"{done} of {len(files)}")

        labelled = label_files(files, Path(out), options, jobs=jobs, on_file=report)
    note(f"{sum(file.trees for file in labelled)} trees from {len(labelled)} files in {out}")
