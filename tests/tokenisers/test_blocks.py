"""Blocks of a text depend on the text alone, and memory is bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.tokenisers.blocks import iter_blocks

pieces = st.sampled_from(
    ["a ", "word", "\n", "\r", "\r\n", " ", "\n\n", "\u2029", "x" * 3000, "y z " * 900, "  " * 5000]
)
newlines = st.sampled_from(["space", "paragraph", "sentence"])


@given(st.lists(pieces, max_size=9), st.integers(1, 5000), newlines)
def test_the_division_into_chunks_makes_no_difference(parts, size, newline):
    text = "".join(parts)
    whole = list(iter_blocks([text], newline))
    assert list(iter_blocks(parts, newline)) == whole
    assert list(iter_blocks((text[i : i + size] for i in range(0, len(text), size)), newline)) == (
        whole
    )
    assert "".join(block.text for block in whole) == text
    place = 0
    for block in whole:
        assert block.start == place
        place += len(block.text)
        assert len(block.text) <= 8192 + 512
        assert text[: block.start].endswith(block.before)
        assert text[place:].startswith(block.after)
    assert not whole or whole[-1].last


@pytest.mark.parametrize(
    ("newline", "expected"),
    [("space", ["a\nb\n\n", "c"]), ("paragraph", ["a\n", "b\n", "\n", "c"])],
)
def test_paragraphs_end_at_blank_lines_or_at_every_line(newline, expected):
    blocks = list(iter_blocks(["a\nb\n\nc"], newline))
    assert [block.text for block in blocks] == expected
    assert all(block.last for block in blocks)


def test_a_paragraph_is_yielded_once_its_end_is_read():
    taken = []

    def chunks():
        for number in range(9):
            taken.append(number)
            yield f"{number}\n\n"

    assert next(iter_blocks(chunks(), "space")).text == "0\n\n"
    assert len(taken) <= 2
