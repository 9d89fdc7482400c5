"""Runs in parallel processes: shared tags, failures, and workers whose parent has gone."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest

pytest.importorskip("torch")

from whorl.errors import ExperimentError, RecipeError
from whorl.experiments.plans import Setting, plan_runs
from whorl.experiments.runner import LineWatcher, Watcher, execute_runs, merge_runs
from whorl.experiments.runs import find_result, perform_run


class RecordingWatcher(Watcher):
    """Records the events."""

    def __init__(self):
        self.jobs, self.epochs, self.ended = [], [], {}

    def planned(self, names, done):
        self.jobs = list(names)

    def epoch(self, name, number, f1):
        self.epochs.append((name, number))

    def finished(self, name, seconds, error):
        self.ended[name] = error


def test_parallel_runs_with_shared_tags_equal_single_runs_with_their_own(tmp_path, base):
    base = base.override(["data.tags=jackknife"])
    runs = plan_runs([Setting(), Setting("binary")], base, [1])
    watcher = RecordingWatcher()
    done = execute_runs(runs, tmp_path / "runs", jobs=2, watcher=watcher)
    assert watcher.jobs == [
        "tags 1 (2 parts)",
        "tags 2 (1 parts)",
        "nonbinary-static-seed1",
        "binary-static-seed1",
    ]
    assert set(watcher.ended) == set(watcher.jobs)
    assert not any(watcher.ended.values())
    assert sorted(watcher.epochs) == [
        (run.name, number) for run in reversed(runs) for number in (1, 2)
    ]
    for run in runs:
        assert not (tmp_path / "runs" / run.name / "tags").exists()
        single = perform_run(run, tmp_path / "single")
        assert single.parsed == done[run.name].parsed
        names = [
            json.loads((tmp_path / n / run.name / "model.json").read_text(encoding="utf-8"))[
                "weights"
            ]
            for n in ("runs", "single")
        ]
        assert names[0] == names[1]
    again = RecordingWatcher()
    assert execute_runs(runs, tmp_path / "runs", watcher=again) == done
    assert again.jobs == []


def test_a_run_that_fails_is_named_and_does_not_stop_the_others(tmp_path, base):
    good = Setting().run(base, 1)
    bad = replace(good, name="bad", recipe=good.recipe.override(["data.vectors=missing.txt"]))
    lines = []
    with pytest.raises(
        ExperimentError, match=r"1 of 2 jobs failed:\n  bad: .*missing\.txt.*log\.txt"
    ):
        execute_runs([bad, good], tmp_path / "runs", jobs=2, watcher=LineWatcher(lines.append))
    assert find_result(good, tmp_path / "runs") is not None
    assert find_result(bad, tmp_path / "runs") is None
    assert lines[0] == "2 jobs to do, 0 runs done before"
    assert any(line.startswith("bad: ") and "missing.txt" in line for line in lines)


def test_a_worker_ends_with_its_parent_and_its_run_resumes(tmp_path, base):
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
    done = perform_run(
        replace(run, recipe=run.recipe.override([f"training.epochs={reached + 1}"])),
        tmp_path / "runs",
    )
    assert done.epochs == reached + 1


def test_a_run_that_cannot_be_done_is_reported_before_any_starts(tmp_path, base):
    run = Setting().run(base.override(["data.dev="]), 1)
    with pytest.raises(
        RecipeError, match=r"nonbinary-static-seed1 is not done, and the recipe names no dev trees"
    ):
        execute_runs([run], tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_every_run_is_performed_once_with_all_its_beams(base):
    run = Setting().run(base, 1)
    (only,) = merge_runs([run, replace(run, beams=(8, 1)), run])
    assert only.beams == (1, 8)
    with pytest.raises(ExperimentError, match="two different runs"):
        merge_runs([run, replace(run, recipe=run.recipe.override(["training.rate=1"]))])
