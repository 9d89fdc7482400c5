"""Files of patterns: names, comments, continuation lines, and where errors are."""

from __future__ import annotations

import pytest

from whorl.errors import PatternError, SearchError
from whorl.search import parse_patterns, read_patterns
from whorl.trees import read_tree

TREE = read_tree("(S (NP (DT a) (NN cat)) (VP (VBZ sits)))")


def test_patterns_have_names_or_are_their_own():
    patterns = parse_patterns(
        "# a comment\n\nNP < NN\nverb := VBZ\n  \nlong :=  S\n   < NP\n\t< VP\nVP/T := VP\r\n"
    )
    assert list(patterns) == ["NP < NN", "verb", "long", "VP/T"]
    assert [pattern.count(TREE) for pattern in patterns.values()] == [1, 1, 1, 1]
    assert patterns["long"].source == "S\n   < NP\n\t< VP"


def test_a_relation_of_two_patterns_is_no_name():
    assert list(parse_patterns("S : NP\nS: VP")) == ["S : NP", "S: VP"]


def test_an_error_names_file_line_and_place(tmp_path):
    file = tmp_path / "patterns.txt"
    file.write_text("NP\n\nverb := VP <\n", encoding="utf-8")
    with pytest.raises(PatternError) as caught:
        read_patterns(file)
    first, pattern, caret = str(caught.value).splitlines()
    assert first.startswith(f"{file}:3: expected a label")
    assert (pattern, caret) == ("  VP <", "      ^")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: no pattern; expected one on each line"),
        ("# only this\n", "f: no pattern"),
        ("  NP\n", "f:1: white space before 'NP' continues a pattern, and there is none above it"),
        ("x := NP\nx := VP", "f:2: a second pattern 'x'; expected another name"),
        ("NP < NN\nNP  < NN", "f:2: a second pattern 'NP < NN'"),
    ],
)
def test_what_is_no_file_of_patterns(text, message):
    with pytest.raises(SearchError) as caught:
        parse_patterns(text, source="f")
    assert str(caught.value).startswith(message)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(SearchError, match=r"cannot read the patterns in .*none\.txt"):
        read_patterns(tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes(b"NP\n/caf\xe9/\n")
    with pytest.raises(SearchError, match=r"latin\.txt:2: not UTF-8"):
        read_patterns(tmp_path / "latin.txt")


def test_a_byte_order_mark_is_no_part_of_a_pattern(tmp_path):
    (tmp_path / "marked.txt").write_bytes(b"\xef\xbb\xbfNP\n")
    assert list(read_patterns(tmp_path / "marked.txt")) == ["NP"]
