"""The models in the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import whorl
from whorl.catalogue import DEFAULT, NamedModel, shipped_models
from whorl.trees import read_tree, read_treebank, splice

TREEBANKS = Path(__file__).parents[2] / "shared" / "treebanks" / "en"
MOST = {"en": 12_000_000, "en-accurate": 38_000_000}
"""The largest size of each, in bytes."""
LEAST = {"en": {"masc": 89.5, "gum": 88.5}, "en-accurate": {"masc": 90.0}}
"""The F1 that each must reach, up to half a point below its card: int8 varies with processors."""

PUBLIC = (
    "(TOP (S (NP (DT The) (NN public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .)))"
)


@pytest.fixture(scope="module", params=sorted(MOST))
def model(request) -> NamedModel:
    return next(model for model in shipped_models() if model.name == request.param)


@pytest.fixture(scope="module")
def parser(model):
    return whorl.load(model.name)


def test_these_models_are_shipped_and_one_is_the_default():
    assert [model.name for model in shipped_models()] == sorted(MOST)
    assert DEFAULT in MOST


def test_a_model_is_small_and_runs_without_pytorch(model):
    assert model.size <= MOST[model.name]
    assert not list(model.folder.glob("weights*"))  # those are for PyTorch
    assert list(model.folder.glob("encoder*.onnx"))


def test_the_card_says_what_users_must_know(model):
    readme = " ".join((model.readme or "").split())
    for word in (
        "CC BY",
        "GENIA Project",
        "MASC",
        "CRAFT",
        "GUM",
        "F1",
        "gold trees without NML and NX",
        "sentences/s",
        "docs/recipes.md",
        "Weaknesses",
        "2026-",
    ):
        assert word in readme, f"the card of {model.name} does not say {word}"


def test_right_trees(parser):
    assert parser.parse(["The", "public", "is", "still", "cautious", "."]) == read_tree(PUBLIC)
    (sentence,) = parser("She saw the man with a telescope.")
    assert [leaf.tag for leaf in sentence.tree.leaves()] == [
        "PRP",
        "VBD",
        "DT",
        "NN",
        "IN",
        "DT",
        "NN",
        ".",
    ]
    assert {("NP", 0, 1), ("VP", 1, 7), ("PP", 4, 7), ("NP", 5, 7)} <= {
        tuple(span) for span in sentence.tree.spans()
    }


def test_probabilities_are_calibrated(parser):
    (sentence,) = parser("The public is still cautious.")
    phrases = [constituent for constituent in sentence.constituents() if constituent.label != "TOP"]
    assert all(0.9 < phrase.probability < 1 for phrase in phrases)
    (odd,) = parser("Time flies like an arrow fruit flies like a banana")
    assert min(constituent.probability for constituent in odd.constituents()) < 0.9


def test_quotation_marks_have_their_own_tags(parser):
    (sentence,) = parser('"I don\'t know," she said, "but I\'ll find out."')
    marks = [leaf for leaf in sentence.tree.leaves() if leaf.word in ("``", "''")]
    assert [leaf.tag for leaf in marks] == [leaf.word for leaf in marks] == ["``", "''", "``", "''"]


def test_capitals(parser):
    tree = parser.parse(["THE", "PUBLIC", "IS", "STILL", "CAUTIOUS", "."])
    assert tree.spans() == read_tree(PUBLIC).spans()
    assert tree.words() == ["THE", "PUBLIC", "IS", "STILL", "CAUTIOUS", "."]


def test_batches_and_single_sentences_give_the_same_trees(parser):
    sentences = [
        ["It", "works", "."],
        ["Colourless", "green", "ideas", "sleep", "furiously"],
        ["(", "1990", ")"],
        ["Hm"],
    ]
    assert list(parser.pipe(sentences)) == [parser.parse(words) for words in sentences]


@pytest.mark.skipif(not TREEBANKS.exists(), reason="no treebanks here")
def test_accuracy_on_text_that_was_not_trained_on(model):
    pytest.importorskip("torch")
    from whorl.training.learner import Treebank
    from whorl.training.loop import score

    for name, least in LEAST[model.name].items():
        gold = [
            splice(tree, ("NML", "NX")) for tree in read_treebank(TREEBANKS / name / "test.txt")
        ]
        parser = whorl.load(model.name, convention=name)
        trees = list(parser.pipe([tree.words() for tree in gold]))
        assert score(Treebank(gold, []), trees).f1 >= least, name


def test_the_first_command_of_the_readme():
    command = [
        sys.executable,
        "-c",
        "from whorl.cli.main import main; main()",
        "parse",
        "The public is still cautious.",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == PUBLIC + "\n"
