"""Trees in the columns of CoNLL-2012."""

from __future__ import annotations

from hypothesis import given
from tests.trees.tree_strategies import trees

from whorl.trees import conll_rows, read_tree


def test_rows_have_number_word_tag_and_part_of_the_tree():
    tree = read_tree("(S (NP (DT The) (NN cat)) (VP (VBZ sleeps)))")
    assert conll_rows(tree) == [
        "1\tThe\tDT\t(S(NP*",
        "2\tcat\tNN\t*)",
        "3\tsleeps\tVBZ\t(VP*))",
    ]


@given(trees())
def test_the_parts_joined_open_and_close_every_phrase(tree):
    rows = [row.split("\t") for row in conll_rows(tree)]
    assert [row[:3] for row in rows] == [
        [str(number), leaf.word, leaf.tag] for number, leaf in enumerate(tree.leaves(), start=1)
    ]
    parts = "".join(row[3] for row in rows)
    assert parts.count("(") == parts.count(")") == len(list(tree.phrases()))
