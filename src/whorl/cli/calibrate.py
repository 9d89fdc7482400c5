"""`whorl calibrate`: probabilities that agree with how often phrases are right."""

from __future__ import annotations

from typing import Annotated

import typer

from whorl.cli.common import guarded

__all__ = ["calibrate"]


@guarded
def calibrate(
    model: Annotated[
        str, typer.Argument(metavar="DIR", help="The folder of a model with the span network.")
    ],
    trees: Annotated[
        list[str],
        typer.Argument(
            metavar="TREES...", help="Trees that the model was not trained on: its dev set."
        ),
    ],
    *,
    test: Annotated[
        list[str] | None,
        typer.Option(
            "--test", metavar="TREES", help="Other trees, to measure on; may be repeated."
        ),
    ] = None,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention", metavar="TREEBANK", help="Which of its treebanks the model follows."
        ),
    ] = None,
) -> None:
    """Fit the probabilities of phrases to trees, keep that in the model folder, and print how good they are."""
    from pathlib import Path

    from whorl.cli.tables import show_table
    from whorl.labelling import calibration
    from whorl.model_folder.description import read_description
    from whorl.span.engine import load_engine
    from whorl.trees import read_treebank

    gold = [tree for path in trees for tree in read_treebank(path)]
    fitted = calibration.calibrate(model, gold, convention=convention)
    network = load_engine(model, read_description(Path(model), "span"), "cpu", convention)
    rows = []
    for path in test or trees:
        found = calibration.cases(network, list(read_treebank(path)))
        for name, weights in (("reduce alone", None), ("calibrated", fitted)):
            q = calibration.measure(weights, found)
            figures = (f"{value:.4f}" for value in (q.right, q.expected, q.error, q.brier))
            rows.append([f"{path}, {name}", str(q.phrases), *figures])
    header = ["trees", "phrases", "right", "expected", "error", "Brier"]
    show_table("Probabilities of phrases", header, rows)
