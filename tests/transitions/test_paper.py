"""The sentence of the paper's figures, in all four systems."""

from __future__ import annotations

import pytest

from whorl.oracles import static_oracle
from whorl.transitions import SYSTEMS, make_system
from whorl.transitions.table import Row, table
from whorl.trees import COLLINS, read_tree

PAPER = read_tree(
    "(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))"
)

# Figure 5: transition, stack, buffer, added subtree.
NONBINARY = [
    ("", "[ ]", "[ The, ... , . ]", ""),
    ("SHIFT", "[ The ]", "[ public, ... , . ]", ""),
    ("SHIFT", "[ The, public ]", "[ is, ... , . ]", ""),
    ("REDUCE-NP#2", "[ NP ]", "[ is, ... , . ]", "NP → The public"),
    ("SHIFT", "[ NP, is ]", "[ still, ... , . ]", ""),
    ("SHIFT", "[ NP, is, still ]", "[ cautious, . ]", ""),
    ("REDUCE-ADVP#1", "[ NP, is, ADVP ]", "[ cautious, . ]", "ADVP → still"),
    ("SHIFT", "[ NP, is, ADVP, cautious ]", "[ . ]", ""),
    ("REDUCE-ADJP#1", "[ NP, is, ADVP, ADJP ]", "[ . ]", "ADJP → cautious"),
    ("REDUCE-VP#3", "[ NP, VP ]", "[ . ]", "VP → is ADVP ADJP"),
    ("SHIFT", "[ NP, VP, . ]", "[ ]", ""),
    ("REDUCE-S#3", "[ S ]", "[ ]", "S → NP VP ."),
    ("FINISH", "[ ]", "[ ]", ""),
]
# Figure 3.
BINARY = [
    ("", "[ ]", "[ The, ... , . ]", ""),
    ("SHIFT", "[ The ]", "[ public, ... , . ]", ""),
    ("SHIFT", "[ The, public ]", "[ is, ... , . ]", ""),
    ("REDUCE-LEFT-NP", "[ NP ]", "[ is, ... , . ]", "NP → The public"),
    ("SHIFT", "[ NP, is ]", "[ still, ... , . ]", ""),
    ("SHIFT", "[ NP, is, still ]", "[ cautious, . ]", ""),
    ("REDUCE-UNARY-ADVP", "[ NP, is, ADVP ]", "[ cautious, . ]", "ADVP → still"),
    ("REDUCE-RIGHT-VP*", "[ NP, VP* ]", "[ cautious, . ]", "VP* → is ADVP"),
    ("SHIFT", "[ NP, VP*, cautious ]", "[ . ]", ""),
    ("REDUCE-UNARY-ADJP", "[ NP, VP*, ADJP ]", "[ . ]", "ADJP → cautious"),
    ("REDUCE-RIGHT-VP", "[ NP, VP ]", "[ . ]", "VP → VP* ADJP"),
    ("SHIFT", "[ NP, VP, . ]", "[ ]", ""),
    ("REDUCE-RIGHT-S*", "[ NP, S* ]", "[ ]", "S* → VP ."),
    ("REDUCE-LEFT-S", "[ S ]", "[ ]", "S → NP S*"),
    ("FINISH", "[ ]", "[ ]", ""),
]
TOPDOWN = (
    "NT-S NT-NP SHIFT SHIFT REDUCE NT-VP SHIFT NT-ADVP SHIFT REDUCE NT-ADJP SHIFT REDUCE REDUCE "
    "SHIFT REDUCE"
)
INORDER = (
    "SHIFT PJ-NP SHIFT REDUCE PJ-S SHIFT PJ-VP SHIFT PJ-ADVP REDUCE SHIFT PJ-ADJP REDUCE REDUCE "
    "SHIFT REDUCE FINISH"
)
SEQUENCES = {
    "nonbinary": [row[0] for row in NONBINARY[1:]],
    "binary": [row[0] for row in BINARY[1:]],
    "topdown": TOPDOWN.split(),
    "inorder": INORDER.split(),
}


@pytest.mark.parametrize(
    ("name", "count"), [("nonbinary", 12), ("binary", 14), ("topdown", 16), ("inorder", 17)]
)
def test_the_papers_sentence_takes_the_papers_number_of_transitions(name, count):
    transitions = static_oracle(PAPER, name, heads=COLLINS)
    assert len(transitions) == count
    assert list(map(str, transitions)) == SEQUENCES[name]
    assert make_system(name).run(PAPER.leaves(), transitions) == PAPER


@pytest.mark.parametrize(("name", "rows"), [("nonbinary", NONBINARY), ("binary", BINARY)])
def test_tables_equal_the_papers_figures(name, rows):
    transitions = static_oracle(PAPER, name, heads=COLLINS)
    assert table(make_system(name), PAPER.leaves(), transitions) == [Row(*row) for row in rows]


def test_open_phrases_show_in_tables():
    for name, shown in (("topdown", "[ (S, (NP, The ]"), ("inorder", "[ The, (NP, public ]")):
        rows = table(make_system(name), PAPER.leaves(), static_oracle(PAPER, name))
        assert (rows[3].transition, rows[3].stack, rows[3].added) == ("SHIFT", shown, "")
        assert [row.added for row in rows if row.added] == [
            "NP → The public",
            "ADVP → still",
            "ADJP → cautious",
            "VP → is ADVP ADJP",
            "S → NP VP .",
        ]


def test_there_are_four_systems():
    assert list(SYSTEMS) == ["nonbinary", "binary", "topdown", "inorder"]
