"""Properties of every transition system: legality, termination, errors, names."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests import strategies
from tests.oracles.exhaustion import Universe
from tests.transitions.walks import random_walk
from whorl.errors import TransitionError
from whorl.oracles import static_oracle
from whorl.transitions import (
    FINISH,
    SHIFT,
    SYSTEMS,
    Binary,
    InOrder,
    NonBinary,
    OpenPhrase,
    State,
    System,
    TopDown,
    Transition,
    make_system,
)
from whorl.transitions.binary import reduce_left, reduce_right, reduce_unary
from whorl.transitions.inorder import pj
from whorl.transitions.nonbinary import reduce
from whorl.transitions.topdown import REDUCE, nt
from whorl.trees import Leaf, Tree

LABELS = ("A", "B")
BOUNDS = {
    "nonbinary": "max_unary",
    "binary": "max_unary",
    "topdown": "max_open",
    "inorder": "max_unary",
}

names = st.sampled_from(sorted(SYSTEMS))
randoms = st.integers(0, 1 << 32).map(Random)


def bounded(name: str, bound: int) -> System:
    return SYSTEMS[name](LABELS, **{BOUNDS[name]: bound})


def inventory(name: str, words: int) -> list[Transition]:
    """Return every transition over the labels, and some that no state allows."""
    plain_transitions = [Transition(plain) for plain in SYSTEMS[name].plain_names]
    if name == "nonbinary":
        return plain_transitions + [reduce(label, k) for label in LABELS for k in range(words + 2)]
    endings = ("", "*") if name == "binary" else ("",)
    return plain_transitions + [
        Transition(phrase, label + ending)
        for phrase, label, ending in product(SYSTEMS[name].phrase_names, LABELS, endings)
    ]


def most_steps(name: str, words: int, bound: int) -> int:
    """Return a bound on the length of a walk."""
    if name == "topdown":
        return words * (1 + 2 * bound)
    phrases = words - 1 + bound * (2 * words - 1)
    return words + phrases * (2 if name == "inorder" else 1) + 1


@given(names, st.lists(strategies.leaves, min_size=1, max_size=6), st.integers(1, 3), randoms)
def test_random_walks_end_with_one_tree_over_all_words(name, leaves, bound, random):
    system = bounded(name, bound)
    states = list(random_walk(system, system.initial(leaves), random))
    assert len(states) - 1 <= most_steps(name, len(leaves), bound)
    assert states[-1].size == 1
    tree = system.tree(states[-1])
    assert tree.leaves() == leaves
    assert {label for label, _, _ in tree.spans()} <= set(LABELS)
    assert tree.span[1:] == (0, len(leaves))
    assert [node.left for node in tree.leaves()] == list(range(len(leaves)))
    assert system.legal(states[-1]) == []


@given(names, st.integers(1, 5), st.integers(1, 3), randoms)
def test_legal_agrees_with_is_legal(name, words, bound, random):
    system = bounded(name, bound)
    every = inventory(name, words)
    for state in random_walk(system, system.initial([Leaf("T", "w")] * words), random):
        legal = system.legal(state)
        assert len(set(legal)) == len(legal)
        assert set(legal) == {
            transition for transition in every if system.is_legal(state, transition)
        }
        for transition in set(every) - set(legal):
            with pytest.raises(TransitionError, match="not legal in the " + name):
                system.apply(state, transition)


@given(names, st.integers(1, 5), st.integers(1, 3), randoms)
def test_the_chain_kept_on_the_stack_equals_the_one_counted(name, words, bound, random):
    system = bounded(name, bound)
    for state in random_walk(system, system.initial([Leaf("T", "w")] * words), random):
        if state.stack is not None and name == "topdown":
            assert state.stack.chain == open_in_a_row(state)
        elif state.stack is not None:
            cell = (
                state.stack if not isinstance(state.stack.item, OpenPhrase) else state.stack.below
            )
            assert cell is not None
            assert cell.chain == unary_phrases(cell.item)


def open_in_a_row(state: State) -> int:
    items = state.items()
    return next((n for n, item in enumerate(items) if not isinstance(item, OpenPhrase)), len(items))


def unary_phrases(item: object) -> int:
    count = 0
    while isinstance(item, Tree) and len(item.children) == 1:
        count += 1
        item = item.children[0]
    return count


@pytest.mark.parametrize("words", [1, 2, 3, 4])
@pytest.mark.parametrize("max_unary", [1, 2])
def test_binary_has_no_dead_end_in_any_state(words, max_unary):
    system = Binary(LABELS, max_unary=max_unary)
    seen = set()
    pending = [system.initial([Leaf("T", "w")] * words)]
    finals = 0
    while pending:
        state = pending.pop()
        legal = system.legal(state)
        if system.is_final(state):
            finals += 1
            assert system.tree(state).span[1:] == (0, words)
            continue
        assert legal, state.items()
        for transition in legal:
            after = system.apply(state, transition)
            if (key := binary_key(after)) not in seen:
                seen.add(key)
                pending.append(after)
    assert finals


def binary_key(state: State) -> tuple[object, ...]:
    """Return all that legality can depend on: the temporary items with their labels, the chains."""
    cells = []
    stack = state.stack
    while stack is not None:
        label = stack.item.label
        cells.append((label if label.endswith("*") else isinstance(stack.item, Tree), stack.chain))
        stack = stack.below
    return state.buffer, state.finished, tuple(cells)


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("bound", [1, 2])
@pytest.mark.parametrize("kind", [NonBinary, TopDown, InOrder])
def test_the_other_systems_have_no_dead_end_in_any_state(kind, words, bound):
    universe = Universe(kind(LABELS, **{BOUNDS[kind.name]: bound}), words)  # raises at a dead end
    assert any(map(universe.system.is_final, universe.states))


@given(names, strategies.labels, st.integers(1, 99))
@example("nonbinary", "X#2", 3)
@example("binary", "LEFT-X", 1)
@example("binary", "", 1)
@example("nonbinary", "", 1)
@example("topdown", "REDUCE", 1)
def test_names_read_back(name, label, arity):
    system = make_system(name)
    transitions = [Transition(plain) for plain in system.plain_names]
    if name == "nonbinary":
        transitions.append(reduce(label, arity))
    else:
        transitions += [Transition(phrase, label) for phrase in system.phrase_names]
    assert [system.parse(str(transition)) for transition in transitions] == transitions


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("nonbinary", "REDUCE", "expected one of SHIFT, FINISH, REDUCE-X"),
        ("nonbinary", "REDUCE-X", "expected REDUCE-X#k with k children, not 'REDUCE-X'"),
        ("nonbinary", "REDUCE-X#0", "expected REDUCE-X#k"),
        ("nonbinary", "REDUCE-X#-1", "expected REDUCE-X#k"),
        ("nonbinary", "shift", "unknown transition 'shift' in the nonbinary system"),
        (
            "binary",
            "REDUCE-X",
            "expected one of SHIFT, FINISH, REDUCE-LEFT-X, REDUCE-RIGHT-X, REDUCE-UNARY-X",
        ),
        ("topdown", "FINISH", "expected one of SHIFT, REDUCE, NT-X"),
        ("inorder", "", "expected one of SHIFT, REDUCE, FINISH, PJ-X"),
    ],
)
def test_unknown_transition_names_are_rejected(name, text, message):
    with pytest.raises(TransitionError, match=message):
        make_system(name).parse(text)


@pytest.mark.parametrize(
    ("system", "before", "wrong"),
    [
        (NonBinary(), [], FINISH),
        (NonBinary(), [], reduce("X", 1)),
        (NonBinary(), [SHIFT], reduce("X", 2)),
        (NonBinary(), [SHIFT], reduce("X", 0)),
        (NonBinary(), [SHIFT, SHIFT], SHIFT),
        (NonBinary(), [SHIFT, SHIFT, reduce("X", 2)], Transition("FINISH", "X")),
        (NonBinary(), [SHIFT], Transition("REDUCE")),
        (NonBinary(max_unary=1), [SHIFT, reduce("X", 1)], reduce("X", 1)),
        (Binary(), [SHIFT], reduce_left("X")),
        (Binary(), [SHIFT], reduce_unary("X*")),
        (Binary(), [SHIFT, SHIFT], reduce_left("X*")),
        (Binary(), [SHIFT, SHIFT], reduce_right("X**")),
        (Binary(), [SHIFT], nt("X")),
        (TopDown(), [], SHIFT),
        (TopDown(), [nt("X")], REDUCE),
        (TopDown(), [nt("X"), SHIFT], REDUCE),
        (TopDown(max_open=1), [nt("X")], nt("X")),
        (TopDown(), [nt("X"), SHIFT], Transition("REDUCE", "X")),
        (InOrder(), [], pj("X")),
        (InOrder(), [SHIFT], SHIFT),
        (InOrder(), [SHIFT, pj("X")], pj("X")),
        (InOrder(), [SHIFT], REDUCE),
        (InOrder(), [SHIFT, pj("X"), REDUCE], FINISH),
    ],
)
def test_illegal_transitions_are_rejected_with_a_reason(system, before, wrong):
    state = system.initial([Leaf("T", "a"), Leaf("T", "b")])
    for transition in before:
        state = system.apply(state, transition)
    with pytest.raises(TransitionError) as caught:
        system.apply(state, wrong)
    bound = BOUNDS[system.name]
    assert str(caught.value) == (
        f"{wrong} is not legal in the {system.name} system with {state.size} items on the stack "
        f"and {2 - state.buffer} of 2 words in the buffer, {bound} = {getattr(system, bound)}"
    )


def test_nothing_is_legal_once_parsing_has_ended():
    system = NonBinary(LABELS)
    with pytest.raises(
        TransitionError, match="FINISH is not legal in the nonbinary system: parsing has ended"
    ):
        system.run([Leaf("T", "a")], [SHIFT, reduce("A", 1), FINISH, FINISH])


def test_there_is_no_tree_before_the_end():
    for name in SYSTEMS:
        with pytest.raises(TransitionError, match="no tree yet: 0 items on the stack"):
            make_system(name).run([Leaf("T", "a")], [])


def test_invalid_systems_are_rejected():
    with pytest.raises(
        TransitionError, match="unknown transition system 'bottomup': expected one of nonbinary"
    ):
        make_system("bottomup")
    with pytest.raises(TransitionError, match="at least one word"):
        NonBinary().initial([])
    for kind in (NonBinary, Binary, InOrder):
        with pytest.raises(TransitionError, match="max_unary must be at least 1, not 0"):
            kind(max_unary=0)
    with pytest.raises(TransitionError, match="max_open must be at least 1, not 0"):
        TopDown(max_open=0)
    with pytest.raises(TransitionError, match=r"the label 'X\*' ends in '\*'"):
        Binary(["S", "X*"])


def test_states_share_their_stacks():
    system = NonBinary(LABELS)
    state = system.apply(system.initial([Leaf("T", "a"), Leaf("T", "b")]), SHIFT)
    one, other = system.apply(state, SHIFT), system.apply(state, reduce("A", 1))
    assert one.stack.below is state.stack
    assert (state.size, one.size, other.size) == (1, 2, 1)


@given(strategies.trees(), names)
def test_a_system_says_whether_its_labelled_transitions_carry_an_arity(
    tree: Tree, name: str
) -> None:
    assume(not any(label.endswith("*") for label, _, _ in tree.spans()))
    labelled = [step for step in static_oracle(tree, name) if step.label is not None]
    assert {step.arity > 0 for step in labelled} == {SYSTEMS[name].labels_carry_arity}
