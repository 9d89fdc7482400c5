"""Model folders of every released format give the trees they gave when they were made."""

from __future__ import annotations

import pytest

from tests.compat.check import TOY, commands, failures, model_folders, parse_toy, saved_trees
from whorl import read_trees
from whorl.evaluation import evaluate, read_sentences
from whorl.model_folder.description import FORMAT


def test_exported_models_and_the_help_of_all_commands():
    assert failures() == []
    assert ["treebank", "clean"] in commands()


def test_models_that_need_pytorch():
    pytest.importorskip("torch")
    folders = model_folders(kind="stack-lstm")
    assert folders
    for folder in folders:
        assert parse_toy(folder) == saved_trees(folder)


def test_the_present_format_is_among_them():
    assert f"format-{FORMAT}" in {folder.parent.name for folder in model_folders(kind="span")}


@pytest.mark.parametrize("kind", ["span", "stack-lstm"])
def test_the_models_are_good_enough_to_notice_a_change(kind):
    for folder in model_folders(kind=kind):
        assert evaluate(read_sentences(TOY), read_sentences(folder / "trees.txt")).f1 > 90
        assert len(saved_trees(folder)) == len(read_trees(TOY.read_text(encoding="utf-8")))
