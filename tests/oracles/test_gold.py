"""The index of gold constituents agrees with their multiset."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import trees
from whorl.oracles.gold import GoldConstituents, built_spans
from whorl.transitions import State
from whorl.transitions.base import Stack
from whorl.trees import Leaf, Tree, relabel

few = trees(empty_roots=False).map(lambda tree: relabel(tree, lambda label: "AB"[len(label) % 2]))


@st.composite
def gold_and_stack(draw: st.DrawFn) -> tuple[Tree, list[Tree | Leaf]]:
    """Draw a gold tree and a stack over some of its words, of any trees or its own."""
    gold = draw(few)
    items: list[Tree | Leaf] = []
    for item in draw(st.lists(few, max_size=2)) if draw(st.booleans()) else gold.children:
        items.append(item.at(items[-1].right if items else 0))
    return gold, items


def state_of(items: list[Tree | Leaf]) -> State:
    stack = None
    for item in items:
        stack = Stack(item, stack)
    return State((), items[-1].right if items else 0, stack)


@given(gold_and_stack(), st.randoms())
def test_items_are_counted_by_their_constituents(drawn, random):
    tree, items = drawn
    gold = GoldConstituents(tree)
    # The second time, some items are cached.
    for taken in random.sample(range(len(items) + 1), k=min(2, len(items) + 1)):
        state = state_of(items[:taken])
        built = built_spans(state)
        assert gold.count(state.items()) == (
            built.total(),
            (built & Counter(tree.at(0).spans())).total(),
        )


@given(few)
def test_constituents_are_counted_by_their_left_edges(tree):
    gold, spans = GoldConstituents(tree), tree.at(0).spans()
    for left in range(gold.words + 2):
        assert gold.beginning_from(left) == sum(span.left >= left for span in spans)
        for right in range(gold.words + 1):
            groups = gold.beginning_at(left, ending_from=right)
            assert [edge for edge, _ in groups] == sorted(
                {s.right for s in spans if s.left == left and s.right >= right}
            )
            for edge, labels in groups:
                assert labels == Counter(span.label for span in spans if span[1:] == (left, edge))
