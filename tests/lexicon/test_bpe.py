"""Byte pairs in plain Python give the same pieces as the library."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("tokenizers")

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tests.spans import tiny_tokenizer
from whorl.lexicon.bpe import BytePairs
from whorl.lexicon.word_pieces import SPECIAL, Pieces

TEXT = [
    *("the", "other", "tree", "grows", "there", ",", "then", "thinner"),
    *("they", "gather", "together", "1984", "!"),
]
ODD = [
    *("", " ", "a b", "漢字", "🙂", "the" * 900, "[SEP]", "##e", "the\u00a0tree"),
    *("-LRB-", "\ud800", "``", "tree\u0301"),
]


@pytest.fixture(scope="module")
def both():
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=120,
        special_tokens=list(SPECIAL),
        continuing_subword_prefix="##",
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    description = BytePairs.extract(tokenizer.to_str())
    assert description is not None
    return BytePairs.from_dict(description, (2, 2, 1)), Pieces(tokenizer)


def test_words_of_a_text_have_the_same_pieces(both):
    ours, library = both
    assert ours.encode(TEXT) == library.encode(TEXT)
    assert all(ours.encode([word]) == library.encode([word]) for word in ODD)


def test_random_words_have_the_same_pieces(both):
    ours, library = both
    chance = random.Random(1)
    words = ["".join(chance.choices("theornagx é", k=chance.randrange(1, 40))) for _ in range(2000)]
    assert ours.encode(words) == library.encode(words)


def test_a_tokenizer_of_another_kind_is_left_to_the_library():
    assert BytePairs.extract(tiny_tokenizer(SPECIAL)[0].to_str()) is None
