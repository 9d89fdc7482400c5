"""Words by number or by shape, and their characters."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from whorl.lexicon.characters import WIDTH, Characters
from whorl.lexicon.words import Words, shape_class


def test_unknown_words_have_classes_by_shape():
    classes = [
        shape_class(word, first=False)
        for word in ("Walking", "walking", "IBM", "1,234", "mid-1990s", "iPhones")
    ]
    assert classes == [
        "<unk-CAP-ing>",
        "<unk-lower-ing>",
        "<unk-CAPS>",
        "<unk-NUM>",
        "<unk-lower-num-dash>",
        "<unk-MIXED-s>",
    ]
    assert shape_class("Walking", first=True) != shape_class("Walking", first=False)


def test_a_word_seen_once_gives_its_class_a_number():
    words = Words.of([["a", "walking", "a"], ["b", "b"]])
    assert words.singletons == {"walking"}
    assert words.encode(["a", "jumping", "Zzz"]) == [
        words.index["a"],
        words.index["<unk-lower-ing>"],
        0,
    ]


def test_escapes_are_undone_for_words_that_were_seen_without():
    words = Words.of([['"', '"', "``", "``", "(", "("]])
    assert words.encode(["<unk>"]) == [0]
    assert words.encode(["``", "''", "-LRB-"]) == [
        words.index["``"],
        words.index['"'],
        words.index["("],
    ]


def test_a_limit_keeps_the_most_frequent_words_and_classes_for_the_others():
    sentences = [["the", "dog", "sees", "the", "cat"], ["the", "dog", "sleeps"]]
    words = Words.of(sentences, limit=2)
    assert [word for word in words.words if not word.startswith("<")] == ["dog", "the"]
    assert words.encode(["the", "cat"]) == [words.index["the"], words.unknown("cat", first=False)]
    assert words.unknown("cat", first=False) > 0
    assert not words.singletons
    assert Words.of(sentences).singletons == {"sees", "cat", "sleeps"}


def test_characters_are_rows_of_one_width_and_long_words_keep_both_ends():
    characters = Characters.of(["abc", "abc", "xyz"])
    rows = characters.encode(["ab", "q", "a" * 30 + "c" * 10, ""])
    assert rows.shape == (4, WIDTH)
    a, b, c = (characters.index[letter] for letter in "abc")
    assert rows[0].tolist() == [a, b] + [0] * (WIDTH - 2)
    assert rows[1, :2].tolist() == [1, 0]
    assert rows[2].tolist() == [a] * (WIDTH // 2) + [c] * (WIDTH // 2)
    assert not rows[3].any()
    assert "x" not in characters.index  # seen once
