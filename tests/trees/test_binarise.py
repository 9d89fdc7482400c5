from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trees.tree_strategies import trees
from tests.trees.treebanks import sample

from whorl.errors import TreeError
from whorl.trees import CHINESE, COLLINS, LEFT, RIGHT, Leaf, Tree, binarise, read_tree, unbinarise

SENTENCE = (
    "(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))"
)
BINARY = (
    "(S (NP (DT The) (JJ public)) "
    "(S* (VP (VP* (VBZ is) (ADVP (RB still))) (ADJP (JJ cautious))) (. .)))"
)
RULES = st.sampled_from([COLLINS, CHINESE, LEFT, RIGHT])


def test_the_papers_sentence_is_binarised_as_in_its_figure():
    assert str(binarise(read_tree(SENTENCE), COLLINS)) == BINARY


def test_right_siblings_join_before_left_ones_nearest_first():
    tree = read_tree("(VP (A a) (B b) (VBD c) (D d) (E e))")
    assert str(binarise(tree, COLLINS)) == "(VP (A a) (VP* (B b) (VP* (VP* (VBD c) (D d)) (E e))))"


@given(trees(), RULES)
def test_unbinarise_undoes_binarise(tree: Tree, rules):
    binary = binarise(tree, rules)
    back = unbinarise(binary)
    assert back == tree
    assert back.spans() == tree.spans()
    assert all(len(node.children) <= 2 for node in binary.phrases())
    assert all(node.right - node.left == len(node.leaves()) for node in binary.phrases())


@pytest.mark.parametrize("rules", [LEFT, RIGHT, COLLINS])
def test_a_phrase_of_50_000_children_is_binarised_and_restored(rules):
    tree = Tree("VP", [Leaf("NN" if i != 25_000 else "VBD", str(i), i) for i in range(50_000)])
    binary = binarise(tree, rules)
    assert binary.height() == 49_999
    assert unbinarise(binary) == tree


def test_a_tree_50_000_deep_is_binarised_and_restored():
    tree = read_tree("(X (A a) (B b) " * 50_000 + "(C c)" + ")" * 50_000)
    assert unbinarise(binarise(tree, RIGHT)) == tree


def test_a_root_without_a_label_is_restored():
    tree = read_tree("( (S (A a)) (B b) (C c))")
    assert unbinarise(binarise(tree, LEFT)) == tree


def test_labels_that_look_temporary_are_rejected_by_name():
    with pytest.raises(TreeError, match=r"'NP\*'"):
        binarise(read_tree("(S (NP* (A a)) (B b))"), LEFT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S* (A a) (B b))", r"'S\*' is the root"),
        ("(S (VP* (A a) (B b)) (C c))", r"'VP\*' is below 'S'; expected it below 'VP' or 'VP\*'"),
        ("(S (S* (VP* (A a) (B b)) (D d)) (C c))", r"'VP\*' is below 'S\*'"),
    ],
)
def test_misplaced_temporary_symbols_are_rejected(text: str, message: str):
    with pytest.raises(TreeError, match=message):
        unbinarise(read_tree(text))


@pytest.mark.treebank
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("en/masc/dev.txt", COLLINS),
        ("zh/sinica-nltk/dev.txt", CHINESE),
        ("ja/keyaki-open/dev.txt", RIGHT),
    ],
)
def test_real_trees_are_binarised_and_restored(name: str, rules):
    for tree in sample(name):
        assert unbinarise(binarise(tree, rules)) == tree
