"""The Python interface of search."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from whorl import search
from whorl.errors import SearchError
from whorl.search import NodeTable, TreeNode
from whorl.search.labels import basic_category
from whorl.trees import CHINESE, COLLINS, RIGHT, Leaf, read_tree

DOG = read_tree("(S (NP (DT The) (NN dog)) (VP (VBZ barks) (-LRB- -LRB-)))")


def labels(pattern, tree=DOG, **options):
    return [node.label for node in search.compile(pattern, **options).nodes(tree)]


def test_a_match_has_its_node_span_names_and_variables():
    pattern = search.compile("S=s << (/^(N).$/#1%n=noun > NP=phrase) << (VBZ < __=verb)")
    assert pattern.names == ("s", "noun", "phrase", "verb")
    assert pattern.variables == ("n",)
    (match,) = [m for m in pattern.finditer(DOG) if m["noun"].label == "NN"]
    assert match.node == match["s"] == TreeNode(match.node.table, 0)
    assert (match.span, match.node.left, match.node.right) == ((0, 4), 0, 4)
    assert match.tree is DOG
    assert match["phrase"].tree is DOG.children[0]
    assert match["phrase"].span == (0, 2)
    assert str(match["phrase"]) == "(NP (DT The) (NN dog))"
    assert dict(match.variables) == {"n": "N"}
    verb = match["verb"]
    assert (str(verb), verb.is_word, verb.span) == ("barks", True, (2, 3))
    assert verb.tree == Leaf("VBZ", "barks")
    assert "dog" in repr(match) or "noun" in repr(match)


def test_names_that_are_not_bound_are_missing():
    pattern = search.compile("NP|VP ?< DT=d ?[ < NN=n | < VBZ=v ]")
    assert [sorted(match.names) for match in pattern.finditer(DOG)] == [["d", "n"], ["v"]]


def test_subtrees_keep_the_positions_of_their_words():
    phrase = DOG.children[1]
    assert [match.span for match in search.compile("VBZ|barks").finditer(phrase)] == [(2, 3)] * 2
    leaf = phrase.children[0]
    assert [str(match) for match in search.compile("__").finditer(leaf)] == [
        "(VBZ barks)",
        "barks",
    ]


def test_words_match_in_the_form_of_files():
    assert labels("__ > -LRB-") == ["-LRB-"]
    assert labels("-LRB- !< __") == ["-LRB-"]
    assert labels(r"/\(/") == []
    assert len(labels("-LRB-")) == 2


def test_search_goes_through_trees_and_says_which():
    other = read_tree("(S (VP (VB Go)))")
    matches = search.compile("VP").search(iter([DOG, other, DOG]))
    assert [(match.tree_number, match.tree) for match in matches] == [
        (0, DOG),
        (1, other),
        (2, DOG),
    ]


def test_first_and_count_and_nodes_agree_with_finditer():
    pattern = search.compile("NP|VP < __ < __")
    matches = list(pattern.finditer(DOG))
    assert len(matches) == pattern.count(DOG) == 8
    assert pattern.first(DOG).node == matches[0].node
    assert [node.label for node in pattern.nodes(DOG)] == ["NP", "VP"]
    assert search.compile("QP").first(DOG) is None


def test_patterns_can_be_pickled():
    pattern = pickle.loads(pickle.dumps(search.compile("NP <# NN=n", heads=RIGHT)))
    assert pattern.source == "NP <# NN=n"
    assert pattern.heads.name == "right"
    assert [match["n"].label for match in pattern.finditer(DOG)] == ["NN"]


def test_matches_can_be_pickled():
    match = pickle.loads(pickle.dumps(search.compile("NP=a").first(DOG)))
    assert (str(match["a"]), match.span) == ("(NP (DT The) (NN dog))", (0, 2))


def test_a_table_of_other_nodes_can_be_searched():
    table = NodeTable(["X", "a", "Y", "b", "c"], [2, 0, 2, 0, 0], [*"vwxyz"])
    matches = search.compile("__=a $+ Y=y <<- c").finditer(table)
    assert list(matches) == []
    (match,) = search.compile("a=a $+ (Y=y <<- c)").finditer(table)
    assert [table.sources[match[name].number] for name in "ay"] == ["w", "x"]
    assert search.compile("X <<<2 b <<<-1 c < a").count(table) == 1


def test_a_table_is_of_one_tree():
    with pytest.raises(SearchError, match="node 2, 'C', is a second root"):
        NodeTable(["A", "b", "C", "d"], [1, 0, 1, 0])
    with pytest.raises(SearchError, match="'A' lacks 1 children"):
        NodeTable(["A", "b"], [2, 0])
    table = pickle.loads(pickle.dumps(NodeTable(["A", "b"], [1, 0], "xy", left=3)))
    assert search.compile("A < b").first(table).span == (3, 4)


@pytest.mark.parametrize(
    ("label", "category"),
    [
        ("NP-SBJ-1", "NP"),
        ("NP=2", "NP"),
        ("NP^S", "NP"),
        ("S|<VP>", "S"),
        ("-LRB-", "-LRB-"),
        ("-NONE-", "-NONE-"),
        ("-NONE--X", "-NONE-"),
        ("-", "-"),
        ("--", "-"),
        ("---CJ", "---CJ"),
        ("PRP$", "PRP$"),
        ("", ""),
    ],
)
def test_basic_categories(label, category):
    assert basic_category(label) == category


def test_regular_expressions_are_found_and_ascii_unless_asked():
    tree = read_tree("(S (NN Häuser) (NN Haus) (NN ２) (NN a/b))")
    assert labels(r"/^\w+$/ !< __", tree) == ["Haus"]
    assert labels(r"/(?u)^\w+$/ !< __", tree) == ["Häuser", "Haus", "２"]
    assert labels(r"/aus/", tree) == ["Haus"]
    assert labels(r"/\//", tree) == ["a/b"]
    assert labels(r"/^(?i:HAUS)$/", tree) == ["Haus"]
    assert labels(r"/^in|er$/", tree) == ["Häuser"]
    assert labels(r"/[\[]/", tree) == []


def test_heads_are_stanfords_or_those_of_another_table():
    assert labels("VBZ|NN|NP|VP ># __") == ["NN", "VP", "VBZ"]
    assert labels("__ ># NP", heads=RIGHT) == labels("__ ># NP")
    assert labels("-LRB- ># VP", heads=RIGHT) == ["-LRB-"]
    assert labels("VBZ ># VP", heads=CHINESE) == ["VBZ"]


def test_the_head_rules_of_stanford_are_not_those_of_the_oracles():
    # Collins looks for a conjunct beyond punctuation, Stanford does not.
    assert search.STANFORD.head("FRAG", ["NP", "CC", "NP"]) == 2
    assert search.STANFORD.head("NP", ["NN", "CC", "NN"]) == 0
    assert search.STANFORD.head("NP", ["NN", ",", "CC", "NN"]) == 3
    assert COLLINS.head("NP", ["NN", ",", "CC", "NN"]) == 0
    assert search.STANFORD.head("NP-SBJ", ["DT-X", "NN-Y"]) == 1
    assert search.STANFORD.head("UNKNOWN", ["A", "B"]) == 0
    assert search.STANFORD.head("VP", ["A", "B"]) == 0
    assert search.STANFORD.head("PP", ["A", "B"]) == 1


def test_many_trees_are_searched_again_after_their_tables_are_gone():
    pattern = search.compile("NN < /7/")
    trees = [read_tree(f"(S {' '.join(f'(NN {i})' for i in range(500))})") for _ in range(300)]
    for _ in range(2):
        assert [pattern.count(tree) for tree in trees] == [95] * 300


def test_the_example_of_the_documentation_prints_what_it_says(tmp_path, monkeypatch, capsys):
    text = (Path(__file__).parents[2] / "docs/search.md").read_text(encoding="utf-8")
    tree, _, code, _, output, *_ = text.split("```")[1::1]
    (tmp_path / "treebank.txt").write_text(tree, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(code.removeprefix("python"), {})
    assert capsys.readouterr().out == output.lstrip("\n")
