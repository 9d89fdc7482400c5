from __future__ import annotations

import pytest
from hypothesis import given
from tests.trees.tree_strategies import trees

from whorl.trees import (
    Cleaning,
    Tree,
    add_root,
    collapse_loops,
    map_words,
    normalise_root,
    read_tree,
    remove_traces,
    splice,
    strip_function_tags,
    strip_root,
    unescape_slashes,
)

WSJ_0003 = r"""
( (S
    (S-TPC-1
      (NP-SBJ
        (NP (NN asbestos) )
        (PRN (-LRB- -LRB-) (NP (NP (NNS fibers) )) (-RRB- -RRB-) ))
      (VP (VBD was)
        (VP (VBN used)
          (NP (-NONE- *-1) )
          (PRT|ADVP (RP up) )
          (NP=2 (CD 1\/2) ))))
    (, ,)
    (NP-SBJ (PRP$ its) (NNS researchers) )
    (VP (VBD said)
      (SBAR (-NONE- 0)
        (S (-NONE- *T*-1) )))
    (. .) ))
"""


def test_a_tree_of_the_penn_treebank_becomes_what_a_parser_learns():
    cleaned = Cleaning(slashes=True)(read_tree(WSJ_0003))
    assert str(cleaned) == (
        "(TOP (S (S (NP (NP (NN asbestos)) (PRN (-LRB- -LRB-) (NP (NNS fibers)) (-RRB- -RRB-))) "
        "(VP (VBD was) (VP (VBN used) (PRT (RP up)) (NP (CD 1/2))))) (, ,) "
        "(NP (PRP$ its) (NNS researchers)) (VP (VBD said)) (. .)))"
    )


def test_every_step_can_be_left_out():
    tree = read_tree(WSJ_0003)
    nothing = Cleaning(
        traces=False, function_tags=False, alternatives=False, loops=False, root=None
    )
    assert nothing(tree) == tree


@pytest.mark.parametrize(
    ("label", "stripped"),
    [
        ("NP-SBJ-1", "NP"),
        ("ADVP=2", "ADVP"),
        ("NP=2", "NP"),
        ("S-TPC-1=3", "S"),
        ("PRP$", "PRP$"),
        ("-LRB-", "-LRB-"),
        ("-NONE-", "-NONE-"),
        ("-", "-"),
        ("=", "="),
        ("", ""),
        ("WHNP-1", "WHNP"),
        ("PRT|ADVP", "PRT|ADVP"),
    ],
)
def test_function_tags_and_indices_are_cut(label: str, stripped: str):
    assert strip_function_tags(label) == stripped


def test_words_are_renumbered_when_traces_are_removed():
    tree = remove_traces(
        read_tree("(S (NP (-NONE- *)) (VP (VB go) (NP (-NONE- *T*)) (ADVP (RB home))))")
    )
    assert tree is not None
    assert str(tree) == "(S (VP (VB go) (ADVP (RB home))))"
    assert [(leaf.word, leaf.left) for leaf in tree.leaves()] == [("go", 0), ("home", 1)]
    assert tree.spans() == read_tree(str(tree)).spans()


def test_a_tree_of_only_traces_becomes_none():
    assert remove_traces(read_tree("(S (NP (-NONE- *)) (VP (-NONE- *T*)))")) is None
    assert Cleaning()(read_tree("( (S (-NONE- *)))")) is None


def test_a_trace_that_is_a_word_stays():
    tree = read_tree("(NP (NN *) (NN -NONE-))")
    assert remove_traces(tree) is tree


def test_the_children_of_spliced_phrases_move_up():
    tree = read_tree("(NML (NP (NML (NX (NN a) (NML (NN b))) (NN c)) (NN d)))")
    assert str(splice(tree, {"NML", "NX"})) == "(NML (NP (NN a) (NN b) (NN c) (NN d)))"


def test_loops_that_differ_only_in_function_tags_are_collapsed():
    tree = read_tree("(S (NP-SBJ (NP (NP-1 (NN a)))) (VP (VP (VB b)) (VP (VB c))))")
    assert str(Cleaning(root=None)(tree)) == "(S (NP (NN a)) (VP (VP (VB b)) (VP (VB c))))"


def test_loops_left_by_splicing_or_a_root_are_collapsed():
    tree = read_tree("( (TOP (NP (NML (NP (NN a))))))")
    assert str(Cleaning(splice=frozenset({"NML"}))(tree)) == "(TOP (NP (NN a)))"


@pytest.mark.parametrize("root", ["", "ROOT", "TOP", "S1", "VROOT"])
def test_any_name_of_the_root_becomes_the_wanted_one(root: str):
    tree = read_tree(f"({root} (S (A a)))")
    assert str(normalise_root(tree)) == "(TOP (S (A a)))"
    assert str(normalise_root(tree, "ROOT")) == "(ROOT (S (A a)))"
    assert str(strip_root(tree)) == "(S (A a))"


def test_a_tree_without_a_root_gets_one():
    assert str(normalise_root(read_tree("(S (A a))"))) == "(TOP (S (A a)))"
    assert str(add_root(read_tree("(S (A a))"))) == "(TOP (S (A a)))"
    assert str(add_root(read_tree("(ROOT (A a))"))) == "(TOP (ROOT (A a)))"


def test_a_root_with_several_children_or_a_bare_word_stays():
    for text in ("(TOP (S (A a)) (S (B b)))", "(TOP (A a))", "(S (NP (A a)))"):
        assert str(strip_root(read_tree(text))) == text


@given(trees(["S", "NP"]))
def test_adding_and_stripping_a_root_are_inverse(tree: Tree):
    assert strip_root(add_root(tree)) == tree
    assert add_root(add_root(tree)) == add_root(tree)


@given(trees(["S", "NP", "NP-SBJ", "NML", "TOP", "PRT|ADVP"]))
def test_cleaning_a_clean_tree_changes_nothing(tree: Tree):
    clean = Cleaning(splice=frozenset({"NML"}))
    once = clean(tree)
    assert once is not None
    assert clean(once) == once
    assert once.words() == tree.words()
    assert once.spans() == Tree(once.label, once.children).spans()


def test_words_can_be_mapped():
    tree = read_tree(r"(NP (CD 1\/2) (NN \*))")
    assert map_words(tree, unescape_slashes).words() == ["1/2", "*"]


def test_the_tags_of_words_are_cut_only_on_request():
    tree = read_tree("(NP-SBJ (NR-SHORT 中) (v-fin é) (NN|NNS x))")
    assert str(Cleaning(root=None)(tree)) == "(NP (NR-SHORT 中) (v-fin é) (NN x))"
    assert str(Cleaning(root=None, tag_suffixes=True)(tree)) == "(NP (NR 中) (v é) (NN x))"


@pytest.mark.parametrize("opening", ["(NML ", "(NP-SBJ ", "(NP (-NONE- *) ", "(NML (A a) "])
def test_a_tree_50_000_deep_is_cleaned(opening: str):
    tree = read_tree("(S " + opening * 50_000 + "(C c)" + ")" * 50_001)
    cleaned = Cleaning(splice=frozenset({"NML"}))(tree)
    assert cleaned is not None
    assert cleaned.height() <= 3
    assert cleaned.words() == [word for word in tree.words() if word != "*"]


def test_a_phrase_of_50_000_children_is_cleaned():
    tree = read_tree("(S (NML " + "(A a) (-NONE- *) " * 25_000 + "))")
    cleaned = Cleaning(splice=frozenset({"NML"}), root="")(tree)
    assert cleaned is not None
    assert len(cleaned.children) == 25_000


def test_collapsing_keeps_loops_that_are_not_unary():
    text = "(X (X (X (A a))) (X (B b)))"
    assert str(collapse_loops(read_tree(text))) == "(X (X (A a)) (X (B b)))"
