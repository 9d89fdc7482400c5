"""`whorl reproduce` as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("torch")

from tests.experiments.small import SMALL, write_treebank

from whorl.experiments.plans import SYSTEMS, Setting
from whorl.experiments.runs import PARTS, perform_run
from whorl.training.recipe import Recipe


def whorl(*args: str, folder) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from whorl.cli.main import main; main()", "reproduce", *args]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reproduce")
    write_treebank(folder)
    return folder


FILES = ("--train", "train.txt", "--dev", "dev.txt", "--test", "test.txt")
FLAGS = (
    "--seeds",
    "1",
    "--epochs",
    "1",
    "--name",
    "Six trees",
    *(flag for s in SMALL[:-1] for flag in ("--set", s)),
)


def test_a_table_is_made_and_can_be_made_again_from_its_runs(place):
    base = Recipe().override(
        [*(f"data.{part}={place / part}.txt" for part in PARTS), *SMALL, "training.epochs=1"]
    )
    for system in SYSTEMS[1:]:
        perform_run(Setting(system).run(base, 1), place / "runs")
    planned = whorl("7", *FLAGS, "--plan", folder=place)
    assert planned.stdout.splitlines() == [
        f"{system}-static-seed1\t{'to do' if system == 'nonbinary' else 'done'}"
        for system in SYSTEMS
    ]
    done = whorl("7", *FILES, *FLAGS, "--jobs", "2", "--out", "tables", folder=place)
    assert done.returncode == 0, done.stderr
    assert "1 jobs to do, 3 runs done before" in done.stderr
    assert "Matched by label and span" in done.stdout
    assert "nonbinary-static-seed1: done" in done.stderr
    text = (place / "tables/children.md").read_text(encoding="utf-8")
    assert text.startswith("# F1 by number of children (Table 7): Six trees\n")
    assert "Command: `whorl reproduce 7 --train train.txt" in text
    data = json.loads((place / "tables/children.json").read_text(encoding="utf-8"))
    assert set(data["rows"]["span"]) == set(SYSTEMS)
    for path in place.glob("*.txt"):
        path.rename(path.with_suffix(".gone"))
    again = whorl("children", *FLAGS, "--out", "again", folder=place)
    assert again.returncode == 0, again.stderr
    assert again.stdout == done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("6",), "unknown experiment '6'"),
        (("5", "--seeds", "one"), "--seeds must be numbers such as 1,2,3, not 'one'"),
        (("5", "--set", "model.hiden_dim=3"), "unknown key 'hiden_dim'"),
        (("2", "--runs", "none"), "is not done, and the recipe names no train trees"),
    ],
)
def test_bad_input_is_one_line_and_exit_1(tmp_path, args, message):
    done = whorl(*args, folder=tmp_path)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_experiments_need_no_command_line_packages():
    code = (
        "import sys; sys.modules['typer'] = sys.modules['rich'] = None\n"
        "import whorl.experiments.reproduce, whorl.experiments.worker"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
