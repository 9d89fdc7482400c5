"""Trees with the lines on which they begin."""

from __future__ import annotations

import io
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import bracket_noise, trees

from whorl.errors import BracketError
from whorl.trees import (
    brackets,
    format_tree,
    iter_tree_file_with_lines,
    iter_trees,
    iter_trees_with_lines,
    read_trees,
    read_trees_with_lines,
)


@st.composite
def files(draw):
    """A file of trees, and the line of each."""
    text, lines = "", []
    for tree in draw(st.lists(trees(), max_size=6)):
        text += draw(st.sampled_from(["", "\n", " ", "\n\n  "]))
        lines.append(text.count("\n") + 1)
        text += format_tree(tree, multiline=draw(st.booleans()))
        text += draw(st.sampled_from(["\n", "", "\r\n"]))
    return text, lines


@given(files(), st.sampled_from([1, 20, 1 << 20]))
def test_each_tree_has_the_line_of_its_first_bracket(file, block):
    text, lines = file
    with patch.object(brackets, "_BLOCK", block):
        found = list(iter_trees_with_lines(io.StringIO(text)))
    assert [line for line, _ in found] == lines
    assert [tree for _, tree in found] == list(iter_trees(io.StringIO(text)))


@given(files())
def test_the_careful_pass_finds_the_same_lines(file):
    text, lines = file
    starts: list[int] = []
    brackets._careful_pass(text, "<string>", None, 1, bare=False, damaged=False, starts=starts)
    assert [text.count("\n", 0, start) + 1 for start in starts] == lines


@given(bracket_noise)
def test_every_line_holds_the_bracket_of_a_tree_whatever_is_skipped(text):
    skipped: list[BracketError] = []
    found = list(read_trees_with_lines(text, skipped=skipped, first_line=10))
    assert [tree for _, tree in found] == read_trees(text, skipped=[])
    lines = text.split("\n")
    for line, _ in found:
        assert "(" in lines[line - 10]
    assert [line for line, _ in found] == sorted(line for line, _ in found)


def test_lines_count_what_is_skipped():
    text = "(S (A a))\n(S (B\n\n(S (C c))\n"
    skipped: list[BracketError] = []
    found = [(line, str(tree)) for line, tree in read_trees_with_lines(text, skipped=skipped)]
    assert found == [(1, "(S (A a))"), (4, "(S (C c))")]
    assert [error.line for error in skipped] == [2]


@pytest.mark.parametrize(
    ("name", "text", "layout"),
    [
        ("wsj_0001.mrg", "*x* a notice *x*\n*x* more\n\n( (S (A a)) )\n( (S\n (B b)) )\n", "wsj"),
        (
            "chtb_001.fid",
            "<DOC>\n<S ID=1>\n( (S (A a)) )\n</S>\n<S ID=2>\n( (S\n (B b)) )\n</S>\n</DOC>\n",
            "ctb",
        ),
    ],
)
def test_layouts_count_the_lines_of_the_file(tmp_path, name, text, layout):
    from whorl.trees import Layout

    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    expected = [number for number, line in enumerate(text.split("\n"), 1) if line[:2] == "( "]
    assert [line for line, _ in iter_tree_file_with_lines(file, Layout(layout))] == expected
