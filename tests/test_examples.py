"""The scripts in `examples/` run, and print what they promise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whorl import read_trees
from whorl.evaluation import evaluate, read_sentences

EXAMPLES = Path(__file__).parents[1] / "examples"
TOY = EXAMPLES / "toy.txt"


@pytest.fixture
def run(tmp_path):
    def script(name, *arguments, text=""):
        command = [sys.executable, str(EXAMPLES / name), *arguments]
        options = {"capture_output": True, "cwd": tmp_path, "encoding": "utf-8"}
        result = subprocess.run(
            command,
            input=text,
            check=False,
            env={**os.environ, "PYTHONUTF8": "1"},
            **options,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.splitlines()

    return script


def test_there_are_seven_short_scripts():
    scripts = sorted(EXAMPLES.glob("*.py"))
    assert [script.stem for script in scripts] == [
        "corpus",
        "data_frames",
        "evaluate",
        "nbest",
        "parse_text",
        "spacy_phrases",
        "train",
    ]
    for script in scripts:
        assert len(script.read_text(encoding="utf-8").splitlines()) <= 40


def test_the_toy_treebank_has_twenty_trees():
    assert len(read_trees(TOY.read_text(encoding="utf-8"))) == 20


def test_parse_text(run):
    lines = run("parse_text.py")
    assert lines[:2] == ["0–29: The public is still cautious.", "  NP 0–10: The public"]
    assert "  NP 31–33: It" in lines  # in curly quotation marks, as it was written
    assert "VP over words 2–5: VBZ, ADVP, ADJP" in lines


def test_corpus(run):
    lines = run("corpus.py", text="The dog barks. It is late.\n\nTime is short.\n")
    sentences = [json.loads(line) for line in lines]
    assert [(sentence["line"], sentence["text"]) for sentence in sentences] == [
        (1, "The dog barks."),
        (1, "It is late."),
        (3, "Time is short."),
    ]
    assert sentences[0]["tree"] == "(TOP (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)))"


def test_nbest(run):
    lines = run("nbest.py")
    assert [line[:2] for line in lines[:3]] == ["1.", "2.", "3."]
    probabilities = [float(line.split()[2].rstrip(":")) for line in lines[:3]]
    assert probabilities == sorted(probabilities, reverse=True)
    assert lines[4].endswith("NP: the man in the park")  # the parser is not sure of it


def test_data_frames(run, tmp_path):
    pytest.importorskip("pandas")
    lines = run("data_frames.py")
    start = lines.index("Least certain phrases:")
    assert all(int(line.split()[0]) > 0 for line in lines[1:start])
    assert lines[start + 1].endswith("NP: the man in the park")
    assert any("╌" in line for line in lines)
    assert "stroke-dasharray" in (tmp_path / "uncertain.svg").read_text(encoding="utf-8")


def test_spacy_phrases(run):
    pytest.importorskip("spacy")
    lines = run("spacy_phrases.py")
    phrases = [line.split(maxsplit=1)[1] for line in lines if not line.startswith("(")]
    assert phrases[:2] == ["The committee on trade", "the proposal"]


def test_train(run, tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    lines = run("train.py", "model")
    assert float(lines[0].rsplit(" ", 1)[1]) > 95
    trees = read_trees("\n".join(lines[1:]))
    assert [tree.words()[0] for tree in trees] == ["The", "Who"]
    assert list((tmp_path / "model").glob("encoder-*.onnx"))


def test_evaluate(run, tmp_path):
    lines = run("evaluate.py")
    report = evaluate(read_sentences(TOY), read_sentences(tmp_path / "predicted.txt"))
    assert lines[0].startswith(f"F1 {report.f1:.2f}, ")
    assert report.f1 > 90
    assert (tmp_path / "worst.svg").read_text(encoding="utf-8").startswith("<svg")
