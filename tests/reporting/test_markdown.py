"""Generated Markdown: prose is wrapped, everything else stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whorl.reporting.markdown import WIDTH, wrap_markdown

WORDS = st.lists(st.text("abcö`,", min_size=1, max_size=30), min_size=1, max_size=60)


@given(st.sampled_from(["", "- ", "  - ", "1. "]), WORDS)
def test_prose_keeps_its_words_and_fits(mark, words):
    lines = wrap_markdown(mark + " ".join(words)).split("\n")
    assert " ".join(lines).split() == [*mark.split(), *words]
    assert all(len(line) <= WIDTH for line in lines)


def test_the_lines_of_an_item_are_indented_below_its_text():
    lines = wrap_markdown("  - " + "word " * 40 + "end").split("\n")
    assert len(lines) > 1
    assert all(line.startswith("    word") or line.startswith("  - word") for line in lines)


def test_tables_headings_pictures_code_and_long_words_stay():
    long = "word " * 40 + "end"
    kept = [f"| {long} |", f"# {long}", f"![{long}](a.svg)", f"    {long}", "w" * 150, "", "short"]
    assert wrap_markdown("\n".join(kept)) == "\n".join(kept)
