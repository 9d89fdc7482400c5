from __future__ import annotations

import pytest

from whorl.errors import HeadRuleError
from whorl.trees import CHINESE, COLLINS, LEFT, RIGHT, HeadRules, head_rules, read_tree

SENTENCE = read_tree(
    "(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))"
)


def test_the_papers_sentence_has_the_heads_of_its_figure():
    heads = {node.label: COLLINS.head_of(node) for node in SENTENCE.phrases()}
    assert heads == {"S": 1, "NP": 1, "VP": 0, "ADVP": 0, "ADJP": 0}


@pytest.mark.parametrize(
    ("label", "children", "head"),
    [
        ("NP", "DT NN NN", 2),
        ("NP", "NNP POS", 1),
        ("NP", "NP PP SBAR", 0),
        ("NP", "NP NP", 0),
        ("NP", "DT CD", 1),
        ("NP", "QP JJ RB", 2),
        ("NP", "$ CD CD", 0),
        ("NP", "PRP DT", 1),
        ("NP", "NN CC NN", 0),  # the first conjunct
        ("NP", "NN , CC NN", 0),  # past the comma
        ("NP", ", CC NN", 2),  # nothing but punctuation before
        ("NP", "CC NN", 1),
        ("NP", "NN CONJP NN", 0),
        ("VP", "MD VP", 0),
        ("VP", "TO VP", 0),
        ("VP", "ADVP VBD NP", 1),
        ("VP", "VBN VBD", 1),  # priority before position
        ("S", "NP VP .", 1),
        ("S", "S CC S .", 0),
        ("PP", "ADVP IN NP", 1),
        ("PP", "IN NP IN", 2),  # from the right
        ("ADVP", "RB RB", 1),
        ("SBAR", "WHNP S", 0),
        ("SINV", "`` S , '' VBZ NP .", 4),
        ("QP", "RB IN CD", 1),
        ("ADJP", "RB JJ PP", 1),
        ("NP-SBJ-1", "DT-X NN=2", 1),
        ("NP", "-LRB- NN -RRB-", 1),
        ("UCP", "NP NP", 1),
        ("UNHEARD", "A B C", 0),
    ],
)
def test_collins_finds_the_published_head(label: str, children: str, head: int):
    assert COLLINS.head(label, children.split()) == head


@pytest.mark.parametrize(
    ("label", "children", "head"),
    [
        ("NP", "NP NN NN", 0),
        ("NP", "NR NN NN", 2),
        ("IP", "NP-SBJ VP PU", 1),
        ("VP", "ADVP VV AS NP-OBJ", 1),
        ("VP", "VP PU VP", 0),
        ("CP", "IP DEC", 0),
        ("DNP", "NP DEG", 1),
        ("DP", "DT CLP", 0),
        ("DP", "DT M", 1),
        ("LCP", "NP LC", 1),
        ("PP", "P NP", 0),
        ("VSB", "VV VV", 1),
        ("VNV", "VV AD VV", 0),
        ("UNHEARD", "A B", 1),
    ],
)
def test_chinese_finds_the_published_head(label: str, children: str, head: int):
    assert CHINESE.head(label, children.split()) == head


def test_left_and_right_take_the_outermost_child_whatever_its_label():
    assert LEFT.head("NP", [",", "NN", "CC", "NN"]) == 0
    assert RIGHT.head("NP", ["NN", "CC", "NN", ","]) == 3


def test_a_custom_table_is_read(tmp_path):
    table = tmp_path / "rules.txt"
    table.write_text(
        "# mine\n@coordination\tCC\n\nNP\tright-any A B ; left C\nIP-MAT right VB\n* right\n",
        encoding="utf-8",
    )
    rules = head_rules(table)
    assert rules.head("NP", ["A", "B", "C"]) == 1
    assert rules.head("NP", ["D", "C", "C"]) == 1
    assert rules.head("NP", ["D", "E"]) == 0  # the direction of the last step
    assert rules.head("NP", ["D", "CC", "A"]) == 0
    assert (
        rules.head("IP-MAT", ["VB", "NP"]) == 0
    )  # a label that the table names with its function tag
    assert rules.head("IP-INF", ["VB", "NP"]) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "NP left A\nVP upward B\n",
            r"rules\.txt:2: 'upward' where a direction.*'VP upward B'.*expected LABEL STEP",
        ),
        ("NP\n", r"rules\.txt:1: nothing where a direction"),
        ("NP left A; ; left B\n", r"rules\.txt:1: nothing where a direction"),
        ("NP left-any\n", r"rules\.txt:1: 'left-any' names no labels"),
        ("NP left A\nNP right B\n", r"rules\.txt:2: 'NP' has a row already"),
        (
            "@conjunction CC\n",
            r"rules\.txt:1: unknown setting '@conjunction'; expected @coordination",
        ),
        ("# nothing\n", r"rules\.txt: no head rules; expected"),
    ],
)
def test_a_bad_table_is_named_with_its_line_and_what_was_expected(
    tmp_path, text: str, expected: str
):
    table = tmp_path / "rules.txt"
    table.write_text(text, encoding="utf-8")
    with pytest.raises(HeadRuleError, match=expected):
        HeadRules.read(table)


def test_unknown_rules_are_named_with_the_known_ones(tmp_path):
    with pytest.raises(
        HeadRuleError,
        match="'klingon': expected english, chinese, left, right or the path of a file",
    ):
        head_rules("klingon")
    with pytest.raises(HeadRuleError, match="No such file"):
        HeadRules.read(tmp_path / "absent")
    (tmp_path / "latin1").write_bytes(b"NP left \xe9\n")
    with pytest.raises(HeadRuleError, match="not UTF-8"):
        HeadRules.read(tmp_path / "latin1")


def test_a_phrase_without_children_has_no_head():
    with pytest.raises(HeadRuleError, match="'NP'"):
        COLLINS.head("NP", [])


def test_tables_are_looked_up_by_name():
    assert [head_rules(name) for name in ("english", "chinese", "left", "right")] == [
        COLLINS,
        CHINESE,
        LEFT,
        RIGHT,
    ]
