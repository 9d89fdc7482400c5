"""Unicode's word and sentence boundaries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.text.uax29 import sentence_boundaries, word_boundaries, word_classes


def words(text: str) -> list[str]:
    ends = word_boundaries(word_classes(text))
    return [text[left:right] for left, right in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    "segments",
    [
        ["can't", " ", "stop", ".", " ", "3.14", ",", " ", "a_b", " ", "mbl.is"],
        ['א"ב', " ", "א'", " ", "'", "a", "'"],
        ["カタカナ", "ひ", "ら", "漢", "字"],
        ["e\u0301a", "\n", "\u0301", "\r\n"],
        ["👩\u200d👩", "👩🏽", "🇩🇪", "🇫🇷", "🇮"],
        ["a", "  ", "b"],
        ["a", "  \u0308", " ", "b"],
        ["1,000", " ", "1", ",", "a", ":", "1"],
        ["a:b", "·", " ", "a·b"],
    ],
)
def test_word_boundaries_of_the_annex(segments):
    assert words("".join(segments)) == segments


@pytest.mark.parametrize(
    "sentences",
    [
        ['("Go.") ', "(He did.)"],
        ["Version 3.4 is c.D. here"],
        ["etc.)’\u00a0the"],
        ["etc.)’\u00a0", "The"],
        ["etc.)’\u00a0", "‘(The"],
        ["U.S.A\u0300. is"],
        ["U.S.A\u0300? ", "He"],
        ["the resp. leaders are"],
        ["字。", "它"],
        ["a.\r\n", "A"],
        ["One!? ", "Two."],
        ["a\n", "\u0308b"],
    ],
)
def test_sentence_boundaries_of_the_annex(sentences):
    text = "".join(sentences)
    ends = [*sentence_boundaries(text), len(text)]
    assert [text[a:b] for a, b in zip([0, *ends], ends, strict=False)] == sentences


# `regex` treats quotation marks, flags and marks on punctuation in its own way.
@given(st.text(st.sampled_from("aZé1٣カかא漢한ไ.,:;·_-!?。 \n\t$👩İß"), max_size=12))
def test_word_boundaries_are_those_of_another_implementation(text):
    regex = pytest.importorskip("regex")
    expected = [match.start() for match in regex.finditer(r"(?w)\b", text) if match.start()]
    assert word_boundaries(word_classes(text)) == expected


@given(st.text())
def test_segments_cover_any_text(text):
    classes = word_classes(text)
    assert len(classes) == len(text)
    assert "".join(words(text)) == text
    ends = sentence_boundaries(text)
    assert ends == sorted(set(ends))
    assert all(0 < end < len(text) for end in ends)
