"""Pretokenised lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import words
from whorl.text import read_tokens
from whorl.trees import Leaf, Tree, format_tree, read_tree


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("The public is still cautious .\n", ["The", "public", "is", "still", "cautious", "."]),
        ("-LRB- a -RRB-", ["(", "a", ")"]),
        ("( a )", ["(", "a", ")"]),
        (r"1\/2 and \* or \\", [r"1\/2", "and", r"\*", "or", r"\\"]),
        ("do n't don't ``", ["do", "n't", "don't", "``"]),
        ("  a \t b\r\n", ["a", "b"]),
        ("a\u00a0b \u3000", ["a\u00a0b", "\u3000"]),
        ("-LSB- -LCB-", ["-LSB-", "-LCB-"]),
        ("", []),
    ],
)
def test_tokens_are_kept_except_for_bracket_escapes(line, expected):
    assert read_tokens(line) == expected


@given(st.lists(words, min_size=1))
def test_words_are_those_that_a_tree_holds(words):
    assert read_tokens(" ".join(words)) == [Leaf("X", word).word for word in words]
    tree = read_tree(format_tree(Tree("S", [Leaf("X", word) for word in words])))
    assert read_tokens(" ".join(words)) == [leaf.word for leaf in tree.leaves()]
