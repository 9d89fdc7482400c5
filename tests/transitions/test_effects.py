"""Effects are complete: a machine that knows no transition system rebuilds trees from them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from whorl.oracles import static_oracle
from whorl.transitions import SYSTEMS, Effect, Kind, Marker, Transition, make_system
from whorl.trees import HeadRules, Leaf, Node, Tree, binarise


def effects_of(tree: Tree, name: str, transitions: Sequence[Transition]) -> list[Effect]:
    system = make_system(name)
    state = system.initial(tree.leaves())
    effects = []
    for transition in transitions:
        effects.append(system.effect(state, transition))
        state = system.apply(state, transition)
    return effects


def rebuilt(leaves: Sequence[Leaf], steps: Sequence[Effect]) -> Tree:
    """Run effects on a stack of complete nodes and labels of open phrases."""
    waiting = list(reversed(leaves))
    stack: list[Node | str] = []
    for step in steps:
        if step.kind is Kind.SHIFT:
            assert step == Effect(Kind.SHIFT)
            stack.append(waiting.pop())
        elif step.kind is Kind.OPEN:
            assert step == Effect(Kind.OPEN, step.label)
            stack.append(step.label)
        elif step.kind is Kind.REDUCE:
            taken = [stack.pop() for _ in range(step.arity + (step.marker is not Marker.NONE))][
                ::-1
            ]
            if step.marker is not Marker.NONE:
                assert taken.pop(0 if step.marker is Marker.BEFORE_CHILDREN else 1) == step.label
            stack.append(Tree(step.label, taken))
        else:
            assert step == Effect(Kind.FINISH)
            assert step is steps[-1]
    assert not waiting
    assert len(stack) == 1
    return stack[0]


@given(strategies.trees(), st.sampled_from(["nonbinary", "topdown", "inorder"]))
def test_effects_are_enough_to_rebuild_the_tree(tree: Tree, name: str) -> None:
    effects = effects_of(tree, name, static_oracle(tree, name))
    assert rebuilt(tree.leaves(), effects) == tree
    assert all(step.head is None for step in effects)
    markers = {
        "nonbinary": Marker.NONE,
        "topdown": Marker.BEFORE_CHILDREN,
        "inorder": Marker.AFTER_FIRST_CHILD,
    }
    assert {step.marker for step in effects if step.kind is Kind.REDUCE} == {markers[name]}


@given(strategies.trees_without_stars(), strategies.any_head_rules)
def test_effects_of_the_binary_system_rebuild_the_binary_tree_with_its_heads(
    tree: Tree, rules: HeadRules
) -> None:
    transitions = static_oracle(tree, "binary", heads=rules)
    effects = effects_of(tree, "binary", transitions)
    assert rebuilt(tree.leaves(), effects) == binarise(tree, rules)
    heads = {"REDUCE-LEFT": 1, "REDUCE-RIGHT": 0, "REDUCE-UNARY": 0}
    assert [step.head for step in effects] == [
        heads.get(transition.name) for transition in transitions
    ]
    assert all(step.marker is Marker.NONE for step in effects)


def test_every_system_is_covered_here() -> None:
    assert set(SYSTEMS) == {"nonbinary", "topdown", "inorder", "binary"}
