"""A vocabulary of word pieces: cased byte-pair encoding of words separated by spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from whorl.lexicon.word_pieces import SPECIAL, UNK

__all__ = ["alphabet_size", "train_tokenizer"]

_PREFIX = "##"  # of a piece inside a word
_SMALLEST = 300  # characters of an alphabet, if the text has as many
_COVERED = 0.9995  # share of the text that an alphabet covers


def alphabet_size(sample: Iterable[str], vocabulary: int) -> int:
    """Choose how many characters get pieces: enough to cover the text, at most half the pieces."""
    counts = Counter(character for line in sample for character in line if character != " ")
    uncovered = (1 - _COVERED) * counts.total()
    rare = 0
    for _, count in reversed(counts.most_common()):
        uncovered -= count
        if uncovered < 0:
            break
        rare += 1
    return min(max(_SMALLEST, len(counts) - rare), vocabulary // 2)


def train_tokenizer(lines: Iterable[str], *, vocabulary: int, alphabet: int) -> Tokenizer:
    """Learn pieces from sentences; a small text may yield fewer than `vocabulary`."""
    tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL[UNK], continuing_subword_prefix=_PREFIX))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=list(SPECIAL),
        limit_alphabet=alphabet,
        continuing_subword_prefix=_PREFIX,
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer
