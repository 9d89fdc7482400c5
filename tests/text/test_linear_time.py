"""Cutting takes time linear in the length of the text."""

from __future__ import annotations

import pytest

from tests.timing import assert_linear
from whorl.text import iter_sentences, segment
from whorl.text.lexer import lex

# fmt: off
PARTS = [
    "a", "!", ".", "..", '"', "'", "(", "-", "a-", "a'", "'s", "@", "a@", "a.", "a.b/", "http://",
    "http://(", "www.a(", "&a", "&#1", "1,", "1:", "</a", ":(", ":-", "$", "A$", "#a", "日", "か",
    "👩\u200d", "🇩", "\u0301", "\u00ad", "\ud800", "-LRB-", "<-", "+/-", "n't", "x.",
    "a-/-", "a(+)", "1(-7)", "(OH)2", "a(O", "a+/", "2-",
]
# fmt: on


@pytest.mark.parametrize("part", PARTS)
def test_a_run_takes_time_in_proportion_to_its_length(part):
    short = part * (4000 // len(part) // 10)
    assert_linear(lambda: lex(short, "split"), lambda: lex(short * 10, "split"))


@pytest.mark.parametrize("part", ["x", "!", '" ', "a. ", "\n", "( ", "A.", "。"])
def test_a_text_takes_time_in_proportion_to_its_length(part):
    short = part * (20_000 // len(part))
    assert_linear(lambda: segment(short), lambda: segment(short * 10))


def test_a_stream_of_single_characters_takes_time_in_proportion_to_its_length():
    assert_linear(
        lambda: list(iter_sentences("x" * 9000)), lambda: list(iter_sentences("x" * 90_000))
    )


def test_a_stream_is_read_as_it_is_needed():
    taken: list[int] = []

    def chunks():
        for number in range(1000):
            taken.append(number)
            yield f"Sentence {number} is here. "

    sentences = iter_sentences(chunks())
    first = next(sentences)
    assert first.words == ["Sentence", "0", "is", "here", "."]
    assert len(taken) <= 3
