"""An invalid pattern gives an error with the pattern, a caret and what was expected."""

from __future__ import annotations

import pickle

import pytest

from whorl import search
from whorl.errors import PatternError, SearchError, WhorlError
from whorl.search.parser import MAX_DEPTH

# Each pattern, where the caret stands, and words of the reason.
INVALID = [
    ("", 0, "expected a label"),
    ("NP <", 4, "expected a label such as NP"),
    ("NP < ", 5, "not the end of the pattern"),
    ("< NN", 0, "not '<'"),
    ("NP < 1990", 9, "expected a label"),
    ("1990", 0, "/^1990$/"),
    ("NP < .", 5, "/^[.]$/"),
    ("NP < PRP$", 9, "expected a label"),
    ("NP < NN)", 7, "the end of the pattern"),
    ("(NP < NN", 8, "a closing )"),
    ("NP [ < NN", 9, "a closing ]"),
    ("NP [ < NN )", 10, "a closing ]"),
    ("(NP | VP) < NN", 4, "NN|NNS"),
    ("NP VP", 3, "NP|VP"),
    ("NP| VP", 4, "NP|VP"),
    ("NP & VP", 3, "a relation"),
    ("NP < NN &", 9, "a relation"),
    ("NP ?!< NN", 4, "exclude each other"),
    ("NP !?< NN", 3, "both negated and optional"),
    ("NP ?(!< NN)", 3, "both negated and optional"),
    ("NP=a < NP=a", 10, "given twice"),
    ("NP=a | PP=a", 10, "given twice"),
    ("NP < =x", 6, "no node to the left"),
    ("NP=a < ~b", 8, "expected one of: a"),
    ("NP [ < NN=n | < (NP < =n) ]", 23, "no node to the left"),
    ("NP !< NN=n", 8, "within a negation"),
    ("NP=a < !=a", 7, "!== =x"),
    ("NP=a < !~a", 7, "negate the relation"),
    ("@!NP", 1, "! comes before @"),
    ("NP <0 NN", 4, "count from 1"),
    ("NP <-0 NN", 5, "count from 1"),
    ("NP <--2 NN", 5, "takes no number"),
    ("NP $+1 NN", 5, "takes no number"),
    (f"NP <{'9' * 5000} NN", 4, "too large"),
    ("NP <+(NP < NN) DT", 9, "expected )"),
    ("NP <+NP DT", 5, "( after <+"),
    ("NP <+(_ROOT_) DT", 6, "expected a label"),
    ("NP <... { }", 10, "expected a label"),
    ("NP <...{NN}", 11, "put a space before"),
    ("NP <... NN", 8, "{ after <..."),
    ("NP < _NN", 5, "cannot begin a label"),
    ("NP < /NN", 5, "has no end"),
    ("NP < /(NN/", 6, "not a regular expression"),
    ("NP < /a\\p{L}/", 7, "not a regular expression"),
    ("NP < /^[A-Z&&[^N]]/", 5, "Possible set intersection"),
    (f"/{'(' * 9000}{')' * 9000}/", 0, "not a regular expression"),
    ("/^V(.)/#2%x", 8, "has 1"),
    ("!/^V(.)/#1%x", 9, "negated"),
    ("/^V(.)/#x", 8, "the number of a group"),
    ("/^V(.)/#1", 9, "% and a variable"),
    ("NP % NN", 3, "a relation"),
    (f"{'(' * 5000}NP{')' * 5000}", MAX_DEPTH, "nests too deeply"),
    (f"NP {'[ ' * 5000}< NN{' ]' * 5000}", 3 + 2 * MAX_DEPTH, "nests too deeply"),
    (f"NP {'< (NP ' * 5000}{')' * 5000}", 5 + 6 * MAX_DEPTH, "nests too deeply"),
]


@pytest.mark.parametrize(("pattern", "position", "reason"), INVALID)
def test_an_invalid_pattern_is_shown_with_a_caret(pattern, position, reason):
    with pytest.raises(PatternError) as caught:
        search.compile(pattern)
    error = caught.value
    assert error.position == position
    assert reason in error.reason
    assert error.pattern == pattern
    _, shown, caret = str(error).split("\n")
    if len(pattern) < 60:
        assert shown == f"  {pattern}"
        assert caret == f"  {' ' * position}^"
    assert len(str(error)) < 400


def test_the_caret_stands_below_wide_characters_and_control_characters_are_hidden():
    with pytest.raises(PatternError, match=r"\n  名詞 <\n        \^$"):
        search.compile("名詞 <")
    with pytest.raises(PatternError) as caught:
        search.compile("NP\x1b[31m ] (")
    assert "\x1b" not in str(caught.value).split("\n")[1]


def test_pattern_errors_are_of_the_family_and_survive_pickling():
    with pytest.raises(WhorlError) as caught:
        search.compile("NP <")
    assert isinstance(caught.value, SearchError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


@pytest.mark.parametrize("thing", ["(S (A b))", None, [1]])
def test_only_trees_can_be_searched(thing):
    with pytest.raises(SearchError, match="expected a Tree"):
        search.compile("NP").count(thing)
