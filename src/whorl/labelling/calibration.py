"""Calibration: probabilities of phrases that agree with how often the phrases are right.

A logistic regression on the evidence for each phrase (`whorl.engine.evidence`), fitted by Newton's
method to trees that the model was not trained on.
"""

from __future__ import annotations

import math
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whorl.engine import Calibration, Parse
from whorl.engine.calibration import FEATURES, features
from whorl.engine.evidence import Evidence, gather_evidence
from whorl.engine.protocol import Engine
from whorl.errors import ModelError
from whorl.files import replace_atomically, write_json
from whorl.model_folder.description import MODEL_JSON, UNNAMED, file_names, read_description
from whorl.parser.batching import parse_batched
from whorl.span.engine import load_engine
from whorl.trees import Tree, strip_root

__all__ = [
    "GROUPS",
    "CalibrationQuality",
    "JudgedPhrase",
    "calibrated",
    "cross_validated",
    "fit",
    "judge_phrases",
    "load_calibration_engine",
    "measure",
    "measure_by",
    "save_calibration",
    "uncalibrated",
]

GROUPS = ("label", "children", "words", "probability")
"""What `measure_by` can break the figures down by."""

_BINS = 10
_RIDGE = 1e-3  # keeps weights finite where all phrases are right
_ITERATIONS = 50

_Doubles = npt.NDArray[np.float64]


class JudgedPhrase(NamedTuple):
    """The evidence for a phrase of a parsed tree, whether the gold tree has it, and its label."""

    evidence: Evidence
    right: bool
    label: str = ""


@dataclass(frozen=True, slots=True)
class CalibrationQuality:
    """How well probabilities agree with the outcomes."""

    phrases: int
    right: float
    """The fraction of the phrases that are right."""
    expected: float
    """The mean of their probabilities."""
    error: float
    """The expected calibration error, over ten bins of equal width."""
    brier: float
    """The Brier score: the mean squared difference of probability and outcome."""
    auc: float | None
    """The area under the ROC curve: how often a right phrase has a higher probability than a wrong
    one, equal ones counted half. None if all phrases are right, or all wrong."""

    def to_dict(self) -> dict[str, float | int | None]:
        """Return the figures as JSON values."""
        return asdict(self)


def load_calibration_engine(folder: Path, convention: str | None = None) -> Engine:
    """Load the model that is to be calibrated, on the CPU."""
    engine = load_engine(folder, read_description(folder, "span"), "cpu", convention)
    engine.keeps_arities = True
    return engine


def judge_phrases(engine: Engine, gold: Sequence[Tree]) -> list[list[JudgedPhrase]]:
    """Parse the words of each gold tree, and judge the phrases of the result by it."""
    parses = parse_batched(engine, [tree.words() for tree in gold], batch_size=64, beam=1, n_best=1)
    return [_judge(best, tree) for tree, (best, *_) in zip(gold, parses, strict=True)]


def fit(phrases: Sequence[JudgedPhrase]) -> Calibration:
    """Return the weights under which the outcomes are most probable."""
    if not phrases:
        raise ModelError("nothing to calibrate on: there are no trees, or none has a phrase")
    table: _Doubles = np.array(
        [(*features(phrase.evidence), 1.0) for phrase in phrases]
    )  # (phrases, weights)
    right = _outcomes(phrases)
    weights = np.zeros(table.shape[1])
    for _ in range(_ITERATIONS):
        expected = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        gradient = table.T @ (expected - right) + _RIDGE * weights
        hessian = (table.T * (expected * (1 - expected))) @ table + _RIDGE * np.eye(len(weights))
        step = np.linalg.solve(hessian, gradient)
        # Where few phrases are nearly separable, a full step may overshoot.
        loss = _loss(table, right, weights)
        while np.abs(step).max() >= 1e-9 and _loss(table, right, weights - step) > loss:
            step /= 2
        if np.abs(step).max() < 1e-9:
            break
        weights -= step
    *weighed, bias = (round(float(weight), 6) for weight in weights)
    return Calibration(**dict(zip(FEATURES, weighed, strict=True)), bias=bias)


def _loss(table: _Doubles, right: _Doubles, weights: _Doubles) -> float:
    """Return the negative log-likelihood of the outcomes, with the penalty on large weights."""
    logits = table @ weights
    likelihood = np.logaddexp(0, np.where(right > 0, -logits, logits)).sum()
    return float(likelihood + _RIDGE / 2 * weights @ weights)


def uncalibrated(phrases: Iterable[JudgedPhrase]) -> list[float]:
    """Return the probability of the reduce that built each phrase."""
    return [math.exp(phrase.evidence.step) for phrase in phrases]


def calibrated(calibration: Calibration, phrases: Iterable[JudgedPhrase]) -> list[float]:
    """Return the calibrated probability of each phrase."""
    return [calibration.probability(phrase.evidence) for phrase in phrases]


def cross_validated(trees: Sequence[Sequence[JudgedPhrase]], folds: int) -> list[list[float]]:
    """Return calibrated probabilities of the phrases of each tree, fitted to the other folds."""
    probabilities: list[list[float]] = [[] for _ in trees]
    for fold in range(folds):
        others = [p for i, tree in enumerate(trees) if i % folds != fold for p in tree]
        calibration = fit(others)
        for index in range(fold, len(trees), folds):
            probabilities[index] = calibrated(calibration, trees[index])
    return probabilities


def measure(probabilities: Sequence[float], phrases: Sequence[JudgedPhrase]) -> CalibrationQuality:
    """Compare probabilities with outcomes."""
    expected, right = np.array(probabilities), _outcomes(phrases)
    bins = np.minimum((expected * _BINS).astype(np.int64), _BINS - 1)
    distance = np.abs(np.bincount(bins, expected - right, minlength=_BINS)).sum()
    return CalibrationQuality(
        phrases=len(phrases),
        right=float(right.mean()),
        expected=float(expected.mean()),
        error=float(distance / len(phrases)),
        brier=float(((expected - right) ** 2).mean()),
        auc=_area_under_curve(expected, right),
    )


def measure_by(
    key: str, probabilities: Sequence[float], phrases: Sequence[JudgedPhrase]
) -> dict[str, CalibrationQuality]:
    """Compare probabilities with outcomes by one of `GROUPS`; labels by falling frequency."""
    frequency = Counter(phrase.label for phrase in phrases)

    def group(probability: float, phrase: JudgedPhrase) -> tuple[float, str]:
        """Return the place of a phrase's group, and its name."""
        if key == "label":
            return -frequency[phrase.label], phrase.label
        if key == "children":
            return phrase.evidence.children, str(phrase.evidence.children)
        if key == "words":
            low = 1 << phrase.evidence.words.bit_length() - 1  # 1, 2-3, 4-7, 8-15, ...
            return low, "1" if low == 1 else f"{low}-{2 * low - 1}"
        place = min(int(probability * _BINS), _BINS - 1)
        return place, f"{place / _BINS:.1f}-{(place + 1) / _BINS:.1f}"

    groups: dict[tuple[float, str], list[int]] = {}
    for index, pair in enumerate(zip(probabilities, phrases, strict=True)):
        groups.setdefault(group(*pair), []).append(index)
    return {
        name: measure([probabilities[i] for i in members], [phrases[i] for i in members])
        for (_, name), members in sorted(groups.items())
    }


def _area_under_curve(expected: _Doubles, right: _Doubles) -> float | None:
    """Return the share of pairs of a right and a wrong phrase that are ranked correctly."""
    _, rank = np.unique(expected, return_inverse=True)
    ours, theirs = np.bincount(rank, right), np.bincount(rank, 1 - right)  # right, wrong by rank
    pairs = ours.sum() * theirs.sum()
    below = np.cumsum(theirs) - theirs
    return float((ours * (below + theirs / 2)).sum() / pairs) if pairs else None


def save_calibration(folder: Path, calibration: Calibration, out: Path | None = None) -> Path:
    """Write a calibration to a model's description, or to that of a copy in another folder."""
    saved = read_description(folder, "span")
    target = out or folder
    if target.resolve() != folder.resolve():
        target.mkdir(parents=True, exist_ok=True)
        for name in (*file_names(saved), *UNNAMED):
            if (folder / name).is_file():
                with replace_atomically(target / name) as partial:
                    shutil.copyfile(folder / name, partial)
    write_json(target / MODEL_JSON, {**saved, "calibration": calibration.to_dict()})
    return target


def _outcomes(phrases: Sequence[JudgedPhrase]) -> _Doubles:
    return np.array([phrase.right for phrase in phrases], dtype=np.float64)


def _judge(parse: Parse, gold: Tree) -> list[JudgedPhrase]:
    """Judge the phrases of a tree; each gold phrase makes one of its label and span right."""
    remaining = Counter(strip_root(gold).spans())
    evidence = gather_evidence(parse.tree, parse.steps or (), parse.arities)
    phrases = []
    for node, known in zip(parse.tree.phrases(), evidence, strict=True):
        if known is not None:
            right = remaining[node.span] > 0
            remaining[node.span] -= right
            phrases.append(JudgedPhrase(known, right, node.label))
    return phrases
