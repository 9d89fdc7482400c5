"""The words that a model knows, and shape classes for the words that it does not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from whorl.lexicon.word_forms import plain_word

__all__ = ["Words", "shape_class"]

_SUFFIXES = ("s", "ed", "ing", "ion", "er", "est", "ly", "ity", "y", "al")  # the authors' list
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=1 << 16)
def shape_class(word: str, *, first: bool) -> str:
    """Return the class of an unknown word, after the Berkeley and Stanford parsers.

    It depends on capitals, digits, dashes, the suffix, and whether the word begins a sentence.
    """
    parts = ["<unk"]
    letters = [character for character in word if character.isalpha()]
    upper = sum(character.isupper() for character in letters)
    if letters and upper == len(letters) and len(letters) > 1:
        parts.append("CAPS")
    elif word[:1].isupper():
        parts.append("INIT" if first else "CAP")
    elif upper:
        parts.append("MIXED")
    elif letters:
        parts.append("lower")
    if _DIGIT.search(word):
        parts.append("num" if letters else "NUM")
    if "-" in word[1:]:
        parts.append("dash")
    lowered = word.lower()
    if len(letters) > 3 and "num" not in parts:
        suffix = next(
            (s for s in sorted(_SUFFIXES, key=len, reverse=True) if lowered.endswith(s)), None
        )
        if suffix:
            parts.append(suffix)
    return "-".join(parts) + ">"


class Words:
    """Words by number; 0 stands for unknown words whose shape class has no number either."""

    def __init__(self, words: Iterable[str], singletons: Iterable[str] = ()) -> None:
        self.words = ["<unk>", *dict.fromkeys(word for word in words if word != "<unk>")]
        self.index = {word: number for number, word in enumerate(self.words)}
        self.singletons = frozenset(singletons)
        """Words seen once in training, where they are at times replaced by their shape class."""

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], *, limit: int = 0) -> Words:
        """Collect the words of a treebank, and the shape classes of rare and unknown ones.

        With a `limit`, only that many words are kept, the most frequent.
        """
        counts: Counter[str] = Counter()
        firsts: Counter[str] = Counter()
        for sentence in sentences:
            counts.update(sentence)
            firsts.update(sentence[:1])
        return cls.counted(counts, firsts, limit=limit)

    @classmethod
    def counted(
        cls, counts: Mapping[str, int], firsts: Mapping[str, int], *, limit: int = 0
    ) -> Words:
        """Make what `of` makes, from the counts of all words and of those that begin a sentence."""
        kept = sorted(counts, key=lambda word: (-counts[word], word))[: limit or None]
        known = {word for word in kept if counts[word] > 1}
        classes: set[str] = set()
        for word in counts.keys() - known:
            first = firsts.get(word, 0)
            if first:
                classes.add(shape_class(word, first=True))
            if first < counts[word]:
                classes.add(shape_class(word, first=False))
        return cls([*sorted(classes), *sorted(kept)], sorted(set(kept) - known))

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """Return the numbers of the words; see `number`."""
        return [self.number(word, first=position == 0) for position, word in enumerate(sentence)]

    def number(self, word: str, *, first: bool) -> int:
        """Look a word up as written, then without treebank escapes, then by its shape class."""
        number = self.index.get(word)
        if number is None:
            number = self.index.get(plain_word(word))
        return self.unknown(word, first=first) if number is None else number

    def unknown(self, word: str, *, first: bool) -> int:
        """Return the number of the word's shape class."""
        return self.index.get(shape_class(word, first=first), 0)
