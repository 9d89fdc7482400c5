"""Files of tagged sentences in both forms, compared with their trees."""

from __future__ import annotations

import pytest

from whorl.errors import TreebankError
from whorl.trees import column_tags, read_trees, tagged_line

TREES = list(
    read_trees("(S (NP (PRP It)) (VP (VBZ works)))\n(NP (-LRB- -LRB-) (NN a_b) (-RRB- -RRB-))\n")
)
TAGS = [["PRP", "NN"], ["(", "X", ")"]]


@pytest.mark.parametrize(
    "text",
    [
        "It_PRP works_NN\n(_( a_b_X )_)\n",
        "It_PRP works_NN\n\n-LRB-_( a_b_X -RRB-_)",
        "It\tPRP\nworks\tNN\n\n(\t(\na_b\tX\n)\t)\n",
        "\ufeffIt\tPRP\r\nworks\tNN\r\n\r\n\r\n-LRB-\t(\r\na_b\tX\r\n-RRB-\t)",
    ],
)
def test_tags_are_read_from_lines_or_columns(tmp_path, text):
    (tmp_path / "tags").write_bytes(text.encode())
    assert column_tags(tmp_path / "tags", TREES) == TAGS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("It_PRP works\n", r"tags:1: expected word_TAG, not 'works'"),
        ("It_PRP _NN\n", r"tags:1: expected word_TAG, not '_NN'"),
        ("It\tPRP\nworks\n", r"tags:2: expected a word, a tab and a tag, not 'works'"),
        ("It\tPRP\tx\n", r"tags:1: expected a word, a tab and a tag"),
        (
            "It_PRP worked_VBD\n(_( a_b_X )_)\n",
            r"tags:1: expected the word 'works', found 'worked'",
        ),
        ("It\tPRP\nworks\tNN\n\n(\t(\nb\tX\n)\t)\n", r"tags:5: expected the word 'a_b', found 'b'"),
        ("It_PRP works_NN\n(_( a_b_X\n", r"tags:2: expected a sentence of 3 words, found 2"),
        (
            "It_PRP works_NN ._.\n(_( a_b_X )_)\n",
            r"tags:1: expected a sentence of 2 words, found 3",
        ),
        ("It_PRP works_NN\n", r"tags: expected 2 sentences, one for each tree, found 1"),
        (
            "It_PRP works_NN\n(_( a_b_X )_)\nmore_X\n",
            r"tags: expected 2 sentences, one for each tree, found 3",
        ),
    ],
)
def test_mismatched_words_are_an_error_that_names_file_and_line(tmp_path, text, message):
    (tmp_path / "tags").write_text(text, encoding="utf-8")
    with pytest.raises(TreebankError, match=message):
        column_tags(tmp_path / "tags", TREES)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(TreebankError, match="cannot read the tags in"):
        column_tags(tmp_path / "none", TREES)
    (tmp_path / "latin").write_bytes("é_X".encode("latin-1"))
    with pytest.raises(TreebankError, match="expected UTF-8"):
        column_tags(tmp_path / "latin", TREES)


def test_the_last_underscore_separates_and_a_no_break_space_does_not():
    (leaf,) = tagged_line("12\u00a0000_000_CD\n", source="x", number=1)
    assert (leaf.word, leaf.tag) == ("12\u00a0000_000", "CD")
