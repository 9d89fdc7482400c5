"""Sentences that silver trees must not hold: those of development and test sets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property

from whorl.lexicon.word_forms import plain_word
from whorl.trees import Tree, read_treebank

__all__ = ["Exclusion"]


class Exclusion:
    """The sentences of gold trees, however their words are split, quoted or capitalised."""

    def __init__(self, trees: Iterable[Tree] = ()) -> None:
        self._sentences = {_letters(tree.words()) for tree in trees}

    @classmethod
    def read(cls, paths: Sequence[str]) -> Exclusion:
        """Read the sentences of files of trees, or of whole treebanks."""
        return cls(tree for path in paths for tree in read_treebank(path))

    def __contains__(self, words: Sequence[str]) -> bool:
        return bool(self._sentences) and _letters(words) in self._sentences

    @cached_property
    def digest(self) -> str:
        """A name for the set of sentences; empty for none."""
        if not self._sentences:
            return ""
        return hashlib.sha256("\n".join(sorted(self._sentences)).encode("utf-8")).hexdigest()[:16]


def _letters(words: Sequence[str]) -> str:
    """Return the characters of a sentence, which do not depend on how it was tokenised."""
    return "".join(map(plain_word, words)).casefold()
