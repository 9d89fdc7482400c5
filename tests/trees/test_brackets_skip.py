from __future__ import annotations

from whorl.errors import BracketError
from whorl.trees import read_trees


def test_an_unclosed_tree_loses_no_well_formed_neighbour():
    skipped: list[BracketError] = []
    text = "( (S (A a)))\n( (S (NP (N b))\n( (S (C c)))\n( (S (D d)))\n"
    assert [tree.words() for tree in read_trees(text, skipped=skipped)] == [["a"], ["c"], ["d"]]
    assert [(error.line, error.column) for error in skipped] == [(2, 1)]
