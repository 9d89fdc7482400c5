"""Static oracles: running their transitions gives the tree back, in linear time."""

from __future__ import annotations

import re
import time
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from whorl.errors import OracleError, TransitionError
from whorl.oracles import NonBinaryOracle, static_oracle
from whorl.transitions import FINISH, SHIFT, SYSTEMS, Transition, make_system
from whorl.transitions.binary import reduce_left, reduce_right, reduce_unary
from whorl.trees import LEFT, RIGHT, HeadRules, Leaf, Tree, binarise, read_tree, relabel

SIZE = 50_000


@given(strategies.trees(), st.sampled_from(["nonbinary", "topdown", "inorder"]))
def test_running_the_oracle_gives_the_tree_back(tree: Tree, name: str) -> None:
    assert make_system(name).run(tree.leaves(), static_oracle(tree, name)) == tree


@given(strategies.trees_without_stars(), strategies.any_head_rules)
def test_running_the_binary_oracle_gives_the_tree_back(tree: Tree, rules: HeadRules) -> None:
    assert (
        make_system("binary").run(tree.leaves(), static_oracle(tree, "binary", heads=rules)) == tree
    )


@given(strategies.trees())
def test_each_system_takes_the_number_of_transitions_in_the_paper(tree: Tree) -> None:
    words, phrases = len(tree.leaves()), len(tree.spans())
    counts = {name: len(static_oracle(tree, name)) for name in ("nonbinary", "topdown", "inorder")}
    assert counts == {
        "nonbinary": words + phrases + 1,
        "topdown": words + 2 * phrases,
        "inorder": words + 2 * phrases + 1,
    }


class HeadsByNumber(HeadRules):
    """Heads for a tree whose labels are distinct numbers."""

    def __init__(self, heads: dict[str, int]) -> None:
        super().__init__({})
        self.heads = heads

    def head(self, label: str, child_labels: object) -> int:
        return self.heads[label]


@given(strategies.trees(), st.randoms(use_true_random=False))
def test_the_binary_oracle_walks_the_binary_tree_in_postorder(tree: Tree, random) -> None:
    numbers = count()
    tree = relabel(tree, lambda _: str(next(numbers)))
    arities = {node.label: len(node.children) for node in tree.phrases()}
    heads = {label: random.randrange(arity) for label, arity in arities.items()}
    expected: list[Transition] = []

    def phrase(node: Tree, _: object) -> None:
        label = node.label.removesuffix("*")
        temporary = [child.label == label + "*" for child in node.children]
        if len(node.children) == 1:
            expected.append(reduce_unary(label))
        elif temporary == [False, True] or (
            not any(temporary) and heads[label] == arities[label] - 1
        ):
            expected.append(reduce_left(node.label))
        else:
            expected.append(reduce_right(node.label))

    rules = HeadsByNumber(heads)
    binarise(tree, rules).rebuild(leaf=lambda _: expected.append(SHIFT), phrase=phrase)
    assert static_oracle(tree, "binary", heads=rules) == [*expected, FINISH]


def leaf(left: int) -> Leaf:
    return Leaf("T", "w", left)


def right_branching(size: int) -> Tree:
    tree = Tree("X", [leaf(size)])
    for left in reversed(range(size)):
        tree = Tree("S", [leaf(left), tree])
    return tree


def left_branching(size: int) -> Tree:
    tree = Tree("X", [leaf(0)])
    for left in range(size):
        tree = Tree("S", [tree, leaf(left + 1)])
    return tree


def chain(size: int) -> Tree:
    tree = Tree("X", [leaf(0)])
    for _ in range(size):
        tree = Tree("S", [tree])
    return tree


def wide(size: int) -> Tree:
    return Tree("S", map(leaf, range(size)))


@pytest.mark.parametrize("shape", [right_branching, left_branching, chain, wide])
@pytest.mark.parametrize("name", SYSTEMS)
def test_huge_trees_take_linear_time(name, shape):
    tree = shape(SIZE)
    leaves = tree.leaves()
    system = SYSTEMS[name](**{"max_open" if name == "topdown" else "max_unary": SIZE + 1})
    start = time.process_time()
    for heads in (LEFT, RIGHT) if name == "binary" else (LEFT,):
        assert system.run(leaves, static_oracle(tree, name, heads=heads)) == tree
    assert time.process_time() - start < 25, (
        "a second or two is enough; a quadratic step takes minutes"
    )


def test_unary_chains_beyond_the_bound_are_rejected():
    tree = chain(8)
    for name in ("nonbinary", "binary", "inorder"):
        with pytest.raises(TransitionError, match="max_unary = 8"):
            make_system(name).run(tree.leaves(), static_oracle(tree, name))
    assert make_system("topdown").run(tree.leaves(), static_oracle(tree, "topdown")) == tree


def test_labels_of_temporary_symbols_are_rejected():
    with pytest.raises(OracleError, match=re.escape("the label 'X*' ends in '*'")):
        static_oracle(read_tree("(S (X* (A b)))"), "binary")


def test_unknown_systems_are_rejected():
    with pytest.raises(
        OracleError,
        match="no static oracle for the 'swap' system: expected one of nonbinary, binary",
    ):
        static_oracle(read_tree("(S (A b))"), "swap")


@given(strategies.trees())
def test_the_preferred_transitions_of_the_nonbinary_oracle_follow_the_static_sequence(
    tree: Tree,
) -> None:
    oracle = NonBinaryOracle(tree, max_unary=1000)
    state = oracle.system.initial(tree.leaves())
    for transition in static_oracle(tree):
        assert oracle.preferred(state) == [transition]
        state = oracle.system.apply(state, transition)
