"""Tokens of other tokenisers get the forms that Whorl's own tokens have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.text import penn_forms, segment

TEXTS = [
    'She said "it works" (and "so does this").',
    "“It’s over,” she said. ‘Really?’ he’d asked.",
    "The dogs' 'nest' isn't \"new\".",
    '("Yes")',
    "«Oui», „nein“ and ＂no＂",
]


def cut(text):
    """The tokens of a text as written, whether a space follows each, and their Penn forms."""
    (sentence,) = segment(text, newline="sentence")
    tokens = sentence.tokens
    written = [text[token.start : token.end] for token in tokens]
    spaces = [text[token.end : token.end + 1] in ("", " ") for token in tokens]
    return written, spaces, sentence.words


@pytest.mark.parametrize("text", TEXTS)
def test_forms_are_those_of_the_lexer(text):
    written, spaces, forms = cut(text)
    assert penn_forms(written, spaces) == forms


@pytest.mark.parametrize(
    ("tokens", "spaces", "forms"),
    [
        (["I", "do", "nt"], [1, 0, 1], ["I", "do", "n't"]),
        (["you", "ll", "what", "s"], [0, 1, 0, 1], ["you", "'ll", "what", "'s"]),
        (["do", "nt"], [1, 1], ["do", "nt"]),
        (["5", "m"], [0, 1], ["5", "m"]),
        (["nt"], [0], ["nt"]),
        (["-", "s"], [0, 1], ["-", "s"]),
    ],
)
def test_clitics_that_were_cut_off_a_word_get_their_apostrophe(tokens, spaces, forms):
    assert penn_forms(tokens, spaces) == forms


def test_without_spaces_double_quotation_marks_alternate():
    tokens = ['"', "a", '"', "b", '"', "c", '"', "do", "nt"]
    assert penn_forms(tokens) == ["``", "a", "''", "b", "``", "c", "''", "do", "nt"]


def test_a_directed_mark_opens_for_an_undirected_one():
    assert penn_forms(["“", "a", '"'])[::2] == ["``", "''"]


def test_brackets_and_dashes_stay():
    tokens = ["(", "[", "{", "—", "–", "--", "...", "…", "-LRB-"]
    assert penn_forms(tokens, [1] * len(tokens)) == tokens


def test_a_token_of_invisible_characters_stays():
    assert penn_forms(["\u200d", "a\u00adb", "don’t"]) == ["\u200d", "ab", "don't"]


@given(st.lists(st.text(min_size=1, max_size=5)), st.data())
def test_no_token_is_lost(tokens, data):
    flags = st.lists(st.booleans(), min_size=len(tokens), max_size=len(tokens))
    for spaces in (None, data.draw(flags)):
        forms = penn_forms(tokens, spaces)
        assert len(forms) == len(tokens)
        assert all(forms)
