"""Builds with silver trees: how sure they must be, wrong folders, and whole runs."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

import whorl
from tests.building.test_run import SMALL, parse_toy, write_toy
from tests.toytext import toy_sentences
from whorl.building.request import BuildRequest
from whorl.building.run import build
from whorl.building.silver import read_silver
from whorl.cli.main import app
from whorl.errors import CorpusError, TreebankError

SENTENCE = "the cat sees two dogs ."
FLAGS = [flag for setting in SMALL for flag in ("--set", setting)]


def invoke(*arguments):
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    write_toy(folder / "train.txt", 60, 1)
    write_toy(folder / "dev.txt", 10, 2)
    write_toy(folder / "old.txt", 60, 4, "SN")
    (folder / "text.txt").write_text("\n".join(toy_sentences(90, 5)), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def silver(files):
    """The folder that `whorl label` writes with a model that `whorl train` built."""
    invoke("train", "--train", files / "train.txt", "--out", files / "teacher", *FLAGS)
    invoke("label", files / "text.txt", "--model", files / "teacher", "--out", files / "silver")
    return files / "silver"


def write_silver(folder, confidences):
    folder.mkdir()
    lines = [f"{confidence}\t-1.0\t12\n" for confidence in confidences]
    (folder / "text.trees").write_text("(S (N it))\n" * len(lines), encoding="utf-8")
    (folder / "text.scores").write_text("".join(lines), encoding="utf-8")
    return str(folder)


def read(path):
    (silver,) = read_silver(BuildRequest.of(["x"], silver=[path]))
    return silver


def test_the_most_confident_two_thirds_are_learnt_from(tmp_path):
    silver = read(write_silver(tmp_path / "s", [0.5, 0.91234, 0.95, 0.99, 0.2, 0.97]))
    assert (silver.least, silver.trees, silver.all_trees) == (0.912, 4, 6)
    assert silver.with_least(0.96) == silver._replace(least=0.96, trees=2)


def test_equally_confident_trees_are_all_learnt_from(tmp_path):
    silver = read(write_silver(tmp_path / "s", [1.0] * 5))
    assert (silver.least, silver.trees) == (1.0, 5)


def test_folders_that_are_not_silver_are_errors_that_say_so(tmp_path):
    with pytest.raises(TreebankError, match="no such file or folder"):
        read(str(tmp_path / "none"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(TreebankError, match="empty: no trees found"):
        read(str(tmp_path / "empty"))
    with pytest.raises(TreebankError, match="no silver trees: all of its files are empty"):
        read(write_silver(tmp_path / "no-lines", []))
    with pytest.raises(CorpusError, match=r"text\.scores:2: a confidence must be from 0 to 1, not"):
        read(write_silver(tmp_path / "nan", [0.5, "nan"]))
    (tmp_path / "no-lines" / "text.scores").unlink()
    with pytest.raises(TreebankError, match=r"text\.trees: .* text\.scores .* whorl label writes"):
        read(str(tmp_path / "no-lines"))


def test_nothing_is_written_if_the_silver_trees_are_wrong(files, tmp_path):
    with pytest.raises(TreebankError):
        build(BuildRequest.of([str(files / "train.txt")], silver=[str(files)]), tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_parser_learns_from_the_silver_trees_of_another(files, silver, tmp_path):
    out = tmp_path / "m"
    trees = ("--train", files / "train.txt", "--dev", files / "dev.txt", "--silver", silver)
    printed = invoke("train", *trees, "--out", out, *FLAGS, "--set", "treebank.silver.least=0")
    assert "treebank.silver.least=0.0" in printed
    parser = whorl.load(out)
    assert str(parser(SENTENCE)) == parse_toy(SENTENCE, "NP")
    assert str(whorl.load(out, convention="gold")(SENTENCE)) == str(parser(SENTENCE))
    assert parser.tokeniser.kind == "unicode"
    assert all(phrase.probability is not None for phrase in parser(SENTENCE)[0].constituents())
    saved = json.loads((out / "build.json").read_text(encoding="utf-8"))
    assert saved["scores"]["dev"][""]["f1"] > 90
    assert [(one["trees"], one["all_trees"]) for one in saved["silver"]] == [(90, 90)]
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "- 90 silver trees, labelled by parsers: of 90, those with a confidence of" in card
    description = json.loads((out / "model.json").read_text(encoding="utf-8"))
    assert str(files) not in card + json.dumps(description)
    assert (description["treebanks"], description["convention"]) == (["gold"], "gold")
    assert build(None, out).scores["dev"][""].f1 > 90


def test_silver_trees_of_one_of_two_treebanks(files, silver, tmp_path):
    request = BuildRequest.of(
        [f"new={files / 'train.txt'}", f"old={files / 'old.txt'}"],
        silver=[f"new={silver}"],
        settings=SMALL,
    )
    built = build(request, tmp_path / "m")
    for convention, noun in ((None, "NP"), ("new", "NP"), ("old", "SN")):
        parser = whorl.load(tmp_path / "m", convention=convention)
        assert str(parser(SENTENCE)) == parse_toy(SENTENCE, noun)
    assert set(built.scores["dev"]) == {"new", "old"}
    card = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert " silver trees in the convention of new, labelled by parsers" in card


def test_a_recipe_takes_no_flag_for_silver_trees():
    arguments = ["train", "span-bilstm", "--train", "x", "--silver", "y", "--out", "m"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "write a [[treebank]] table" in result.stderr
