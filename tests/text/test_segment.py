"""Properties of any segmented text, and the effect of each option."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from whorl.errors import TextError
from whorl.text import LONGEST, SentenceSpan, TokenSpan, iter_sentences, segment, tokenise
from whorl.text.characters import is_invisible
from whorl.trees import Leaf

# fmt: off
FRAGMENTS = [
    "Mr.", "U.S.", "etc.", "e.g.", "No.", "J.", "don't", "cannot", "dogs'", "'tis", "gonna", "I'm",
    "The", "the", "x", "A", "24", "h.", ".", "..", "...", "…", "?", "!", ",", ";", ":", "-", "--",
    "—", "–", "/", "\\", "&", "%", "$", "US$", "#", "@", "*", "+", "=", "_", '"', "'", "``", "''",
    "`", "“", "”", "‘", "’", "«", "»", "(", ")", "[", "]", "{", "}", "<", ">", "-LRB-", "-RRB-",
    "[1]", "°C", "http://", "www.", "a.b", "@b.c", ".com/", "1,000", "1.", "5%", "'90s", "'-",
    "&amp;", "<br>", ":-)", "<3", "+/-", "^_^", "n't",
    "Ann", "asked.", "Ka-/-", "-/-", "(+)", "10(-7)", "(OH)2", "(a)", "3′", "1:200", "2-",
    " ", " ", " ", "  ", "\n", "\n\n", "\r",
    "\r\n", "\t", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\xa0", "\u3000",
    "\u200b", "\ufeff", "\xad", "\x00", "\x07", "\u200d", "\u200e", "\ufe0f", "\u0301",
    "\ud800", "\udfff", "�", "\u20e3", "今", "。", "「", "」", "かな", "ไทย", "한국", "й", "।", "؟",
    "👩", "🏽", "🇩", "1\ufe0f\u20e3", "é", "½", "ß", "İ",
]
# fmt: on
texts = st.one_of(
    st.text(st.characters(), max_size=40),
    st.text(st.characters(codec="ascii"), max_size=40),
    st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join),
)
newlines = st.sampled_from(["space", "paragraph", "sentence"])
hyphens = st.sampled_from(["keep", "split"])


def all_tokens(sentences: list[SentenceSpan]) -> list[TokenSpan]:
    return [token for sentence in sentences for token in sentence.tokens]


def surface(text: str, sentences: list[SentenceSpan]) -> str:
    return "".join(text[token.start : token.end] for token in all_tokens(sentences))


@given(texts, newlines, hyphens)
@example("\ufeff\u200b", "space", "keep")
@example("a\u00ad.", "space", "keep")
def test_every_visible_character_is_in_exactly_one_token(text, newline, hyphens):
    sentences = segment(text, newline=newline, hyphens=hyphens)
    assert all(sentences)
    place = 0
    for token in all_tokens(sentences):
        assert place <= token.start < token.end
        assert all(char.isspace() or is_invisible(char) for char in text[place : token.start])
        assert not any(char.isspace() for char in text[token.start : token.end])
        place = token.end
    assert all(char.isspace() or is_invisible(char) for char in text[place:])


@given(texts, hyphens)
def test_every_form_fits_a_leaf_and_an_encoding(text, hyphens):
    for token in tokenise(text, hyphens=hyphens):
        assert token.text
        assert Leaf("X", token.text).word == token.text
        assert not any(char.isspace() or is_invisible(char) for char in token.text)
        token.text.encode()


@given(texts, st.lists(st.integers(0, 60)), newlines)
@example("a\r\n\r\nb", [2, 4], "space")
@example("a\r\nb", [2], "space")
@example("\u2029a\r", [1], "sentence")
def test_a_stream_gives_what_the_whole_text_gives(text, places, newline):
    edges = [0, *sorted(min(place, len(text)) for place in places), len(text)]
    chunks = [text[left:right] for left, right in pairwise(edges)]
    assert list(iter_sentences(chunks, newline=newline)) == segment(text, newline=newline)


@pytest.mark.parametrize("size", [1, 1000, 4095, 4096, 4097])
def test_a_stream_cuts_long_runs_where_the_whole_text_does(size):
    text = "ab cd" * 3 + "x" * 5000 + "-y" * 6000 + " z. " + "!" * 9000
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    assert list(iter_sentences(chunks)) == segment(text)


@given(texts, st.integers(1, 5))
def test_no_sentence_is_longer_than_allowed_and_nothing_is_lost(text, longest):
    sentences = segment(text, longest=longest)
    assert all(len(sentence) <= longest for sentence in sentences)
    assert surface(text, sentences) == surface(text, segment(text))


@given(texts, hyphens)
def test_tokens_joined_by_spaces_are_cut_into_the_same_tokens(text, hyphens):
    """Except words with a final period, which may look like a sentence end, and `gonnan't`."""
    for sentence in segment(text, hyphens=hyphens):
        if not any(
            (word.endswith(".") and word.strip(".")) or word in ("gonna", "cannot")
            for word in sentence.words
        ):
            again = segment(" ".join(sentence.words), newline="sentence", hyphens=hyphens)
            assert [token.text for token in all_tokens(again)] == sentence.words


def test_the_original_text_of_an_abbreviation_before_the_end_has_one_period():
    text = "They left the U.S. Then they rested."
    first = segment(text)[0].tokens
    assert first[-2:] == (TokenSpan("U.S.", 14, 17), TokenSpan(".", 17, 18))
    assert text[14:17] == "U.S"


def test_offsets_skip_invisible_characters():
    assert tokenise("\ufeffco\u00adop\u00ad.") == [TokenSpan("coop", 1, 7), TokenSpan(".", 7, 8)]


def test_a_line_break_is_a_space_or_a_paragraph_end_or_the_only_sentence_end():
    text = "One. Two\nthree. Four"
    assert [s.words for s in segment(text)] == [["One", "."], ["Two", "three", "."], ["Four"]]
    assert [s.words for s in segment(text, newline="paragraph")] == [
        ["One", "."],
        ["Two"],
        ["three", "."],
        ["Four"],
    ]
    assert [s.words for s in segment(text, newline="sentence")] == [
        ["One", ".", "Two"],
        ["three", ".", "Four"],
    ]


def test_hyphens_are_split_except_in_affixes_numbers_and_addresses():
    text = "A well-known non-profit and/or e-mail, 50-year-old's 2026-11-16 at http://a-b.c/d-e"
    assert " ".join(token.text for token in tokenise(text, hyphens="split")) == (
        "A well - known non-profit and / or e-mail , "
        "50 - year - old 's 2026-11-16 at http://a-b.c/d-e"
    )


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Non-profit", "Non-profit"), ("E-cadherin", "E - cadherin"), ("pre/post", "pre / post")],
)
def test_affixes_stay_attached_by_case_and_only_at_hyphens(word, expected):
    assert " ".join(token.text for token in tokenise(word, hyphens="split")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bmp7-/- mice", "Bmp7 - / - mice"),
        ("Pygo1+/−/Pygo2-/-.", "Pygo1 + / − / Pygo2 - / - ."),
        ("(+/+) or 5 +/- 2", "( + / + ) or 5 +/- 2"),
        ("Ca2+-dependent, Na+/K+", "Ca2+ - dependent , Na+ / K+"),
        ("3′-end, 5'-end, 10%-owned", "3 ′ - end , 5 ' - end , 10 % - owned"),
        ("at 1:200 or 1:1,000 at 10:30", "at 1 : 200 or 1 : 1,000 at 10:30"),
        ("2- to 3-week", "2 - to 3 - week"),
        ("call 555-1234", "call 555-1234"),
    ],
)
def test_splitting_hyphens_also_cuts_genotypes_ratios_and_what_the_hyphen_marks(text, expected):
    assert " ".join(token.text for token in tokenise(text, hyphens="split")) == expected


def test_a_letter_after_a_split_hyphen_is_not_an_initial():
    sentences = segment("It has GluR-B. Transgenic mice lack it.", hyphens="split")
    assert [sentence.words[-1] for sentence in sentences] == [".", "."]


def test_a_speaker_belongs_to_the_quoted_question_in_the_same_paragraph():
    text = '"Why?"{}Ann asked. "How?" I left.'
    joined = ["`` Why ? '' Ann asked .", "`` How ? ''", "I left ."]
    apart = ["`` Why ? ''", "Ann asked .", *joined[1:]]

    def cut(gap: str, **options: Any) -> list[str]:
        return [" ".join(sentence.words) for sentence in segment(text.format(gap), **options)]

    assert cut(" ") == cut("\n") == joined
    assert cut("\n\n") == cut("\n", newline="paragraph") == apart
    assert cut(" ", longest=6) == apart


def test_a_quoted_question_at_the_end_of_a_paragraph_does_not_wait():
    chunks = iter(['"Why?"\n', "\n", "Ann"])
    assert next(iter_sentences(chunks)).words == ["``", "Why", "?", "''"]
    assert next(chunks) == "Ann"


@pytest.mark.parametrize(
    ("word", "expected"),
    [("cannot", "can not"), ("gonna-be", "gon na - be"), ("co-gimme", "co-gimme")],
)
def test_contractions_are_cut_between_split_hyphens(word, expected):
    assert " ".join(token.text for token in tokenise(word, hyphens="split")) == expected


def test_invisible_characters_between_line_breaks_leave_the_line_blank():
    assert [s.words for s in segment("a\n\ufeff\u00ad\nb")] == [["a"], ["b"]]


def test_offsets_count_from_the_text_in_runs_with_inner_full_stops():
    tokens = [list(s.tokens) for s in segment("x 今。今")]
    assert tokens == [[("x", 0, 1), ("今", 2, 3), ("。", 3, 4)], [("今", 4, 5)]]


def test_a_blank_line_ends_a_quotation():
    text = 'a " b\n\nc " d\ne " f'
    assert [s.words for s in segment(text)] == [
        ["a", "``", "b"],
        ["c", "``", "d", "e", "''", "f"],
    ]


def test_a_sentence_that_is_too_long_is_cut_after_a_clause():
    words = "a , b c d ; e f g h"
    assert [" ".join(s.words) for s in segment(words, longest=8)] == ["a , b c d ;", "e f g h"]
    assert [len(s) for s in segment("x " * (LONGEST + 1))] == [LONGEST, 1]


def test_sentences_know_their_places_in_the_text():
    text = "  One two.  Three."
    assert [text[s.start : s.end] for s in segment(text)] == ["One two.", "Three."]


@pytest.mark.parametrize("options", [{"newline": "line"}, {"hyphens": "no"}, {"longest": 0}])
def test_unknown_options_are_rejected_at_once(options):
    with pytest.raises(TextError, match=str(next(iter(options.values())))):
        iter_sentences([], **options)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\ufeff", "\u200b\0"])
def test_text_without_visible_characters_has_no_sentences(text):
    assert segment(text) == []


def test_a_blank_line_ends_a_sentence_before_anything_follows():
    requests = []

    def chunks():
        yield "It rained\n\n"
        requests.append("second chunk")
        yield "all day\n"

    sentences = iter_sentences(chunks())
    assert next(sentences).words == ["It", "rained"]
    assert requests == []
    assert [sentence.words for sentence in sentences] == [["all", "day"]]
