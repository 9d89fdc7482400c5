"""`whorl label`: silver trees from raw text."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ConventionOption, DeviceOption, out_folder

__all__ = ["LabelInput", "label"]


class LabelInput(str, Enum):
    """What the lines of a text hold."""

    tokens = "tokens"
    tagged = "tagged"


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
    kind: Annotated[
        LabelInput,
        typer.Option(
            "--input", help="Lines of tokens, or tagged: word_TAG word_TAG, whose tags are kept."
        ),
    ] = LabelInput.tokens,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude",
            metavar="TREES",
            help="Leave out the sentences of these trees, a dev or test set; may be repeated.",
        ),
    ] = None,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Width of the beam; 1 is greedy.")] = 1,
    batch: Annotated[
        int, typer.Option("--batch", min=1, help="Sentences parsed together; fewer with a beam.")
    ] = 128,
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
        int, typer.Option("--jobs", "-j", min=1, help="Worker processes; each loads the models.")
    ] = 1,
) -> None:
    """Label raw text with a trained parser, for other parsers to learn from.

    Each file becomes a file of trees and a file of confidences. What is done is kept, so an
    interrupted command can be repeated.
    """
    from whorl.cli.progress import ProgressDisplay
    from whorl.labelling.exclusion import Exclusion
    from whorl.labelling.silver import LabelledFile, LabellingOptions, label_files
    from whorl.labelling.silver_text import SentenceChoice
    from whorl.pretraining.text import text_files

    files = [path for text in texts for path in text_files(text)]
    done = 0
    choice = SentenceChoice(
        tagged=kind is LabelInput.tagged,
        max_words=longest,
        max_lines=most,
        skipped_lines=beyond,
    )
    options = LabellingOptions(
        tuple(models), device, convention, batch=batch, beam=beam, choice=choice
    )
    exclusion = Exclusion.read(exclude or [])
    with ProgressDisplay("sentences") as progress:

        def report(file: LabelledFile) -> None:
            nonlocal done
            done += 1
            excluded = f", {file.excluded} excluded" if exclude else ""
            progress.line(
                f"{file.name}: {file.trees} trees, {file.words} words, {file.left_out} lines left "
                f"out{excluded} ({done} files of {len(files)})"
            )

        labelled = label_files(
            files,
            Path(out),
            options,
            exclusion=exclusion,
            jobs=jobs,
            on_chunk=progress.add,
            on_file=report,
        )
    excluded = f" ({sum(file.excluded for file in labelled)} excluded)" if exclude else ""
    note(
        f"{sum(file.trees for file in labelled)} trees from {len(labelled)} files in {out}"
        f"{excluded}"
    )
