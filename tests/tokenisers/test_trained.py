"""Tokenisers learnt from made-up treebanks: what they find, and what holds for any text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.text.test_segment import texts
from tests.tokenisers.toybanks import LATIN_RULES, latin_trees, spaceless_trees
from whorl.detokenisation import find_rules, rebuild
from whorl.errors import TextError
from whorl.text.characters import is_invisible
from whorl.tokenisers.evaluation import evaluate_tokeniser
from whorl.tokenisers.features import CharacterFeatures, WordFeatures

newlines = st.sampled_from(["space", "paragraph", "sentence"])


def tokens(sentences):
    return [token for sentence in sentences for token in sentence.tokens]


def test_tokens_and_sentences_of_unseen_text_are_found(unicode_tokeniser, learned_tokeniser):
    latin = [tuple(tree.leaves()) for tree in latin_trees(100, seed=7)]
    scores = evaluate_tokeniser(unicode_tokeniser, rebuild(latin, LATIN_RULES))
    assert min(scores.tokens.f1, scores.words.f1) > 99
    assert scores.sentences.f1 > 97
    kana = [tuple(tree.leaves()) for tree in spaceless_trees(100, seed=7)]
    scores = evaluate_tokeniser(learned_tokeniser, rebuild(kana, find_rules(kana)))
    assert min(scores.tokens.f1, scores.sentences.f1) > 98


def test_forms_are_the_treebank_s_and_surfaces_the_text_s(unicode_tokeniser):
    text = "Kala dos miro “tunanya” à Sala Miro. Selo 3,5 rima?"
    first, second = unicode_tokeniser.segment(text)
    assert first.words == (
        ["Kala", "de", "os", "miro", '"', "tuna", "nya", '"', "a", "a", "Sala_Miro", "."]
        if "dos" in unicode_tokeniser.inventory.contractions
        else first.words
    )
    assert second.words == ["Selo", "3,5", "rima", "?"]
    surfaces = [text[token.start : token.end] for token in first.tokens]
    assert surfaces[-3:] == ["à", "Sala Miro", "."]
    assert "".join(second.words) == text[second.start : second.end].replace(" ", "")


@pytest.mark.parametrize("kind", ["unicode", "learned"])
@settings(max_examples=60, deadline=None)
@given(text=texts, newline=newlines, longest=st.sampled_from([1, 3, 1000]))
@example(text="\ufeff\u200b", newline="space", longest=1000)
@example(text="a\u00ad.", newline="space", longest=1000)
@example(text="à à", newline="space", longest=1)
def test_any_text_is_covered_in_order(kind, text, newline, longest, request):
    tokeniser = request.getfixturevalue(f"{kind}_tokeniser")
    sentences = tokeniser.segment(text, newline=newline, longest=longest)
    assert all(0 < len(sentence) <= longest for sentence in sentences)
    place = 0
    previous = None
    for token in tokens(sentences):
        assert token.start < token.end
        assert token.end >= place
        if token.start < place:  # two tokens that share a word
            assert previous is not None
            assert token.end == previous.end
        else:
            assert all(char.isspace() or is_invisible(char) for char in text[place : token.start])
        assert token.text
        assert not any(char.isspace() for char in token.text)
        token.text.encode()
        place, previous = token.end, token
    assert all(char.isspace() or is_invisible(char) for char in text[place:])
    pieces = [text[at : at + 3] for at in range(0, len(text), 3)]
    assert list(tokeniser.iter_sentences(pieces, newline=newline, longest=longest)) == sentences


@pytest.mark.parametrize("kind", ["unicode", "learned"])
def test_long_paragraphs_are_cut_alike_however_they_arrive(kind, request):
    tokeniser = request.getfixturevalue(f"{kind}_tokeniser")
    trees = latin_trees(900, seed=3) if kind == "unicode" else spaceless_trees(2500, seed=3)
    gold = [tuple(tree.leaves()) for tree in trees]
    text = rebuild(gold, LATIN_RULES if kind == "unicode" else find_rules(gold))
    assert len(text.text) > 20_000
    whole = tokeniser.segment(text.text)
    pieces = (text.text[at : at + 1000] for at in range(0, len(text.text), 1000))
    assert list(tokeniser.iter_sentences(pieces)) == whole
    scores = evaluate_tokeniser(tokeniser, text)
    assert scores.tokens.f1 > 98
    assert scores.sentences.f1 > 96


def test_line_breaks_mean_what_they_mean_to_penn_tokens(unicode_tokeniser):
    def words(text, newline):
        return [s.words for s in unicode_tokeniser.segment(text, newline=newline)]

    wrapped = "Kala miro\ntuna. Selo rima."
    assert words(wrapped, "space") == [["Kala", "miro", "tuna", "."], ["Selo", "rima", "."]]
    assert words(wrapped, "paragraph") == [
        ["Kala", "miro"], ["tuna", "."], ["Selo", "rima", "."]
    ]  # fmt: skip
    assert [len(each) for each in words(wrapped, "sentence")] == [2, 5]
    assert len(words("Kala miro\n\ntuna.", "space")) == 2
    assert len(words("Kala miro\n- tuna\n- selo", "space")) == 3


def test_hyphens_are_an_option_of_penn_tokens(tokeniser):
    assert tokeniser.segment("a-b", hyphens="keep") == tokeniser.segment("a-b")
    with pytest.raises(TextError, match="option of Penn tokens"):
        tokeniser.segment("a-b", hyphens="split")
    with pytest.raises(TextError, match="newline must be one of"):
        tokeniser.segment("a", newline="never")
    with pytest.raises(TextError, match="longest=0"):
        tokeniser.segment("a", longest=0)


def test_features_of_units_are_within_the_table(tokeniser):
    from whorl.tokenisers.splitters import CharacterSplitter, WordSplitter

    rows = len(tokeniser.network.embeddings)
    words = tokeniser.inventory.words
    for splitter, features in (
        (WordSplitter, WordFeatures(rows, words)),
        (CharacterSplitter, CharacterFeatures(rows, words)),
    ):
        ids = features.ids(splitter(tokeniser.inventory).units("Kala dos \ufffd。x"), set())
        assert ids.shape[1] == features.columns == len(features.dropped)
        assert ids.min() >= 0
        assert ids.max() < rows
