"""`whorl calibrate`: fit the probabilities of phrases to held-out trees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ConventionOption, ModelArgument, out_folder
from whorl.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from whorl.labelling.calibration import JudgedPhrase

__all__ = ["calibrate"]

T = TypeVar("T")

_FOLDS = 10
_HEADER = ["trees", "phrases", "right", "expected", "error", "Brier"]


@guarded
def calibrate(
    model: ModelArgument,
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
            "--test", metavar="TREES", help="Measure on these trees instead; may be repeated."
        ),
    ] = None,
    convention: ConventionOption = None,
    out: Annotated[
        str | None,
        out_folder("Write a calibrated copy of the model here, and leave the model as it is."),
    ] = None,
) -> None:
    """Fit the probabilities of phrases to trees, save them with the model, and measure them.

    Without --test, the figures come from 10-fold cross-validation: each tree is measured with
    weights fitted to the others. The weights that are saved are fitted to all trees. A model of an
    installed package needs --out.
    """
    from whorl.catalogue import find_model, is_packaged
    from whorl.cli.tables import show_table
    from whorl.labelling import calibration
    from whorl.trees import read_treebank

    folder = find_model(model)
    if out is None and is_packaged(folder):
        raise ModelError(
            f"{model} belongs to an installed package: give --out DIR for a calibrated copy of it"
        )
    engine = calibration.load_calibration_engine(folder, convention)

    def judge(path: str) -> list[list[JudgedPhrase]]:
        judged = calibration.judge_phrases(engine, list(read_treebank(path)))
        return [phrases for phrases in judged if phrases]

    files = [(path, judge(path)) for path in trees]
    fitted_to = [phrases for _, judged in files for phrases in judged]
    weights = calibration.fit(_join(fitted_to))
    probabilities: Iterator[list[float]]
    if test is not None:
        files = [(path, judge(path)) for path in test]
        probabilities = iter(
            calibration.calibrated(weights, phrases) for _, judged in files for phrases in judged
        )
    elif len(fitted_to) > 1:
        folds = min(_FOLDS, len(fitted_to))
        note(f"no --test: the calibrated figures are from {folds}-fold cross-validation")
        probabilities = iter(calibration.cross_validated(fitted_to, folds))
    else:
        note("no --test, and a single tree: the figures are on the tree that was fitted to")
        probabilities = iter([calibration.calibrated(weights, fitted_to[0])])
    rows = []
    for path, judged in files:
        phrases = _join(judged)
        calibrated = _join([next(probabilities) for _ in judged])
        for name, values in (
            ("reduce alone", calibration.uncalibrated(phrases)),
            ("calibrated", calibrated),
        ):
            q = calibration.measure(values, phrases)
            figures = (f"{value:.4f}" for value in (q.right, q.expected, q.error, q.brier))
            rows.append([f"{path}, {name}", str(q.phrases), *figures])
    target = calibration.save_calibration(folder, weights, None if out is None else Path(out))
    show_table("Probabilities of phrases", _HEADER, rows)
    note(f"calibration saved in {target}")


def _join(lists: Sequence[list[T]]) -> list[T]:
    return [item for each in lists for item in each]
