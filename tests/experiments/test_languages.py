"""Non-binary against binary on two tiny treebanks: what is run, and what the report says."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

from tests.experiments.small import SMALL, write_treebank
from whorl.cli.main import app
from whorl.errors import ExperimentError
from whorl.evaluation import evaluate
from whorl.experiments.languages import (
    LanguageRequest,
    compare_systems,
    language_runs,
    perform_language_runs,
    write_training_trees,
)
from whorl.experiments.languages import _sum_over_seeds as sum_over_seeds
from whorl.experiments.runs import perform_run
from whorl.training.recipe import Recipe
from whorl.trees import iter_trees, read_treebank

FAST = (*SMALL, "training.optimiser=adam", "training.rate=0.02")


@pytest.fixture(scope="module")
def request_done(tmp_path_factory):
    folders = {name: tmp_path_factory.mktemp(name) for name in ("one", "two")}
    for folder in folders.values():
        write_treebank(folder)
    request = LanguageRequest(
        Recipe().override(FAST),
        folders,
        seeds=(1, 2),
        runs=tmp_path_factory.mktemp("runs"),
        limit=5,
    )
    write_training_trees(request)
    *most, _ = language_runs(request)
    for run in most:
        perform_run(run, request.runs)
    perform_language_runs(request)  # the last one, in a process of its own
    return request


def test_every_treebank_and_seed_has_a_non_binary_parser_and_two_binary_ones(request_done):
    runs = language_runs(request_done)
    assert len(runs) == len({run.name for run in runs}) == 2 * 2 * 3
    assert {(run.recipe.model.system, run.recipe.model.heads) for run in runs} == {
        *(("nonbinary", "left"), ("binary", "left"), ("binary", "right"))
    }


def test_training_trees_are_the_first_up_to_the_limit(request_done):
    (path,) = {run.recipe.data.train for run in language_runs(request_done) if "one/" in run.name}
    first = list(read_treebank(request_done.treebanks["one"] / "train.txt"))[:5]
    assert list(read_treebank(path)) == first


def test_the_report_compares_with_the_better_binary_parser_over_all_seeds(request_done):
    report = compare_systems(request_done)
    assert [row[0] for row in report.tables[0].rows] == ["one", "two"]
    for row in report.data["systems"]:
        means = {side: row[f"binary {side}"]["dev"]["mean"] for side in ("left", "right")}
        assert means[row["better_binary"]] == max(means.values())
        comparison = row["comparison"]
        assert comparison["low"] <= comparison["difference"] <= comparison["high"]
        assert comparison["sentences"] == 5


def test_f1_over_several_seeds_is_that_of_all_their_trees_together(request_done):
    gold = request_done.trees("one", "test")
    parsed = [
        list(iter_trees(request_done.runs / f"one/nonbinary-static-seed{seed}/test.brackets"))
        for seed in (1, 2)
    ]
    summed = sum_over_seeds(evaluate(gold, trees) for trees in parsed)
    together = evaluate(gold * 2, [tree for trees in parsed for tree in trees])
    assert summed.f1 == together.f1


def test_a_missing_run_is_an_error_that_names_it(request_done, tmp_path):
    elsewhere = LanguageRequest(request_done.base, request_done.treebanks, (1,), tmp_path)
    with pytest.raises(ExperimentError, match=r"one/nonbinary-static-seed1 in .* is not done"):
        compare_systems(elsewhere)


def test_the_command_resumes_and_writes_the_report(request_done, tmp_path):
    treebanks = [f"--treebank={name}={path}" for name, path in request_done.treebanks.items()]
    settings = [f"--set={setting}" for setting in FAST]
    arguments = ["--seeds=1,2", f"--runs={request_done.runs}", "--limit=5", f"--out={tmp_path}"]
    result = CliRunner().invoke(app, ["reproduce", "languages", *treebanks, *settings, *arguments])
    assert result.exit_code == 0, result.output
    data = json.loads((tmp_path / "languages.json").read_text(encoding="utf-8"))
    assert data["systems"] == compare_systems(request_done).data["systems"]
    plan = CliRunner().invoke(
        app, ["reproduce", "languages", *treebanks, *settings, *arguments, "--plan"]
    )
    assert [line.split("\t")[1] for line in plan.stdout.splitlines()] == ["done"] * 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --treebank NAME=DIR"),
        (["--treebank", "x"], "must be NAME=DIR, not 'x'"),
        (["--treebank", "x=nowhere"], "x=nowhere: no such folder"),
    ],
)
def test_treebanks_that_are_not_there_are_errors(arguments, message):
    result = CliRunner().invoke(app, ["reproduce", "languages", *arguments])
    assert result.exit_code == 1
    assert message in result.stderr
