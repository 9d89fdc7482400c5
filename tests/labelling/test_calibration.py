"""Calibration: probabilities that agree with how often phrases are right."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from typer.testing import CliRunner

import whorl
from tests.spans import span_recipe, write_treebank
from whorl.cli.main import app
from whorl.engine import Calibration, Parse
from whorl.engine.evidence import Evidence
from whorl.errors import ModelError
from whorl.labelling.calibration import Case, cases, fit, measure
from whorl.training.run import train
from whorl.trees import read_tree


def drawn(true, count, seed):
    """Cases whose probabilities a calibration knows."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        step, weakest, rest = (-random.exponential(size=3) - 1e-3).tolist()
        evidence = Evidence(
            step, min(step, weakest), rest, int(random.integers(1, 30)), int(random.integers(1, 5))
        )
        found.append(Case(evidence, bool(random.random() < true.probability(evidence))))
    return found


def test_the_weights_that_made_the_cases_are_found():
    true = Calibration(0.5, 0.3, -0.3, -0.2, 0.6, -0.3)
    found = fit(drawn(true, 20_000, 1))
    assert list(found.to_dict().values()) == pytest.approx(list(true.to_dict().values()), abs=0.15)
    other = drawn(true, 5_000, 2)
    before, after = measure(None, other), measure(found, other)
    assert after.error < 0.02 < before.error
    assert after.brier < before.brier
    assert after.expected == pytest.approx(after.right, abs=0.02)


def test_all_right_is_no_trouble():
    found = fit([Case(Evidence(-0.1, -0.1, -1.0, 2, 2), True)] * 20)
    quality = measure(found, [Case(Evidence(-0.1, -0.1, -1.0, 2, 2), True)])
    assert quality.expected > 0.95
    with pytest.raises(ModelError, match="nothing to calibrate on"):
        fit([])


def test_the_measures_are_what_they_say():
    sure, unsure = (Evidence(math.log(p), -1.0, -1.0, 2, 2) for p in (0.95, 0.25))
    quality = measure(
        None, [Case(sure, True), Case(sure, False), Case(unsure, False), Case(unsure, False)]
    )
    assert (quality.phrases, quality.right) == (4, 0.25)
    assert quality.expected == pytest.approx(0.6)
    assert quality.error == pytest.approx((abs(0.95 - 0.5) + 0.25) / 2)
    assert quality.brier == pytest.approx((0.05**2 + 0.95**2 + 2 * 0.25**2) / 4)


def test_a_phrase_is_right_once_for_each_in_the_gold_tree():
    class Fixed:
        def parse_nbest(self, sentences, *, beam, n_best):
            tree = read_tree("(TOP (S (X (X (X (A a)))) (Y (B b))))")
            return [[Parse(tree, -1.0, np.zeros(8).tolist())] for _ in sentences]

    found = cases(Fixed(), [read_tree("(TOP (S (X (X (A a))) (Z (B b))))")])
    assert [case.right for case in found] == [True, True, True, False, False]


def test_the_command_keeps_the_weights_in_the_folder(tmp_path):
    trees = write_treebank(tmp_path)
    train(span_recipe(trees, "training.epochs=2"), tmp_path / "m")
    before = json.loads((tmp_path / "m/model.json").read_text())
    done = CliRunner().invoke(
        app, ["calibrate", str(tmp_path / "m"), str(trees), "--test", str(trees)]
    )
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines()]
    assert rows[1][:2] == ["trees", "phrases"]
    assert [row[1:3] for row in rows[2:]] == [["reduce", "alone"], ["calibrated", rows[3][2]]]
    after = json.loads((tmp_path / "m/model.json").read_text())
    calibration = after.pop("calibration")
    assert after == before
    assert whorl.load(tmp_path / "m").parse(["Rain"], n_best=1)[0].calibration == Calibration(
        **calibration
    )
