"""Trees converted to dictionaries and NLTK trees, and back."""

from __future__ import annotations

import json
import math
import sys

import pytest
from hypothesis import given
from tests.strategies import trees

from whorl.errors import MissingPackageError, TreeError
from whorl.trees import Leaf, Tree, read_tree

TREE = read_tree("(S (NP (-LRB- -LRB-) (NN cat)) (VP (VBZ sleeps)))")


@given(trees())
def test_dictionaries_go_through_json_and_back(tree):
    assert Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree


def test_a_tree_is_a_plain_dictionary():
    assert read_tree("(NP (DT the) (X (NN cat)))").to_dict() == {
        "label": "NP",
        "children": [
            {"tag": "DT", "word": "the"},
            {"label": "X", "children": [{"tag": "NN", "word": "cat"}]},
        ],
    }


def test_deep_trees_are_converted_without_recursion():
    deep = read_tree("(X " * 5000 + "(A b)" + ")" * 5000)
    assert Tree.from_dict(deep.to_dict()) == deep


@pytest.mark.parametrize(
    "dictionary",
    [
        {},
        {"label": "X"},
        {"label": "X", "children": [1]},
        [],
        None,
        {"tag": "A"},
        {"tag": "A", "word": "b"},
    ],
)
def test_dictionaries_of_no_tree_are_rejected(dictionary):
    with pytest.raises(TreeError):
        Tree.from_dict(dictionary)
    with pytest.raises(TreeError):
        Tree.from_dict({"label": "X", "children": []})


def test_nltk_trees_have_escaped_words_and_convert_back():
    nltk = pytest.importorskip("nltk")
    nltk_tree = TREE.to_nltk()
    assert nltk_tree.leaves() == ["-LRB-", "cat", "sleeps"]
    assert nltk_tree == nltk.Tree.fromstring(str(TREE))
    back = Tree.from_nltk(nltk_tree)
    assert back == TREE
    assert [leaf.left for leaf in back.leaves()] == [0, 1, 2]
    for wrong in (
        nltk.Tree("S", []),
        nltk.Tree("S", ["a", "b"]),
        nltk.Tree("NN", ["cat"]),
        "cat",
        3,
    ):
        with pytest.raises(TreeError):
            Tree.from_nltk(wrong)


@given(trees())
def test_nltk_trees_of_any_tree_convert_back(tree):
    pytest.importorskip("nltk")
    probabilities = [number / 100 for number, _ in enumerate(tree.phrases())]
    assert Tree.from_nltk(tree.to_nltk()) == tree
    assert Tree.from_nltk(tree.to_nltk(probabilities)) == tree


def test_probabilities_make_probabilistic_trees():
    nltk = pytest.importorskip("nltk")
    nltk_tree = TREE.to_nltk([0.5, None, 0.25])
    assert type(nltk_tree) is nltk.ProbabilisticTree
    assert nltk_tree.prob() == 0.5
    assert math.isnan(nltk_tree[0].prob())
    assert [node.prob() for node in nltk_tree[1].subtrees()] == [0.25, 1.0]
    assert nltk.Tree.convert(nltk_tree) == TREE.to_nltk()
    with pytest.raises(TreeError, match="a probability for each of 3 phrases, not 1"):
        TREE.to_nltk([0.5])


def test_chunk_trees_of_nltk_have_pairs_for_leaves():
    nltk = pytest.importorskip("nltk")
    chunker = nltk.RegexpParser("NP: {<DT>?<NN>}")
    chunks = chunker.parse([("the", "DT"), ("cat", "NN"), ("sleeps", "VBZ"), (")", "-RRB-")])
    tree = read_tree("(S (NP (DT the) (NN cat)) (VBZ sleeps) (-RRB- -RRB-))")
    assert Tree.from_nltk(chunks) == tree
    for pair in (("cat", None), ("cat", "NN", "x"), ("cat",)):
        with pytest.raises(TreeError, match="not an NLTK tree"):
            Tree.from_nltk(nltk.Tree("S", [pair]))


def test_without_nltk_the_error_names_the_command_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.tree", None)
    with pytest.raises(MissingPackageError, match=r"needs NLTK, .*: pip install 'whorl\[nltk\]'"):
        TREE.to_nltk()


def test_notebooks_show_a_picture_that_scrolls():
    assert TREE._repr_html_() == f'<div style="overflow-x: auto">{TREE._repr_svg_()}</div>'
    assert Leaf("NN", "cat") in TREE.leaves()
