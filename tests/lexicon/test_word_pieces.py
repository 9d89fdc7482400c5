"""Word pieces: plain words, positions of first and last pieces, padding, and folders."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
tokenizers = pytest.importorskip("tokenizers")

from whorl.errors import ModelError
from whorl.lexicon.word_pieces import SPECIAL, Pieces, plain_word

VOCABULARY = [*SPECIAL, "a", "b", "(", '"', "##a", "##b", "ab", "##ab"]
MERGES = [("a", "##b"), ("##a", "##b")]


@pytest.fixture
def tokenizer():
    model = tokenizers.models.BPE(
        {piece: number for number, piece in enumerate(VOCABULARY)},
        MERGES,
        unk_token="[UNK]",
        continuing_subword_prefix="##",
    )
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer


@pytest.fixture
def pieces(tokenizer):
    return Pieces(tokenizer)


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        *(("-LRB-", "("), ("-RCB-", "}"), ("``", '"'), ("''", '"'), ("`", "'"), ("'", "'")),
        *(("“", '"'), ("don’t", "don't"), ("—", "--"), ("1–2", "1-2"), ("…", "...")),
        *(("1\\/2", "1/2"), ("é", "é"), ("\ud800", "?"), ("", ""), ("a``", "a``")),
    ],
)
def test_penn_tokens_are_made_plain(word, plain):
    assert plain_word(word) == plain


def test_a_sentence_is_its_pieces_between_separators_and_words_know_theirs(pieces):
    batch = pieces.batch([["ab", "bab", "-LRB-"], ["a"], []])
    ids = {piece: number for number, piece in enumerate(VOCABULARY)}
    assert batch.ids[0].tolist() == [2, ids["ab"], ids["b"], ids["##ab"], ids["("], 2]
    assert batch.ids[1].tolist() == [2, ids["a"], 2, 0, 0, 0]
    assert batch.ids[2].tolist() == [2, 2, 0, 0, 0, 0]
    assert batch.lengths.tolist() == [6, 3, 2]
    assert batch.mask.sum(axis=1).tolist() == [6, 3, 2]
    assert batch.first.tolist() == [[1, 2, 4], [1, 0, 0], [0, 0, 0]]
    assert batch.last.tolist() == [[1, 3, 4], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("word", ["", " ", "\x00", "☃", "\ud800", "[SEP]", "[PAD]", "a b"])
def test_every_word_has_pieces_and_none_is_a_separator_or_padding(pieces, word):
    (ids,) = pieces.encode([word])
    assert ids
    assert not {0, 2, 3} & set(ids)


def test_the_cache_is_bounded_and_changes_nothing(pieces, monkeypatch):
    monkeypatch.setattr("whorl.lexicon.word_pieces._CACHED", 3)
    words = ["a", "b", "ab", "ba", "aa", "bb", "a", "aab"]
    once = [pieces.encode([word])[0] for word in words]
    assert pieces.encode(words) == once
    assert pieces.encode(["a", "b"]) == once[:2]
    assert len(pieces._cache) <= 3 + len(words)


def test_no_sentences_and_no_words_are_batches_too(pieces):
    assert pieces.batch([]).ids.shape[0] == 0
    assert pieces.batch([[]]).first.shape == (1, 0)


def test_a_tokenizer_is_loaded_from_a_folder_or_an_error_says_why_not(tmp_path, tokenizer):
    with pytest.raises(ModelError, match=r"it has no tokenizer\.json"):
        Pieces.load(tmp_path)
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    assert len(Pieces.load(tmp_path)) == len(Pieces.load(path)) == len(VOCABULARY)
    path.write_text(path.read_text(encoding="utf-8")[:50], encoding="utf-8")
    with pytest.raises(ModelError, match="is not a tokenizer"):
        Pieces.load(tmp_path)
    tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0}, [])).save(str(path))
    with pytest.raises(ModelError, match=r"piece 0 is not \[PAD\]"):
        Pieces.load(tmp_path)
