"""Calibration: making the probabilities of phrases agree with how often such phrases are right.

A logistic regression on what the steps of a parse say about each phrase (`whorl.engine.evidence`),
fitted on trees that the model was not trained on, by Newton's method.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.engine import Calibration, Parse
from whorl.engine.calibration import features
from whorl.engine.evidence import Evidence, gather
from whorl.engine.protocol import Engine
from whorl.errors import ModelError
from whorl.files import write_json
from whorl.model_folder.description import read_description
from whorl.parser.batching import parse_batched
from whorl.span.engine import load_engine
from whorl.trees import Tree, strip_root

__all__ = ["Case", "Quality", "calibrate", "cases", "fit", "measure"]

_BINS = 10
_RIDGE = 1e-3  # keeps weights finite where all phrases are right
_ROUNDS = 50

_Doubles = npt.NDArray[np.float64]


class Case(NamedTuple):
    """A phrase that was built: what is known of it, and whether the gold tree has it."""

    evidence: Evidence
    right: bool


@dataclass(frozen=True, slots=True)
class Quality:
    """How well probabilities agree with what came true."""

    phrases: int
    right: float
    """The part of the phrases that are right."""
    expected: float
    """The mean of their probabilities."""
    error: float
    """The expected calibration error: the mean distance of the two in ten bins of probabilities of one width."""
    brier: float
    """The mean squared distance of a probability from 1 where the phrase is right, else from 0."""


def calibrate(
    folder: str | Path, gold: Sequence[Tree], *, convention: str | None = None
) -> Calibration:
    """Fit a model's calibration to trees that it was not trained on, and keep it in the folder's description."""
    folder = Path(folder)
    saved = read_description(folder, "span")
    calibration = fit(cases(load_engine(folder, saved, "cpu", convention), gold))
    write_json(folder / "model.json", {**saved, "calibration": calibration.to_dict()})
    return calibration


def cases(engine: Engine, gold: Sequence[Tree]) -> list[Case]:
    """The phrases that a network builds over the words of some trees."""
    parses = parse_batched(engine, [tree.words() for tree in gold], batch_size=64, beam=1, n_best=1)
    return [
        case for tree, (best, *_) in zip(gold, parses, strict=True) for case in _judged(best, tree)
    ]


def fit(found: Sequence[Case]) -> Calibration:
    """The weights that make what came true most probable."""
    if not found:
        raise ModelError("there is nothing to calibrate on: no trees, or a model that builds none")
    table: _Doubles = np.array(
        [(*features(case.evidence), 1.0) for case in found]
    )  # (phrases, weights)
    right: _Doubles = np.array([case.right for case in found], dtype=np.float64)
    weights = np.zeros(table.shape[1])
    for _ in range(_ROUNDS):
        expected = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (expected - right) + _RIDGE * weights
        bend = (table.T * (expected * (1 - expected))) @ table + _RIDGE * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights -= np.clip(step, -5, 5)
        if np.abs(step).max() < 1e-9:
            break
    return Calibration(*(round(float(weight), 6) for weight in weights))


def measure(calibration: Calibration | None, found: Sequence[Case]) -> Quality:
    """How good the probabilities of a calibration are, or without one those of the reduces."""
    if calibration is None:
        given = [math.exp(case.evidence.step) for case in found]
    else:
        given = [calibration.probability(case.evidence) for case in found]
    expected, right = np.array(given), np.array([case.right for case in found], dtype=np.float64)
    bins = np.minimum((expected * _BINS).astype(np.int64), _BINS - 1)
    distance = np.abs(np.bincount(bins, expected - right, minlength=_BINS)).sum()
    return Quality(
        phrases=len(found),
        right=float(right.mean()),
        expected=float(expected.mean()),
        error=float(distance / len(found)),
        brier=float(((expected - right) ** 2).mean()),
    )


def _judged(parse: Parse, gold: Tree) -> list[Case]:
    """The phrases of a tree, each right if the gold tree has one more of its label and span."""
    there = Counter(strip_root(gold).spans())
    found = []
    for node, evidence in zip(
        parse.tree.phrases(), gather(parse.tree, parse.steps or ()), strict=True
    ):
        if evidence is not None:
            right = there[node.span] > 0
            there[node.span] -= right
            found.append(Case(evidence, right))
    return found
