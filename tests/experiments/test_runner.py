"""Runs side by side in processes of their own: shared tags, failures, and what happens when the parent is gone."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest

pytest.importorskip("torch")

from whorl.errors import ExperimentError, RecipeError
from whorl.experiments.plans import Setting, planned
from whorl.experiments.runner import Lines, Watcher, execute, unique
from whorl.experiments.runs import find, perform


class Notes(Watcher):
    """Keeps what it hears."""

    def __init__(self):
        self.work, self.epochs, self.ended = [], [], {}

    def planned(self, names, done):
        self.work = list(names)

    def epoch(self, name, number, f1):
        self.epochs.append((name, number))

    def finished(self, name, seconds, error):
        self.ended[name] = error


def test_runs_side_by_side_with_shared_tags_are_those_made_alone_with_their_own(tmp_path, base):
    base = base.override(["data.tags=jackknife"])
    runs = planned([Setting(), Setting("binary")], base, [1])
    notes = Notes()
    done = execute(runs, tmp_path / "runs", jobs=2, watcher=notes)
    assert notes.work == [
        "tags 1 (2 parts)",
        "tags 2 (1 parts)",
        "nonbinary-static-seed1",
        "binary-static-seed1",
    ]
    assert set(notes.ended) == set(notes.work)
    assert not any(notes.ended.values())
    assert sorted(notes.epochs) == [
        (run.name, number) for run in reversed(runs) for number in (1, 2)
    ]
    for run in runs:
        assert not (tmp_path / "runs" / run.name / "tags").exists()
        alone = perform(run, tmp_path / "alone")
        assert alone.parsed == done[run.name].parsed
        names = [
            json.loads((tmp_path / n / run.name / "model.json").read_text(encoding="utf-8"))[
                "weights"
            ]
            for n in ("runs", "alone")
        ]
        assert names[0] == names[1]
    again = Notes()
    assert execute(runs, tmp_path / "runs", watcher=again) == done
    assert again.work == []


def test_a_run_that_fails_is_named_and_does_not_stop_the_others(tmp_path, base):
    good = Setting().run(base, 1)
    bad = replace(good, name="bad", recipe=good.recipe.override(["data.vectors=missing.txt"]))
    said = []
    with pytest.raises(
        ExperimentError, match=r"1 of 2 pieces of work failed:\n  bad: .*missing\.txt.*log\.txt"
    ):
        execute([bad, good], tmp_path / "runs", jobs=2, watcher=Lines(said.append))
    assert find(good, tmp_path / "runs") is not None
    assert find(bad, tmp_path / "runs") is None
    assert said[0] == "2 pieces of work to do, 0 runs done before"
    assert any(line.startswith("bad: ") and "missing.txt" in line for line in said)


def test_a_worker_ends_with_its_parent_and_its_run_can_be_taken_up(tmp_path, base):
    run = Setting().run(base.override(["training.epochs=100000", "training.patience=0"]), 1)
    place = tmp_path / "runs" / run.name
    place.mkdir(parents=True)
    (place / "run.json").write_text(json.dumps(run.to_dict()), encoding="utf-8")
    command = [sys.executable, "-m", "whorl.experiments.worker", str(place / "run.json")]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (place / "checkpoint.json").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    worker.stdin.close()
    assert worker.wait(timeout=30) == 1
    reached = json.loads((place / "checkpoint.json").read_text(encoding="utf-8"))["epoch"]
    assert reached >= 1
    done = perform(
        replace(run, recipe=run.recipe.override([f"training.epochs={reached + 1}"])),
        tmp_path / "runs",
    )
    assert done.epochs == reached + 1


def test_what_cannot_be_done_is_said_before_anything_is(tmp_path, base):
    run = Setting().run(base.override(["data.dev="]), 1)
    with pytest.raises(
        RecipeError, match=r"nonbinary-static-seed1 is not done, and the recipe names no dev trees"
    ):
        execute([run], tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_every_run_is_made_once_with_all_its_beams(base):
    run = Setting().run(base, 1)
    (only,) = unique([run, replace(run, beams=(8, 1)), run])
    assert only.beams == (1, 8)
    with pytest.raises(ExperimentError, match="two different runs"):
        unique([run, replace(run, recipe=run.recipe.override(["training.rate=1"]))])
