"""Tables as text."""

from __future__ import annotations

from whorl.reporting.tables import align_columns, markdown_table

ROWS = [("name", "count", "F1"), ("a", "1,000", ""), ("longer", "2", "90.00")]


def test_numbers_are_flush_right_and_lines_have_no_trailing_spaces():
    assert align_columns(ROWS) == [
        "name    count     F1",
        "a       1,000",
        "longer      2  90.00",
    ]


def test_text_is_flush_left():
    assert align_columns(ROWS, numbers=False) == [
        "name    count  F1",
        "a       1,000",
        "longer  2      90.00",
    ]


def test_markdown_marks_the_columns_of_numbers():
    assert markdown_table(*ROWS[:1], ROWS[1:]).splitlines() == [
        "| name | count | F1 |",
        "| --- | ---: | ---: |",
        "| a | 1,000 |  |",
        "| longer | 2 | 90.00 |",
    ]
