"""Edits of random trees are those of slow ones, and leave well-formed trees."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.search import edit_reference as slow
from tests.search.test_properties import small_trees
from tests.strategies import trees

from whorl import search
from whorl.errors import EditError
from whorl.trees import Leaf, Tree, format_tree, read_tree

# The nodes that an operation is about are marked by labels of their own, found by them, and
# relabelled last, so that the pattern matches once.
FOUND, OTHER = "ZZ", "WW"


def marked(tree, path, label):
    return slow.change(tree, path, (label, slow.at(tree, path)[1]))


def edited(tree, pattern, operations):
    text = slow.written(tree)
    result = search.compile_edit(pattern, operations).apply(
        read_tree(f"(TOP {text})", untagged=True)
    )
    return None if result is None else str(result)


def expected(tree):
    return None if tree is None else slow.written(("TOP", (tree,)))


def one(tree, operation, *, words=True):
    """Carry out one operation on the marked node, `n`; the marks become Q and R."""
    operations = [operation, "if exists n relabel n Q", "if exists m relabel m R"]
    return edited(tree, f"{FOUND}=n ?: {OTHER}=m", operations)


def done(tree):
    """The same marks in a tree of the slow functions."""
    names = {FOUND: "Q", OTHER: "R"}
    label, children = tree
    return names.get(label, label), tuple(map(done, children))


@st.composite
def marked_trees(draw, count=1):
    """A tree, and the paths of different nodes in it, in order; none is the root."""
    tree = slow.nested(draw(small_trees()))
    places = slow.paths(tree)[1:]
    assume(len(places) >= count)
    indices = st.lists(st.integers(0, len(places) - 1), min_size=count, max_size=count, unique=True)
    chosen = [places[index] for index in draw(indices)]
    for path, label in zip(chosen, (FOUND, OTHER), strict=False):
        tree = marked(tree, path, label)
    return tree, *chosen


NEW = ("I", (("i", ()),))


@given(marked_trees(), st.integers(0, 3))
def test_operations_on_one_node(case, index):
    tree, path = case
    count = len(slow.at(tree, path)[1])
    parent, here = path[:-1], path[-1]
    assert one(tree, "relabel n Q") == expected(done(tree))
    assert one(tree, "delete n") == expected(slow.delete(tree, path))
    assert one(tree, "prune n") == expected(slow.prune(tree, path))
    assert one(tree, "excise n n") == expected(slow.excise(tree, path, path))
    assert one(tree, "replace n (I i)") == expected(slow.change(tree, path, NEW))
    for text, at in (("$+", here), ("$-", here + 1)):
        new = slow.insert(tree, parent, at, NEW)
        assert one(tree, f"insert (I i) {text} n") == expected(done(new))
    if index <= count:
        new = slow.insert(tree, path, index, NEW)
        assert one(tree, f"insert (I i) >{index + 1} n") == expected(done(new))
        new = slow.insert(tree, path, count - index, NEW)
        assert one(tree, f"insert (I i) >-{index + 1} n") == expected(done(new))
    for name, function in (
        ("adjoin", slow.adjoin),
        ("adjoinF", slow.adjoin_to_foot),
        ("adjoinH", slow.adjoin_to_head),
    ):
        new = function(tree, path)
        assert one(tree, f"{name} (X (Y y) F@) n") == expected(done(new))
    new = slow.create_subtree(tree, parent, here, here, "I")
    assert one(tree, "createSubtree I n") == expected(done(new))


def is_within(path, top):
    return path[: len(top)] == top


@given(marked_trees(count=2))
def test_operations_on_two_nodes(case):
    tree, first, second = case
    moved = slow.at(tree, first)
    if is_within(second, first):
        for place in ("$+", "$-", ">1"):
            with pytest.raises(EditError, match="is part of"):
                one(tree, f"move n {place} m")
        assert one(tree, "excise n m") == expected(done(slow.excise(tree, first, second)))
    else:
        rest = slow.delete(tree, first)
        target = next(p for p in slow.paths(rest) if slow.at(rest, p)[0] == OTHER)
        for place, new in (
            ("$+", slow.insert(rest, target[:-1], target[-1], moved)),
            ("$-", slow.insert(rest, target[:-1], target[-1] + 1, moved)),
            (">1", slow.insert(rest, target, 0, moved)),
            (">-1", slow.insert(rest, target, len(slow.at(rest, target)[1]), moved)),
        ):
            assert one(tree, f"move n {place} m") == expected(done(new))
    if not is_within(second, first) and not is_within(first, second):
        new = slow.change(tree, first, slow.at(tree, second))
        # The copy keeps the mark, which the operations after it do not know.
        assert edited(tree, f"{FOUND}=n : {OTHER}=m", "replace n m") == expected(new)
    if first[:-1] == second[:-1]:
        start, end = sorted((first[-1], second[-1]))
        new = slow.create_subtree(tree, first[:-1], start, end, "I")
        assert one(tree, "createSubtree I n m") == expected(done(new))
    else:
        with pytest.raises(EditError, match="different parents"):
            one(tree, "createSubtree I n m")


@given(marked_trees(count=2))
def test_moveprune_is_move_without_what_becomes_empty(case):
    tree, first, second = case
    assume(not is_within(second, first))
    parent = first[:-1]
    moved = one(tree, "move n >1 m")
    pruned = one(tree, "moveprune n >1 m")
    if len(slow.at(tree, parent)[1]) > 1 or parent == second:
        assert pruned == moved
    else:
        rest = slow.prune(tree, first)
        assume(rest is not None)
        targets = [p for p in slow.paths(rest) if slow.at(rest, p)[0] == OTHER]
        assume(targets)  # else it goes below a node that would be empty without it
        new = slow.insert(rest, targets[0], 0, slow.at(tree, first))
        assert pruned == expected(done(new))


def is_well_formed(tree):
    position = tree.left
    for leaf in [tree] if isinstance(tree, Leaf) else tree.leaves():
        if leaf.left != position or not leaf.word:
            return False
        position += 1
    phrases = [] if isinstance(tree, Leaf) else list(tree.phrases())
    return tree.right == position and all(
        node.children
        and (node.left, node.right) == (node.children[0].left, node.children[-1].right)
        and all(a.right == b.left for a, b in zip(node.children, node.children[1:], strict=False))
        for node in phrases
    )


PATTERNS = ["A=n", "B=n < __=m", "__=n <: __=m", "a|b=n", "C=n $+ __=m", "A=n .. B=m", "A=n << b=m"]
STEPS = [
    "relabel n C",
    "relabel n /^(.).*$/x$1/",
    "delete n",
    "prune n",
    "excise n n",
    "insert (D (E d) e) $+ n",
    "insert (D d) >1 n",
    "insert n >-1 n",
    "adjoin (D (E e) F@) n",
    "adjoinF (D F@) n",
    "adjoinH (D (E F@)) n",
    "createSubtree D n",
    "replace n (D d) d",
    "coindex n",
    "if exists m prune m",
    "if exists m move n >1 m",
    "if exists m moveprune m $- n",
    "if exists m excise n m",
    "if exists m replace n m",
    "if exists m createSubtree D m n",
]


@given(
    st.one_of(small_trees(), trees()),
    st.sampled_from(PATTERNS),
    st.lists(st.sampled_from(STEPS), min_size=1, max_size=3),
)
def test_any_edit_gives_a_well_formed_tree_or_an_error(tree, pattern, operations):
    if "=m" not in pattern:
        operations = [step for step in operations if " m" not in step]
        assume(operations)
    try:
        after = search.compile_edit(pattern, operations).apply(tree, max_changes=5)
    except EditError:
        return
    if after is None:
        return
    assert is_well_formed(after)
    assert after is tree or search.compile(pattern).first(after) is None
    if isinstance(after, Tree) and all(map(str.strip, after.words())):
        text = format_tree(after, untagged=True)
        assert format_tree(read_tree(text, untagged=True), untagged=True) == text


@given(trees())
def test_relabelling_twice_is_relabelling_once(tree):
    edit = search.compile_edit("/./=n !== /^x/ < __", "relabel n /^./x$0/")
    try:
        once = edit.apply(tree)
    except EditError:
        return
    assert edit.apply(once) is once


@given(small_trees())
def test_what_is_inserted_can_be_taken_away(tree):
    def apply(first, second):
        between = search.compile_edit(*first).apply(tree)
        return search.compile_edit(*second).apply(between)

    assert apply(("A=n !<- I", "insert (I i) >-1 n"), ("I=i", "delete i")) == tree
    assert apply(("A=n !> X", "adjoinF (X A@) n"), ("X=x", "excise x x")) == tree
    assert apply(("A=n > __ !> X", "createSubtree X n"), ("X=x", "excise x x")) == tree
    assert apply(("A=n", "adjoin (X Y@) n"), ("X=x < Y=y", "[excise x x] [relabel y A]")) == tree
    both = ["insert (I=i i) >1 n", "delete i", "relabel n D"]
    assert apply(("A=n", both), ("D=d", "relabel d A")) == tree
