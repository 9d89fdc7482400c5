"""Odd patterns and trees neither crash nor hang."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl import search
from whorl.errors import PatternError, SearchError, TimeLimitError
from whorl.search.linear_regex import LinearRegex
from whorl.search.regex_trees import parse_regex
from whorl.search.regexes import Regex
from whorl.trees import Leaf, Tree
from whorl.trees.tree import make_tree

DEPTH = 100_000


@pytest.fixture(scope="module")
def deep():
    node = Leaf("NN", "dog")
    for level in range(DEPTH):
        node = make_tree("S" if level % 2 else "NP", (node,), 0, 1)
    return node


@pytest.fixture(scope="module")
def wide():
    return Tree("S", [Leaf("DT" if i % 2 else "NN", str(i), i) for i in range(20_000)])


def test_deep_trees_are_counted_without_walking_each_chain(deep):
    nodes = DEPTH + 2
    for pattern in ("__ << __", "__ >> __", "__ <<: __", "__ >>: __", "__ >># __", "__ <+(__) __"):
        assert search.compile(pattern).count(deep, time_limit=60) == nodes * (nodes - 1) // 2


def test_deep_trees_are_searched_for_names(deep):
    matches = search.compile("NP=a > S=b << dog=c").finditer(deep, time_limit=60)
    match = next(matches)
    assert (match["a"].number, match["b"].number, match["c"].number) == (1, 0, DEPTH + 1)
    assert len(str(match["b"])) > 4 * DEPTH


def test_wide_trees_are_counted_without_comparing_all_sisters(wide):
    pairs = len(wide.children) * (len(wide.children) - 1) // 2
    for pattern in ("__ $++ __", "__ $-- __", "DT|NN .. DT|NN", "DT|NN ,, DT|NN"):
        assert search.compile(pattern).count(wide, time_limit=60) == pairs


def test_huge_counts_are_exact(wide):
    assert search.compile(f"S{' < __' * 30}").count(wide) == len(wide.children) ** 30
    matches = search.compile(f"S=s{' < __' * 30}").finditer(wide)
    assert {match["s"].number for match in islice(matches, 1000)} == {0}


def test_a_time_limit_ends_a_search(wide):
    pattern = search.compile("S < __=a < __=b < __=c < (DT == =a == =b == =c)")
    for run in (pattern.count, pattern.nodes, pattern.first):
        with pytest.raises(TimeLimitError, match=r"0\.2 s on one tree: S < __=a"):
            run(wide, time_limit=0.2)


def test_the_time_limit_is_for_each_tree_and_not_for_the_caller(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("whorl.search.limits.perf_counter", lambda: clock[0])
    tree = Tree("S", [Leaf("NN", "a"), Leaf("NN", "b")])
    matches = search.compile("__=a : __=b").search([tree] * 3, time_limit=0.5)
    found = 0
    for _ in matches:
        clock[0] += 1
        found += 1
    assert found == 3 * 25


def test_chains_of_neighbours_are_not_exponential():
    node = Leaf("A", "a")
    for _ in range(40):
        node = Tree("A", [Tree("A", [node])])
    tree = Tree("S", [node] * 40)
    for pattern in ("A .+(A) Z", "A ,+(A) Z", "A=x .+(A) (Z=y)", "A=x ,+(A) (Z > =x)"):
        assert search.compile(pattern).count(tree, time_limit=30) == 0


def test_patterns_may_be_long():
    tree = Tree("S", [Tree("NP", [Leaf("NN", "a")])])
    assert search.compile(f"NP {'< NN ' * 5000}").count(tree) == 1
    assert search.compile(f"NP=n {'< NN ' * 5000}").count(tree) == 1
    assert search.compile(f"NP [ {' | '.join(['< NN'] * 5000)} ]").count(tree) == 5000
    assert search.compile(" | ".join(["NP"] * 5000)).count(tree) == 5000
    assert search.compile("|".join(["X"] * 50_000 + ["NP"])).count(tree) == 1
    assert search.compile(f"NP {'!' * 50_000}< NN").count(tree) == 0
    names = " ".join(f"< NN=n{i}" for i in range(3000))
    (match,) = search.compile(f"NP {names}").finditer(tree)
    assert len(match.names) == 3000


def test_patterns_may_nest_up_to_the_bound():
    node = Leaf("NN", "a")
    for _ in range(150):
        node = Tree("NP", [node])
    assert search.compile(f"NP=x {'< (NP ' * 100}{')' * 100}").count(node) == 50
    inside = f"{'?[ < NN | ' * 99}< NN=z{' ]' * 99}"
    assert search.compile(f"NP {inside}").count(node) == 100 + 149


@given(st.text(st.sampled_from("NP<>$.,:=~!?@|&()[]{};#%/_-+`1 a*^\\"), max_size=25))
def test_any_text_is_a_pattern_or_a_clear_error(text):
    tree = Tree("NP", [Leaf("N", "a"), Leaf("P", "a")])
    try:
        pattern = search.compile(text)
    except PatternError as error:
        assert 0 <= error.position <= len(text)
        return
    list(islice(pattern.finditer(tree, time_limit=10), 100))


CATASTROPHIC = [
    (r"(a+)+$", "a" * 60 + "b", False),
    (r"^(a|a)*$", "a" * 60 + "b", False),
    (r"(.*)*x", "a" * 2000, False),
    (r"(a?){30}a{30}$", "a" * 40, True),
    (r".*a.*b", "a" * 5000, False),
    (r"^(\w+\s?)*$", "a" * 60 + "!", False),
    ("x*" * 25 + "y", "x" * 60, False),
]


@pytest.mark.parametrize(("regex", "word", "found"), CATASTROPHIC)
def test_catastrophic_regular_expressions_end(regex, word, found):
    tree = Tree("S", [Leaf("NN", word)])
    assert search.compile(f"/{regex}/ !< __").count(tree) == found


def test_a_regular_expression_that_may_not_end_is_an_error():
    pattern = search.compile(r"/^([a-z]+)*\1$/")
    assert pattern.count(Tree("S", [Leaf("NN", "aa")])) == 1
    with pytest.raises(SearchError, match="may take too long on a word of 41 characters"):
        pattern.count(Tree("S", [Leaf("NN", "a" * 40 + "!")]))


regexes = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a-b]", r"\w", r"\D", "^", "$", r"\b", "(?i:A)"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("({0[0]}|{0[1]})".format),
        st.tuples(inner, st.sampled_from(["*", "+?", "?", "{1,2}", "{0,3}?"])).map(
            "(?:{0[0]}){0[1]}".format
        ),
    ),
    max_leaves=8,
)


@given(regexes, st.text("abA1é\n", max_size=8))
def test_the_linear_matcher_finds_what_re_finds(source, text):
    items, flags = parse_regex(source, re.ASCII)
    found = re.search(source, text, re.ASCII)
    places = LinearRegex(items, flags).search(text)
    assert (places is None) == (found is None)


@given(
    st.lists(st.sampled_from(["(a+)", "(b*)", "(a|ab)", "(c?)", "(?:a(b))?"]), max_size=6),
    st.text("abc", max_size=8),
)
def test_the_linear_matcher_captures_what_re_captures(parts, text):
    source = "".join(parts)
    items, flags = parse_regex(source, 0)
    found = re.search(source, text)
    places = LinearRegex(items, flags).search(text)
    expected = [found.span(group) for group in range(found.re.groups + 1)] if found else []
    assert [(places or {}).get(group, (-1, -1)) for group in range(len(expected))] == expected
    assert (places is None) == (found is None)


def test_groups_of_long_words_are_captured():
    regex = Regex(r"^(a+)+(b*)$")
    word = "a" * 60 + "bb"
    assert [regex.group(number, word) for number in range(3)] == [word, "a" * 60, "bb"]
