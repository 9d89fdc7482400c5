"""The matcher finds what a slow one finds by the definitions, on random trees and patterns."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.reference import Condition, Matcher, Node

from whorl import search
from whorl.search.relations import NUMBERED, RELATIONS, THROUGH
from whorl.trees import LEFT, RIGHT, Leaf, Tree

LABELS = ("A", "B", "C", "a", "b")
HEADS = [search.STANFORD, LEFT, RIGHT]
NUMBERS = ("1", "2", "-1", "-2")
SIMPLE = [*RELATIONS, *(symbol + number for symbol in NUMBERED for number in NUMBERS)]


@st.composite
def small_trees(draw, max_words=5):
    """Trees of few labels, with unary chains, so that patterns match often."""
    stack = []
    for left in range(draw(st.integers(1, max_words))):
        stack.append(Leaf(draw(st.sampled_from("ABC")), draw(st.sampled_from("abA")), left))
        for _ in range(draw(st.integers(0, 2))):
            arity = draw(st.integers(1, 3))
            stack[-arity:] = [Tree(draw(st.sampled_from("ABC")), stack[-arity:])]
    return Tree(draw(st.sampled_from("ABC")), stack)


class _Drawer:
    """Draws patterns in which names are declared once and before they are used."""

    def __init__(self, draw):
        self.draw = draw
        self.known = []
        self.declared = 0
        self.names = draw(st.booleans())
        self.under_negation = 0

    def node(self, depth):
        kinds = ["label"] * 4
        if self.names:
            kinds += ["variable"] + ["same", "like"] * bool(self.known)
        kind = self.draw(st.sampled_from(kinds))
        node = Node()
        if kind == "same":
            node = Node(same_as=self.draw(st.sampled_from(self.known)))
        elif kind == "like":
            node = Node(like=self.draw(st.sampled_from(self.known)))
        elif kind == "variable":
            node = Node(variable=self.draw(st.sampled_from("xy")))
        else:
            labels = self.draw(st.lists(st.sampled_from(LABELS), max_size=2, unique=True))
            node = Node(labels=tuple(labels), negated=bool(labels) and self.draw(st.booleans()))
        if self.names and kind != "same" and not self.under_negation and self.draw(st.booleans()):
            node.name = f"n{'abcdefghijklmnopqrstuvwxyz'[self.declared % 26]}{self.declared}"
            self.declared += 1
            self.known = [*self.known, node.name]
        if depth and self.draw(st.booleans()):
            node.condition = self.condition(depth - 1)
        return node

    def condition(self, depth):
        mark = self.draw(st.sampled_from(["", "", "", "!", "?"]))
        self.under_negation += mark == "!"
        kind = self.draw(st.sampled_from(["relation", "relation", "every", "either"]))
        if kind == "relation" or not depth:
            condition = self.relation(depth, mark)
        else:
            before, after = self.known, []
            parts = []
            for _ in range(2):
                if kind == "either":
                    self.known = before
                parts.append(self.condition(depth - 1))
                after += [name for name in self.known if name not in after]
            self.known = after
            condition = Condition(kind, mark, parts=tuple(parts))
        self.under_negation -= mark == "!"
        return condition

    def relation(self, depth, mark):
        symbol = self.draw(st.sampled_from([*SIMPLE, *THROUGH]))
        inside = None
        if symbol in THROUGH:
            labels = self.draw(st.lists(st.sampled_from("ABC"), max_size=2, unique=True))
            inside = Node(tuple(labels), negated=bool(labels) and self.draw(st.booleans()))
        return Condition("relation", mark, symbol, inside, self.node(depth))


@st.composite
def patterns(draw, depth=3):
    return _Drawer(draw).node(depth)


def found(pattern, tree, heads):
    """What the matcher finds, in the form of the slow one."""
    for match in search.compile(pattern, heads=heads).finditer(tree, time_limit=20):
        bound = {name: node.number for name, node in match.names.items()}
        bound |= {f"%{name}": value for name, value in match.variables.items()}
        yield match.node.number, bound


def check(pattern, tree, heads=search.STANFORD):
    text = str(pattern)
    matcher = Matcher(tree, heads)
    expected = list(matcher.matches(pattern))
    matches = list(found(text, tree, heads))
    if matcher.ordered:
        assert matches == expected
    else:
        count = lambda items: Counter((node, *sorted(bound.items())) for node, bound in items)
        assert "?" in text or count(matches) == count(expected)
    compiled = search.compile(text, heads=heads)
    assert compiled.count(tree) == len(matches)
    nodes = list(dict.fromkeys(node for node, _ in matches))
    assert [node.number for node in compiled.nodes(tree)] == nodes
    first = compiled.first(tree)
    assert (first.node.number if first else None) == (nodes[0] if nodes else None)


@settings(max_examples=500)
@given(patterns(), small_trees(), st.sampled_from(HEADS))
def test_matches_are_those_of_the_definitions_in_the_same_order(pattern, tree, heads):
    check(pattern, tree, heads)


@pytest.mark.parametrize("symbol", [*SIMPLE, *THROUGH])
@settings(max_examples=25)
@given(data=st.data())
def test_every_relation_holds_where_its_definition_says(symbol, data):
    tree = data.draw(small_trees(max_words=4 if symbol in THROUGH else 7))
    inside = Node(("A", "B")) if symbol in THROUGH else None
    related = Condition("relation", "", symbol, inside, Node(name="b"))
    check(Node(name="a", condition=related), tree)
    related.target = Node()
    check(Node(condition=related), tree)
