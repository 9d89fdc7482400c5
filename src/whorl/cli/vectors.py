"""`whorl vectors`: word vectors from text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ConventionOption

__all__ = ["vectors"]


@guarded
def vectors(
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...", help="Files of text: .txt, .gz, .xz; or folders with such files."
        ),
    ],
    *,
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="FILE", help="The file to write; .gz compresses it."),
    ],
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="NAME|DIR",
            help="Cut raw text as this model does. By default, text whose punctuation stands "
            "between spaces is tokenised, a sentence per line; other text is cut by simple rules.",
        ),
    ] = None,
    convention: ConventionOption = None,
    dimension: Annotated[
        int, typer.Option("--dimension", min=2, help="The length of a vector.")
    ] = 100,
    window: Annotated[
        int, typer.Option("--window", min=1, help="Neighbours of a word, on either side.")
    ] = 2,
    least: Annotated[
        int, typer.Option("--least", min=1, help="How often a word must occur to get a vector.")
    ] = 3,
    most: Annotated[
        int, typer.Option("--most", min=1, help="Words with a vector, the most frequent.")
    ] = 200_000,
    contexts: Annotated[
        int,
        typer.Option(
            "--contexts", min=1, help="Words that count as neighbours, the most frequent."
        ),
    ] = 8_000,
) -> None:
    """Learn word vectors from text, for `whorl train --vectors`.

    Words get similar vectors if they have the same neighbours in the same places. A few million
    words take half a minute, without a GPU. The file has word2vec's text format.
    """
    from whorl.cli.progress import ProgressDisplay
    from whorl.pretraining.text import sentences, text_files, text_lines
    from whorl.pretraining.word_vectors import VectorSettings, learn_vectors

    files = [file for text in texts for file in text_files(text)]
    settings = VectorSettings(
        dimension=dimension, window=window, least=least, most=most, contexts=contexts
    )
    if model is not None:
        from whorl.catalogue import find_model
        from whorl.tokenisers.folder import find_tokeniser

        tokeniser = find_tokeniser(find_model(model), convention)

    def read() -> Iterator[Sequence[str]]:
        for file in files:
            if model is None:
                yield from (sentence.split() for sentence in sentences(file))
            else:
                lines = (f"{line}\n" for line in text_lines(file))
                for sentence in tokeniser.iter_sentences(lines, newline="paragraph"):
                    yield sentence.words

    with ProgressDisplay() as display:
        learnt = learn_vectors(
            read, settings, on_progress=lambda stage, done: display.show(stage, done or None)
        )
    learnt.write(Path(out))
    note(f"{len(learnt.words):,} vectors of {dimension} numbers in {out}")
