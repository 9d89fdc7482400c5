"""Many stacks as arrays do what single stacks do."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from hypothesis import given
from hypothesis import strategies as st

from whorl.stack_lstm.stacks import EffectTable, Stacks
from whorl.stack_lstm.trace import EffectStack
from whorl.stack_lstm.vocabulary import Symbols
from whorl.transitions.effects import Effect, Kind, Marker

OPENED = 1000  # elements from here on are opened labels, and from 2000 on phrases
BUILT = 2000


@st.composite
def effects_of_a_stack(draw):
    """A sequence of effects that a stack can follow."""
    height, effects = 0, []
    for _ in range(draw(st.integers(1, 40))):
        kinds = [Kind.SHIFT, Kind.OPEN] + [Kind.REDUCE] * (height > 2)
        kind = draw(st.sampled_from(kinds))
        if kind is not Kind.REDUCE:
            effects.append(Effect(kind, "X" if kind is Kind.OPEN else None))
            height += 1
            continue
        marker = draw(st.sampled_from(Marker))
        arity = draw(st.integers(1, height - 1))
        effects.append(Effect(kind, "X", arity, marker, draw(st.integers(0, arity - 1))))
        height -= effects[-1].takes - 1
    return effects


def follow(effects):
    """Return what a single stack takes at each reduce, and the stack at the end."""
    stack, taken = EffectStack(), []
    for step, effect in enumerate(effects):
        if effect.kind is Kind.SHIFT:
            element, stack.buffer = stack.buffer, stack.buffer + 1
        elif effect.kind is Kind.OPEN:
            element = OPENED + step
        else:
            taken.append(stack.take(effect))
            element = BUILT + step
        stack.push(element, step + 1)
    return taken, stack


@given(st.lists(effects_of_a_stack(), min_size=1, max_size=5))
def test_stacks_as_arrays_follow_effects_as_single_stacks_do(sequences):
    table = EffectTable(Symbols(["X"], arity=False))
    stacks, taken = Stacks(len(sequences)), [[] for _ in sequences]
    for step in range(max(map(len, sequences))):
        stacks.keep(
            np.array(
                [row for row, s in enumerate(stacks.sentence.tolist()) if step < len(sequences[s])]
            )
        )
        current = [sequences[s][step] for s in stacks.sentence.tolist()]
        columns = table.columns(np.array([table.number(effect) for effect in current]))
        elements = np.where(columns[0] == Kind.OPEN, OPENED, BUILT) + step
        shifted = np.flatnonzero(columns[0] == Kind.SHIFT)
        elements[shifted] = stacks.shift(shifted)
        reduced = np.flatnonzero(columns[0] == Kind.REDUCE)
        if len(reduced):
            phrases, _, _ = stacks.reduce(reduced, *columns[1:, reduced])
            assert sorted(phrases.arities.tolist(), reverse=True) == phrases.arities.tolist()
            parts = np.split(phrases.children, np.cumsum(phrases.arities)[:-1])
            for row, children in zip(phrases.rows.tolist(), parts, strict=True):
                taken[stacks.sentence[row]].append(children.tolist())
        stacks.push(elements, np.full(len(stacks), step + 1))
        for row, sentence in enumerate(stacks.sentence.tolist()):
            expected_taken, expected = follow(sequences[sentence][: step + 1])
            assert taken[sentence] == expected_taken
            assert stacks.elements[row, : stacks.height[row]].tolist() == expected.elements
            assert stacks.nodes[row, : stacks.height[row] + 1].tolist() == expected.nodes
            assert (stacks.buffer[row], stacks.tops()[row]) == (expected.buffer, expected.nodes[-1])
