"""The tree: positions, equality, immutability, no recursion."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import chains, labels, leaves, trees, words
from tests.timing import assert_linear

from whorl.errors import TreeError
from whorl.escapes import escape_brackets, unescape_brackets
from whorl.trees import Leaf, Node, Span, Tree, format_tree, read_tree

CAT = Tree(
    "S", [Tree("NP", [Leaf("DT", "the"), Leaf("NN", "cat")]), Tree("VP", [Leaf("VBZ", "sleeps")])]
)
SIZE = 50_000


def deep(size: int) -> Tree:
    return read_tree("(X " * size + "(A b)" + ")" * size)


def branching(size: int) -> Tree:
    return read_tree("(X (A b) " * size + "(A b)" + ")" * size)


def wide(size: int) -> Tree:
    return read_tree("(X" + " (A b)" * size + ")")


def check_positions(tree: Tree, left: int = 0) -> None:
    assert [leaf.left for leaf in tree.leaves()] == list(range(left, left + len(tree.words())))
    for node in tree.phrases():
        assert node.left == node.children[0].left
        assert node.right == node.children[-1].right
        for a, b in zip(node.children, node.children[1:], strict=False):
            assert a.right == b.left


def same_in_every_slot(a: Tree, b: Tree) -> bool:
    def slots(tree: Tree) -> list[tuple[object, ...]]:
        return [(type(n), n.label, n.left, n.right, getattr(n, "word", None)) for n in tree.nodes()]

    return slots(a) == slots(b)


@given(trees())
def test_children_are_contiguous(tree):
    check_positions(tree)


@given(st.lists(st.one_of(trees(), leaves), min_size=1, max_size=4), st.integers(-5, 50), labels)
def test_children_are_moved_after_the_first_which_stays(children, left, label):
    tree = Tree(label, [children[0].at(left), *children[1:]])
    check_positions(tree, left)
    assert list(tree) == children


def test_children_in_place_are_not_copied():
    leaf = Leaf("NN", "cat", 3)
    assert Tree("NP", [leaf]).children[0] is leaf


def test_children_may_come_from_a_generator():
    assert Tree("NP", (Leaf("NN", word) for word in "ab")).words() == ["a", "b"]


def test_a_phrase_without_children_is_rejected():
    with pytest.raises(TreeError, match="at least one child: 'NP' has none"):
        Tree("NP", iter(()))


@pytest.mark.parametrize("child", ["cat", None, 3, ("NN", "cat")])
def test_a_child_that_is_not_a_node_is_rejected(child):
    with pytest.raises(TreeError, match="must be a Tree or a Leaf: 'NP'"):
        Tree("NP", [Leaf("DT", "the"), child])


def test_spans_are_half_open_and_parents_come_first():
    assert CAT.spans() == [Span("S", 0, 3), Span("NP", 0, 2), Span("VP", 2, 3)]
    assert CAT.at(4).spans() == [("S", 4, 7), ("NP", 4, 6), ("VP", 6, 7)]
    assert CAT.words() == ["the", "cat", "sleeps"]
    assert CAT.tags() == ["DT", "NN", "VBZ"]
    assert CAT.height() == 2
    assert Leaf("NN", "cat", 2).right == 3


@given(trees(), st.integers(-9, 9))
def test_moving_there_and_back_changes_nothing(tree, left):
    moved = tree.at(left)
    check_positions(moved, left)
    assert moved == tree
    assert same_in_every_slot(moved.at(0), tree)


@given(trees(), trees())
def test_trees_are_equal_if_their_brackets_are_and_hashes_agree(a, b):
    assert (a == b) == (format_tree(a) == format_tree(b))
    assert hash(a) == hash(a.at(7))
    if a == b:
        assert hash(a) == hash(b)


@pytest.mark.parametrize(
    "other",
    [
        "(S (NP (DT the) (NN cat)) (VP (VBZ sleep)))",
        "(S (NP (DT the) (NNS cat)) (VP (VBZ sleeps)))",
        "(S (NP (DT the) (NN cat)) (VX (VBZ sleeps)))",
        "(S (NP (DT the) (NN cat) (VP (VBZ sleeps))))",
        "(S (NP (DT the) (NN cat)) (VBZ sleeps))",
        "(S (NP (DT the)) (NP (NN cat)) (VP (VBZ sleeps)))",
    ],
)
def test_trees_that_differ_anywhere_are_unequal_and_hash_apart(other):
    assert read_tree(other) != CAT
    assert hash(CAT) != hash(read_tree(other))


def test_nodes_differ_from_other_objects():
    assert CAT != "S"
    assert CAT.children != CAT
    assert Leaf("NN", "cat") != Tree("NN", [Leaf("NN", "cat")])
    assert Leaf("NN", "cat") != ("NN", "cat")


@pytest.mark.parametrize("node", [CAT, Leaf("NN", "cat")])
@pytest.mark.parametrize("name", ["label", "left", "right", "children", "word", "tag", "colour"])
def test_nodes_are_immutable(node: Node, name):
    with pytest.raises(AttributeError):
        setattr(node, name, "x")
    with pytest.raises(AttributeError):
        delattr(node, name)


def test_copies_are_the_tree_itself():
    for node in (CAT, CAT.leaves()[0]):
        assert copy.copy(node) is node
        assert copy.deepcopy([node])[0] is node


@given(trees(), st.integers(0, 9), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_pickling_keeps_everything(tree, left, protocol):
    tree = tree.at(left)
    assert same_in_every_slot(pickle.loads(pickle.dumps(tree, protocol)), tree)
    leaf = tree.leaves()[-1]
    back = pickle.loads(pickle.dumps(leaf, protocol))
    assert (back, back.left) == (leaf, leaf.left)


@given(words)
def test_words_hold_brackets_and_files_hold_escapes(word):
    kept = Leaf("X", word).word
    assert "-LRB-" not in kept and "-RRB-" not in kept
    assert escape_brackets(kept) == escape_brackets(word)
    assert unescape_brackets(escape_brackets(kept)) == kept
    assert Leaf("X", kept).word == kept


def test_rebuild_goes_left_to_right_and_from_the_words_up():
    seen = []
    CAT.rebuild(
        leaf=lambda leaf: seen.append(leaf.word), phrase=lambda node, _: seen.append(node.label)
    )
    assert seen == ["the", "cat", "NP", "sleeps", "VP", "S"]


def test_rebuild_gives_a_phrase_that_lost_all_children_an_empty_tuple():
    def phrase(node: Tree, children: tuple[Node, ...]) -> Tree | None:
        return Tree(node.label, children) if children else None

    kept = CAT.rebuild(leaf=lambda leaf: None if leaf.tag == "VBZ" else leaf, phrase=phrase)
    assert str(kept) == "(S (NP (DT the) (NN cat)))"
    assert CAT.rebuild(leaf=lambda leaf: None, phrase=phrase) is None


@given(trees())
def test_rebuild_with_the_same_nodes_gives_the_same_tree(tree):
    assert same_in_every_slot(
        tree.rebuild(leaf=lambda leaf: leaf, phrase=lambda n, c: Tree(n.label, c)), tree
    )


def test_representations_are_shortened_brackets():
    assert repr(CAT) == "<Tree (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))>"
    assert repr(CAT.leaves()[1]) == "Leaf('NN', 'cat')"
    assert str(CAT.leaves()[1]) == "(NN cat)"
    assert len(repr(wide(1000))) < 140
    assert repr(Tree("A B", [Leaf("", "")])) == "<Tree 'A B' of 1 words>"


@settings(max_examples=20)
@given(chains())
def test_deep_trees_keep_their_positions(tree):
    check_positions(tree)
    assert same_in_every_slot(pickle.loads(pickle.dumps(tree)), tree)


@pytest.mark.parametrize("build", [deep, branching, wide])
def test_trees_of_any_shape_are_handled_without_recursion(build):
    tree, other = build(SIZE), build(SIZE)
    assert tree == other
    assert tree != build(SIZE + 1)
    assert hash(tree) == hash(other)
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert len(list(tree.nodes())) == sum(1 for _ in tree.phrases()) + len(tree.leaves())
    assert tree.height() == (1 if build is wide else SIZE)
    check_positions(tree.at(9), 9)
    assert tree.rebuild(leaf=lambda leaf: leaf, phrase=lambda n, c: Tree(n.label, c)) == tree
    assert read_tree(format_tree(tree)) == tree
    assert read_tree(format_tree(tree, multiline=True)) == tree
    assert len(repr(tree)) < 140
    assert copy.deepcopy(tree) is tree


@pytest.mark.parametrize("build", [deep, branching, wide])
@pytest.mark.parametrize(
    "use",
    [
        lambda tree: read_tree(format_tree(tree)),
        lambda tree: read_tree(format_tree(tree, multiline=True)),
        lambda tree: pickle.loads(pickle.dumps(tree)) == tree,
        lambda tree: hash(tree.at(1)) + tree.height() + len(tree.spans()),
    ],
    ids=["brackets", "multiline", "pickle", "walks"],
)
def test_time_is_linear_in_size(build, use):
    small, large = build(SIZE // 25), build(SIZE * 10 // 25)
    assert_linear(lambda: use(small), lambda: use(large))
