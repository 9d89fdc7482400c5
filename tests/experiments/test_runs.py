"""A run is trained once, parses once, can be interrupted anywhere, and leaves its result."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

pytest.importorskip("torch")

from whorl.errors import ExperimentError, ModelError
from whorl.experiments import runs
from whorl.experiments.plans import Setting
from whorl.experiments.runs import Result, Run, find_result, perform_run
from whorl.parser import Parser
from whorl.training.learner import Treebank
from whorl.training.loop import score
from whorl.training.run import Listener
from whorl.trees import iter_trees


def brackets(path):
    return list(iter_trees(path))


def test_the_result_holds_the_scores_of_the_bracket_files(tmp_path, base):
    run = Setting("inorder").run(base.override(["training.epochs=3", "data.tags=jackknife"]), 2)
    result = perform_run(run, tmp_path / "runs")
    place = tmp_path / "runs" / run.name
    assert result == Result.read(place / "result.json") == find_result(run, tmp_path / "runs")
    for part in ("dev", "test"):
        gold, parsed = brackets(tmp_path / f"{part}.txt"), brackets(place / f"{part}.brackets")
        report = score(Treebank(gold, []), parsed)
        assert result.parsed[part].f1 == report.f1
        assert result.parsed[part].recall == report.recall
        tallies = report.by_children()
        assert {int(n): row for n, row in result.parsed[part].children.items()} == {
            n: [tally.gold, tally.found, tally.predicted, tally.correct]
            for n, tally in tallies.items()
        }
        assert parsed == list(Parser.load(place).pipe([tree.words() for tree in gold]))
    metrics = [
        json.loads(line)
        for line in (place / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert result.epochs == 3
    assert (
        metrics[result.best_epoch - 1]["dev_f1"]
        == max(row["dev_f1"] for row in metrics)
        == result.parsed["dev"].f1
    )
    assert result.seconds == pytest.approx(sum(row["seconds"] for row in metrics))
    assert (result.treebank["train"].trees, result.treebank["test"].trees) == (6, 5)
    assert result.treebank["dev"].words == sum(
        len(tree.words()) for tree in brackets(tmp_path / "dev.txt")
    )


def test_a_finished_run_needs_neither_weights_nor_treebank_and_is_not_trained_again(
    tmp_path, base, monkeypatch
):
    run = Setting().run(base, 1)
    first = perform_run(run, tmp_path / "runs")
    for path in (tmp_path / "runs" / run.name).iterdir():
        if path.name != "result.json":
            path.unlink()
    monkeypatch.setattr(runs, "train", lambda *_, **__: pytest.fail("trained again"))
    elsewhere = [
        "data.train=/elsewhere/train.txt",
        "data.test=",
        "training.device=cuda",
        "data.tagging=/tags",
    ]
    assert (
        perform_run(replace(run, recipe=run.recipe.override(elsewhere)), tmp_path / "runs") == first
    )


class InterruptedByTestError(Exception):
    """Stands for Ctrl-C."""


@pytest.mark.parametrize("when", [1, 2])
def test_an_interrupted_run_ends_as_if_it_had_never_stopped(tmp_path, base, when):
    run = Setting("nonbinary", "dynamic").run(
        base.override(["training.epochs=3", "model.dropout=0.3"]), 1
    )

    class Stops(Listener):
        def epoch(self, epoch, progress):
            if epoch.number == when:
                raise InterruptedByTestError

    with pytest.raises(InterruptedByTestError):
        perform_run(run, tmp_path / "parts", listener=Stops())
    assert find_result(run, tmp_path / "parts") is None
    parts, whole = perform_run(run, tmp_path / "parts"), perform_run(run, tmp_path / "whole")
    assert parts.parsed == whole.parsed
    assert parts.epochs == 3
    names = [
        json.loads((tmp_path / n / run.name / "checkpoint.json").read_text(encoding="utf-8"))[
            "weights"
        ]
        for n in ("parts", "whole")
    ]
    assert names[0] == names[1]  # a file of weights is named after its content


def test_a_run_stopped_while_parsing_does_not_train_again(tmp_path, base, monkeypatch):
    run = Setting("topdown").run(base, 1)
    whole = perform_run(run, tmp_path / "whole")
    with monkeypatch.context() as patch, pytest.raises(InterruptedByTestError):
        patch.setattr(runs, "_parse", lambda *_: (_ for _ in ()).throw(InterruptedByTestError))
        perform_run(run, tmp_path / "parts")
    before = (tmp_path / "parts" / run.name / "metrics.jsonl").read_bytes()
    assert perform_run(run, tmp_path / "parts").parsed == whole.parsed
    assert (tmp_path / "parts" / run.name / "metrics.jsonl").read_bytes() == before


def test_a_beam_is_added_to_a_finished_run(tmp_path, base, monkeypatch):
    run = Setting("binary").run(base, 1)
    greedy = perform_run(run, tmp_path / "runs")
    wider = replace(run, beams=(1, 4))
    assert find_result(wider, tmp_path / "runs") is None
    monkeypatch.setattr(runs, "train", lambda *_, **__: pytest.fail("trained again"))
    both = perform_run(wider, tmp_path / "runs")
    assert set(both.parsed) == {"dev", "test", "dev.beam4", "test.beam4"}
    assert {name: both.parsed[name] for name in ("dev", "test")} == greedy.parsed
    place = tmp_path / "runs" / run.name
    gold = brackets(tmp_path / "test.txt")
    beams = list(Parser.load(place).pipe([tree.leaves() for tree in gold], beam=4))
    assert brackets(place / "test.beam4.brackets") == beams
    (place / "model.json").unlink()
    with pytest.raises(ModelError, match="not a model folder"):
        perform_run(replace(run, beams=(1, 8)), tmp_path / "runs")


def test_the_result_of_another_recipe_is_refused(tmp_path, base):
    run = Setting().run(base, 1)
    perform_run(run, tmp_path / "runs")
    other = replace(run, recipe=run.recipe.override(["model.hidden_dim=8", "training.epochs=7"]))
    with pytest.raises(ExperimentError, match=r"differs in model\.hidden_dim, training\.epochs"):
        find_result(other, tmp_path / "runs")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": 99}', '{"format": 1, "name": "x"}'])
def test_a_file_that_is_no_result_is_an_error_that_names_it(tmp_path, base, text):
    run = Setting().run(base, 1)
    (tmp_path / run.name).mkdir()
    (tmp_path / run.name / "result.json").write_text(text, encoding="utf-8")
    with pytest.raises(ExperimentError, match=r"result\.json"):
        find_result(run, tmp_path)


def test_tags_of_a_file_are_used_in_training_and_parsing(tmp_path, base):
    settings = ["data.tags=column"]
    for part in ("train", "dev", "test"):
        lines = [
            " ".join(f"{leaf.word}_X{leaf.tag}" for leaf in tree.leaves())
            for tree in brackets(tmp_path / f"{part}.txt")
        ]
        (tmp_path / f"{part}.tags").write_text("\n".join(lines) + "\n", encoding="utf-8")
        settings.append(f"data.{part}_tags={tmp_path / f'{part}.tags'}")
    run = Setting().run(base.override(settings), 1)
    result = perform_run(run, tmp_path / "runs")
    parsed = brackets(tmp_path / "runs" / run.name / "test.brackets")
    assert [tree.tags() for tree in parsed] == [
        [f"X{tag}" for tag in tree.tags()] for tree in brackets(tmp_path / "test.txt")
    ]
    assert result.parsed["test"].tagging == 0
    gold = perform_run(replace(Setting().run(base, 1), name="gold"), tmp_path / "runs")
    assert gold.parsed["test"].f1 == result.parsed["test"].f1  # other names of the same tags
    assert gold.parsed["test"].tagging == 100


def test_runs_survive_json():
    run = Setting("topdown", "dynamic", 0.2, 1.0, "taken").run(runs.Recipe(), 3, (1, 8))
    assert Run.from_dict(json.loads(json.dumps(run.to_dict()))) == run
    assert run.name == "topdown-dynamic-aggr1.0-reg0.2-taken-seed3"
    assert (run.recipe.training.aggressive, run.recipe.training.seed) == (1.0, 3)


def test_results_can_be_copied_without_the_rest(tmp_path, base):
    run = Setting().run(base, 1)
    result = perform_run(run, tmp_path / "there")
    (tmp_path / "here" / run.name).mkdir(parents=True)
    shutil.copy(tmp_path / "there" / run.name / "result.json", tmp_path / "here" / run.name)
    assert find_result(run, tmp_path / "here") == result
