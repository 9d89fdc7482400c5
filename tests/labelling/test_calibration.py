"""Calibration: probabilities that agree with how often phrases are right."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from typer.testing import CliRunner

import whorl
from tests.spans import span_recipe, write_treebank
from whorl.catalogue import find_model
from whorl.cli.main import app
from whorl.engine import Calibration, Parse
from whorl.engine.evidence import Evidence
from whorl.errors import ModelError
from whorl.labelling.calibration import (
    GROUPS,
    JudgedPhrase,
    calibrated,
    cross_validated,
    fit,
    judge_phrases,
    measure,
    measure_by,
    uncalibrated,
)
from whorl.training.run import train
from whorl.trees import read_tree

WEIGHTS = Calibration(0.5, 0.3, -0.3, -0.2, 0.6, -0.3, 0.4)


def draw_phrases(calibration, count, seed):
    """Phrases that are right as often as a calibration says."""
    random = np.random.default_rng(seed)
    phrases = []
    for _ in range(count):
        step, weakest, rest, survival = (-random.exponential(size=4) - 1e-3).tolist()
        words, children = int(random.integers(1, 30)), int(random.integers(1, 5))
        evidence = Evidence(step, min(step, weakest), rest, words, children, survival)
        right = bool(random.random() < calibration.probability(evidence))
        phrases.append(JudgedPhrase(evidence, right))
    return phrases


def test_the_weights_behind_the_outcomes_are_recovered():
    fitted = fit(draw_phrases(WEIGHTS, 20_000, 1))
    expected = pytest.approx(list(WEIGHTS.to_dict().values()), abs=0.15)
    assert list(fitted.to_dict().values()) == expected
    others = draw_phrases(WEIGHTS, 5_000, 2)
    before = measure(uncalibrated(others), others)
    after = measure(calibrated(fitted, others), others)
    assert after.error < 0.02 < before.error
    assert after.brier < before.brier
    assert after.expected == pytest.approx(after.right, abs=0.02)


def test_phrases_that_are_all_right_give_a_high_probability():
    phrases = [JudgedPhrase(Evidence(-0.1, -0.1, -1.0, 2, 2, -0.1), True)] * 20
    assert measure(calibrated(fit(phrases), phrases), phrases).expected > 0.95


@pytest.mark.parametrize("seed", [3, 4, 7, 11, 13])
def test_a_fit_to_few_phrases_is_no_worse_than_a_guess(seed):
    phrases = draw_phrases(WEIGHTS, 12, seed)  # so few that Newton's full steps overshoot
    probabilities = calibrated(fit(phrases), phrases)
    likelihoods = [
        p if phrase.right else 1 - p for p, phrase in zip(probabilities, phrases, strict=True)
    ]
    assert math.prod(likelihoods) >= 0.5 ** len(phrases)


def test_no_phrases_are_an_error():
    with pytest.raises(ModelError, match="nothing to calibrate on"):
        fit([])


def test_the_measures_are_those_of_the_definitions():
    sure, unsure = (Evidence(math.log(p), -1.0, -1.0, 2, 2, -1.0) for p in (0.95, 0.25))
    outcomes = [(sure, True), (sure, False), (unsure, False), (unsure, False)]
    phrases = [JudgedPhrase(*outcome) for outcome in outcomes]
    quality = measure(uncalibrated(phrases), phrases)
    assert (quality.phrases, quality.right) == (4, 0.25)
    assert quality.expected == pytest.approx(0.6)
    assert quality.error == pytest.approx((abs(0.95 - 0.5) + 0.25) / 2)
    assert quality.brier == pytest.approx((0.05**2 + 0.95**2 + 2 * 0.25**2) / 4)
    assert quality.auc == pytest.approx((0.5 + 1 + 1) / 3)  # one of three wrong phrases is a tie


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9]), st.booleans()), min_size=1))
def test_the_area_under_the_curve_counts_pairs_in_the_right_order(outcomes):
    evidence = Evidence(-1.0, -1.0, -1.0, 2, 2, -1.0)
    phrases = [JudgedPhrase(evidence, right) for _, right in outcomes]
    area = measure([probability for probability, _ in outcomes], phrases).auc
    ours, theirs = ([p for p, right in outcomes if right is kind] for kind in (True, False))
    pairs = [(a > b) + (a == b) / 2 for a in ours for b in theirs]
    if pairs:
        assert area == pytest.approx(sum(pairs) / len(pairs))
    else:
        assert area is None


@pytest.mark.parametrize("key", GROUPS)
def test_groups_are_measured_apart_and_add_up(key):
    phrases = [
        phrase._replace(label="NP" if number % 3 else "VP")
        for number, phrase in enumerate(draw_phrases(WEIGHTS, 400, 5))
    ]
    probabilities = calibrated(WEIGHTS, phrases)
    groups = measure_by(key, probabilities, phrases)
    assert sum(q.phrases for q in groups.values()) == 400
    whole = measure(probabilities, phrases)
    assert sum(q.phrases * q.brier for q in groups.values()) == pytest.approx(400 * whole.brier)
    names = {
        "label": ["NP", "VP"],
        "children": ["1", "2", "3", "4"],
        "words": ["1", "2-3", "4-7", "8-15", "16-31"],
        "probability": [f"{n / 10:.1f}-{(n + 1) / 10:.1f}" for n in range(10)],
    }
    assert list(groups) == [name for name in names[key] if name in groups]
    if key == "label":
        chosen = [i for i, phrase in enumerate(phrases) if phrase.label == "VP"]
        expected = measure([probabilities[i] for i in chosen], [phrases[i] for i in chosen])
        assert groups["VP"] == expected


def test_the_command_breaks_figures_down(place, tmp_path):
    trees = place / "trees.txt"
    rows = table(calibrate(place / "m", trees, "--out", tmp_path / "copy", "--by", "label"))
    assert [name for name, _ in rows[:2]] == ["reduce alone", "calibrated"]
    assert "label NP" in {name for name, _ in rows[2:]}
    assert sum(int(figures[0]) for _, figures in rows[2:]) == int(rows[1][1][0])


def test_cross_validation_measures_each_tree_with_weights_fitted_to_the_others():
    phrases = draw_phrases(WEIGHTS, 60, 3)
    trees = [phrases[:10], phrases[10:30], phrases[30:35], phrases[35:]]
    probabilities = cross_validated(trees, 2)
    even, odd = fit(trees[0] + trees[2]), fit(trees[1] + trees[3])
    assert probabilities == [
        calibrated(odd, trees[0]),
        calibrated(even, trees[1]),
        calibrated(odd, trees[2]),
        calibrated(even, trees[3]),
    ]


def test_each_gold_phrase_makes_one_phrase_right():
    class FixedEngine:
        def parse_nbest(self, sentences, *, beam, n_best, plans=None):
            tree = read_tree("(TOP (S (X (X (X (A a)))) (Y (B b))))")
            return [[Parse(tree, -1.0, np.zeros(8).tolist())] for _ in sentences]

    (phrases,) = judge_phrases(FixedEngine(), [read_tree("(TOP (S (X (X (A a))) (Z (B b))))")])
    assert [phrase.right for phrase in phrases] == [True, True, True, False, False]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calibrate")
    train(span_recipe(write_treebank(folder), "training.epochs=2"), folder / "m")
    return folder


def calibrate(*args):
    return CliRunner().invoke(app, ["calibrate", *map(str, args)])


def table(done):
    """The rows of the printed table: the name of the probabilities, and the figures."""
    assert done.exit_code == 0, done.output
    title, header, *rows = done.stdout.splitlines()
    assert title == "Probabilities of phrases"
    assert header.split() == ["trees", "phrases", "right", "expected", "error", "Brier", "AUC"]
    return [(row.split(", ")[1].rsplit(None, 6)[0], row.split()[-6:]) for row in rows]


def test_the_command_saves_the_weights_in_the_folder(place):
    trees = place / "trees.txt"
    before = json.loads((place / "m/model.json").read_text())
    rows = table(calibrate(place / "m", trees, "--test", trees))
    assert [name for name, _ in rows] == ["reduce alone", "calibrated"]
    after = json.loads((place / "m/model.json").read_text())
    calibration = after.pop("calibration")
    assert after == before
    parse = whorl.load(place / "m").parse(["Rain"], n_best=1)[0]
    assert parse.calibration == Calibration(**calibration)


def test_without_test_trees_the_figures_are_cross_validated_and_said_to_be(place):
    trees = place / "trees.txt"
    held_out = calibrate(place / "m", trees)
    on_fitted = calibrate(place / "m", trees, "--test", trees)
    assert "the calibrated figures are from 6-fold cross-validation" in held_out.stderr
    assert "cross-validation" not in on_fitted.stderr
    assert table(held_out)[0] == table(on_fitted)[0]
    assert float(table(held_out)[1][1][-2]) > float(table(on_fitted)[1][1][-2])  # Brier scores


def test_the_figures_are_printed_as_json(place, tmp_path):
    trees = place / "trees.txt"
    shown = table(calibrate(place / "m", trees, "--test", trees, "--out", tmp_path / "copy"))
    done = calibrate(place / "m", trees, "--test", trees, "--out", tmp_path / "copy", "--json")
    entries = json.loads(done.stdout)
    assert [entry.pop("trees") for entry in entries] == [str(trees)] * 2
    assert [entry.pop("probabilities") for entry in entries] == ["reduce alone", "calibrated"]
    keys = ["phrases", "right", "expected", "error", "brier", "auc"]
    for entry, (_, figures) in zip(entries, shown, strict=True):
        assert list(entry) == keys
        assert [str(entry.pop("phrases")), *(f"{v:.4f}" for v in entry.values())] == figures


def test_a_single_tree_cannot_be_held_out_which_is_said(place, tmp_path):
    (tmp_path / "one.txt").write_text("(TOP (S (NP (PRP It)) (VP (VBZ works))))\n")
    done = calibrate(place / "m", tmp_path / "one.txt", "--out", tmp_path / "copy")
    assert "the figures are on the tree that was fitted to" in done.stderr
    assert [name for name, _ in table(done)] == ["reduce alone", "calibrated"]


def test_a_model_of_the_package_is_calibrated_in_a_copy(place, tmp_path):
    trees = place / "trees.txt"
    refused = calibrate("en", trees)
    assert refused.exit_code == 1
    assert "en belongs to an installed package: give --out DIR" in refused.stderr
    table(calibrate("en", trees, "--out", tmp_path / "copy"))
    original, copy = find_model("en"), tmp_path / "copy"
    assert {path.name for path in copy.iterdir()} == {path.name for path in original.iterdir()}
    saved, changed = (
        json.loads((folder / "model.json").read_text()) for folder in (original, copy)
    )
    assert changed.pop("calibration") != saved.pop("calibration")
    assert changed == saved
    words = ["It", "works", "."]
    assert whorl.load(copy).parse(words) == whorl.load("en").parse(words)


def test_a_trained_model_is_left_as_it_is_with_another_folder(place, tmp_path):
    before = (place / "m/model.json").read_bytes()
    table(calibrate(place / "m", place / "trees.txt", "--out", tmp_path / "copy"))
    assert (place / "m/model.json").read_bytes() == before
    assert whorl.load(tmp_path / "copy").parse(["Rain"]).words() == ["Rain"]
