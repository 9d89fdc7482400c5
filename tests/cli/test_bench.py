"""`whorl bench` and `whorl models`."""

from __future__ import annotations

import json
import os

import pytest
from typer.testing import CliRunner

from whorl.bench.machine import cores, cpu_name, peak_memory
from whorl.bench.measure import sample_sentences
from whorl.cli.main import app


def whorl(*args, text=""):
    return CliRunner().invoke(app, args, input=text.encode(), catch_exceptions=False)


@pytest.fixture(autouse=True)
def same_environment(monkeypatch):
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, os.environ.get(name, "1"))


def test_figures_of_a_model_are_a_table_and_json(span_model, tmp_path):
    (tmp_path / "tokens.txt").write_text("It works\n\nRain\n")
    out = tmp_path / "figures.json"
    args = (str(tmp_path / "tokens.txt"), "--tokens", "--rounds", "1", "--json", str(out))
    done = whorl("bench", "--model", str(span_model), *args)
    assert done.exit_code == 0, done.stderr
    figures = json.loads(out.read_text())
    assert (figures["sentences"], figures["tokens"], figures["runs_on"]) == (2, 3, "onnxruntime")
    assert (
        figures["transitions_per_sentence"] == 5
    )  # SHIFT NP SHIFT VP S FINISH and SHIFT NP FRAG FINISH
    rates = (
        "sentences_per_second",
        "tokens_per_second",
        "latency_p50_ms",
        "peak_memory_bytes",
        "gflops",
        "load_seconds",
    )
    assert all(figures[name] > 0 for name in rates)
    assert figures["latency_p50_ms"] <= figures["latency_p95_ms"]
    for what in (
        "sentences/s",
        "tokens/s",
        "p50",
        "p95",
        "transitions",
        "load",
        "peak memory",
        "sgemm",
        cpu_name(),
    ):
        assert what in done.stdout
    printed = whorl("bench", "--model", str(span_model), *args[:-1], "-")
    assert json.loads(printed.stdout).keys() == figures.keys()


def test_trees_give_words_or_leaves(span_model, tmp_path):
    (tmp_path / "trees.txt").write_text("(S (X It) (Y works))\n")
    for more in ((), ("--tags",)):
        args = ("--trees", str(tmp_path / "trees.txt"), "--rounds", "1", "--json", "-", *more)
        assert json.loads(whorl("bench", "-m", str(span_model), *args).stdout)["tokens"] == 2


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("a b", "--trees", "x"), "there are two files to parse"),
        (("a b", "--tags"), "--tags keeps the tags of --trees"),
        ((" ",), "has no sentence to parse"),
    ],
)
def test_input_that_cannot_be_measured_is_an_error(span_model, args, message):
    done = whorl("bench", "-m", str(span_model), *args)
    assert done.exit_code == 1
    assert message in done.stderr


def test_the_sample_has_sentences_of_ordinary_length():
    lengths = [len(sentence) for sentence in sample_sentences()]
    assert len(lengths) >= 256
    assert 20 < sum(lengths) / len(lengths) < 26


def test_the_machine_has_a_name_cores_and_memory():
    assert cpu_name()
    assert cores() >= 1
    assert peak_memory() is None or peak_memory() > 1 << 20
