"""`whorl calibrate`: fit the probabilities of phrases to held-out trees."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from whorl.cli.common import guarded, note
from whorl.cli.options import ConventionOption, ModelArgument, out_folder
from whorl.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from whorl.labelling.calibration import CalibrationQuality, JudgedPhrase

__all__ = ["calibrate"]

T = TypeVar("T")


class CalibrationBy(str, Enum):
    """Properties of phrases."""

    label = "label"
    children = "children"
    words = "words"
    probability = "probability"


_FOLDS = 10
_HEADER = ["trees", "phrases", "right", "expected", "error", "Brier", "AUC"]


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
    by: Annotated[
        CalibrationBy | None,
        typer.Option(
            "--by", help="Break the calibrated figures down by this property of the phrases."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Fit the probabilities of phrases to trees, save them with the model, and measure them.

    Without --test, the figures come from 10-fold cross-validation: each tree is measured with
    weights fitted to the others. The weights that are saved are fitted to all trees. A model of an
    installed package needs --out.
    """
    import json

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
    measured: list[tuple[str, str, CalibrationQuality]] = []
    for path, judged in files:
        phrases = _join(judged)
        calibrated = _join([next(probabilities) for _ in judged])
        measured += [
            (path, name, calibration.measure(values, phrases))
            for name, values in (
                ("reduce alone", calibration.uncalibrated(phrases)),
                ("calibrated", calibrated),
            )
        ]
        if by is not None:
            groups = calibration.measure_by(by.value, calibrated, phrases)
            measured += [(path, f"{by.value} {name}", q) for name, q in groups.items()]
    target = calibration.save_calibration(folder, weights, None if out is None else Path(out))
    if as_json:
        entries = [{"trees": p, "probabilities": n, **q.to_dict()} for p, n, q in measured]
        print(json.dumps(entries, ensure_ascii=False, indent=1))
    else:
        show_table("Probabilities of phrases", _HEADER, [_row(*entry) for entry in measured])
    note(f"calibration saved in {target}")


def _row(path: str, name: str, quality: CalibrationQuality) -> list[str]:
    q = quality
    figures = (q.right, q.expected, q.error, q.brier, q.auc)
    return [
        f"{path}, {name}",
        str(q.phrases),
        *("-" if figure is None else f"{figure:.4f}" for figure in figures),
    ]


def _join(lists: Sequence[list[T]]) -> list[T]:
    return [item for each in lists for item in each]
