"""Units: pieces of words and characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.tokenisers.inventory import Contraction, Inventory
from whorl.tokenisers.splitters import CharacterSplitter, WordSplitter, clean_text
from whorl.tokenisers.units import SHARED, join_forms

INVENTORY = Inventory(
    joiner="_",
    suffixes=frozenset(["nya", "lah"]),
    prefixes=frozenset(["wa"]),
    contractions={"dos": Contraction(1, "de", "os"), "à": Contraction(0, "a", "a")},
    characters={"“": '"'},
)
SPLITTERS = [WordSplitter(INVENTORY), CharacterSplitter(INVENTORY)]


def forms(text: str) -> list[str]:
    return [unit.form for unit in WordSplitter(INVENTORY).units(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kontraknya", ["kontrak", "nya"]),
        ("Kontraknyalah nya", ["Kontrak", "nya", "lah", "nya"]),
        ("wakitab", ["wa", "kitab"]),
        ("dos Dos DOS", ["de", "os", "De", "os", "DE", "OS"]),
        ("à", ["a", "a"]),
        ("À", ["A", "a"]),
        ("mbl.is 3,5% a_b", ["mbl", ".", "is", "3", ",", "5", "%", "a", "_", "b"]),
        ("11v e\u0301a", ["11", "v", "e\u0301a"]),
        ("“x”", ['"', "x", "”"]),
    ],
)
def test_words_are_cut_at_marks_affixes_and_contractions(text, expected):
    assert forms(text) == expected


def test_what_is_no_contraction_has_the_form_that_was_written():
    units = WordSplitter(INVENTORY).units("dos à Dos amigos")
    assert join_forms(units[:2], "_") == "dos"
    assert join_forms(units[2:4], "_") == "à"
    assert join_forms(units[4:], "_") == "Dos_amigos"
    assert join_forms(units[1:3], "_") == "os_a"


@given(st.text(), st.sampled_from(SPLITTERS))
def test_units_cover_everything_but_white_space(text, splitter):
    text, _ = clean_text(text)
    place = 0
    units = splitter.units(text)
    for number, unit in enumerate(units):
        shared = number and units[number - 1].gap == SHARED
        assert unit.start == (units[number - 1].start if shared else unit.start)
        assert unit.start < unit.end
        if not shared:
            assert unit.start >= place
            assert text[place : unit.start].strip() == ""
        assert unit.form
        place = unit.end
    assert text[place:].strip() == ""


@given(st.text(st.sampled_from("a\u00ad\u200b\ufeff\ud800 \0b"), max_size=12))
def test_cleaning_keeps_track_of_places(text):
    cleaned, places = clean_text(text)
    if places is None:
        assert cleaned == text
        return
    assert len(places) == len(cleaned) + 1
    for char, place in zip(cleaned, places, strict=False):
        assert char == text[place] or (char, text[place]) in {("\ufffd", "\ud800"), (" ", "\u200b")}
