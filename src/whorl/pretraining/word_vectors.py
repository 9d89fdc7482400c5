"""Word vectors from text, by counting which words stand beside which, and on which side.

The contexts of a word are its neighbours, told apart by their place, as in structured skip-gram
(Ling et al., 2015): words with the same neighbours in the same places have the same syntax. Counts
become positive pointwise mutual information, and the matrix is reduced by a truncated singular
value decomposition (Levy, Goldberg and Dagan, 2015). That takes seconds where predicting takes
minutes, and on a few million words the vectors are better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.errors import VectorError
from whorl.lexicon.vectors import Vectors
from whorl.lexicon.word_forms import plain_word

__all__ = ["VectorSettings", "learn_vectors", "normal_form"]

_CHUNK = 2_000_000  # words whose pairs are counted together
_SMOOTHING = 0.75  # exponent of the frequencies of contexts
_WEIGHT = 0.5  # exponent of the singular values
_SPREAD = 0.35  # standard deviation of all numbers, about that of skip-gram vectors
_ITERATIONS = 4  # of the power method
_OVERSAMPLING = 30
_DIGIT = re.compile(r"\d")

Ints = npt.NDArray[np.int64]
Sentences = Callable[[], Iterable[Sequence[str]]]
"""Reads the text, each time from its beginning."""


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """What the vectors depend on, besides the text."""

    dimension: int = 100
    window: int = 2
    """Neighbours on either side."""
    least: int = 3
    """How often a word must occur to get a vector."""
    most: int = 200_000
    """Words with a vector, the most frequent."""
    contexts: int = 8_000
    """Words that count as neighbours, the most frequent."""
    seed: int = 1


@lru_cache(maxsize=1 << 18)
def normal_form(word: str) -> str:
    """Return a word as vectors know it: without escapes, in lower case, with zeros for digits."""
    return _DIGIT.sub("0", plain_word(word).lower())


def learn_vectors(
    read: Sentences,
    settings: VectorSettings | None = None,
    *,
    on_progress: Callable[[str, float], None] = lambda stage, done: None,
    total: int = 0,
) -> Vectors:
    """Learn the vectors of the words in a text, the most frequent first.

    The text is read twice. `on_progress` receives the stage and the share that is done, if `total`
    says how many sentences there are.
    """
    settings = settings or VectorSettings()

    def sentences(stage: str) -> Iterator[list[str]]:
        for number, sentence in enumerate(read()):
            if number % 1000 == 0:
                on_progress(stage, number / total if total else 0.0)
            yield [normal_form(word) for word in sentence]

    counts = Counter(chain.from_iterable(sentences("counting words")))
    # Ties are broken by the words themselves, so that the order of the text makes no difference.
    ranked = sorted((-n, word) for word, n in counts.items() if n >= settings.least)
    words = [word for _, word in ranked[: settings.most]]
    if len(words) <= settings.dimension:
        raise VectorError(
            f"too little text for vectors: {len(words):,} different words occur "
            f"{settings.least} times or more; expected more than {settings.dimension}"
        )
    pairs = _Pairs(words, settings)
    numbers: list[int] = []
    for sentence in sentences("counting neighbours"):
        numbers += pairs.encode(sentence)
        if len(numbers) >= _CHUNK:
            pairs.count(np.array(numbers))
            numbers = []
    pairs.count(np.array(numbers, dtype=np.int64))
    on_progress("reducing", 0.0)
    table = _reduce(pairs, settings).numpy()
    known = np.flatnonzero(np.abs(table).max(axis=1) > 0)  # words that have a neighbour
    table = np.vstack([np.zeros((1, settings.dimension)), table[known]]).astype(np.float32)
    return Vectors([words[row] for row in known.tolist()], table)


class _Pairs:
    """How often each word stands beside each context, by place."""

    def __init__(self, words: Sequence[str], settings: VectorSettings) -> None:
        self.rows = len(words)
        contexts = min(settings.contexts, self.rows)
        self._index = {word: number for number, word in enumerate(words)}
        # The marks around a sentence are contexts as well, and have no rows.
        self._start, self._end, self._rare = self.rows, self.rows + 1, self.rows + 2
        self._context = np.full(self.rows + 3, -1, dtype=np.int64)
        self._context[:contexts] = np.arange(contexts)
        self._context[[self._start, self._end]] = contexts, contexts + 1
        self._width = contexts + 2  # of a place
        self._window = window = settings.window
        self._offsets = [offset for offset in range(-window, window + 1) if offset]
        self.columns = self._width * len(self._offsets)
        self.keys: Ints = np.zeros(0, dtype=np.int64)
        """Of the pairs: their rows times `columns`, plus their columns."""
        self.counts: Ints = np.zeros(0, dtype=np.int64)

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """Number the words of a sentence, with its marks."""
        index, rare = self._index, self._rare
        before, after = ([mark] * self._window for mark in (self._start, self._end))
        return [*before, *[index.get(word, rare) for word in sentence], *after]

    def count(self, numbers: Ints) -> None:
        """Count the pairs in encoded sentences."""
        contexts = self._context[numbers]
        keys = [self.keys]
        for place, offset in enumerate(self._offsets):
            shift = abs(offset)
            if offset < 0:
                word, context = numbers[shift:], contexts[:-shift]
            else:
                word, context = numbers[:-shift], contexts[shift:]
            known = (word < self.rows) & (context >= 0)
            keys.append(word[known] * self.columns + place * self._width + context[known])
        joined = np.concatenate(keys)
        counts = np.ones(len(joined), dtype=np.int64)
        counts[: len(self.counts)] = self.counts
        self.keys, inverse = np.unique(joined, return_inverse=True)
        self.counts = np.bincount(inverse, weights=counts, minlength=len(self.keys)).astype(
            np.int64
        )


def _reduce(pairs: _Pairs, settings: VectorSettings) -> Tensor:
    """Reduce positive pointwise mutual information to a few dimensions: (words, dimension)."""
    rows, columns = np.divmod(pairs.keys, pairs.columns)
    of_rows = np.bincount(rows, weights=pairs.counts, minlength=pairs.rows)
    of_columns = np.bincount(columns, weights=pairs.counts, minlength=pairs.columns)
    smoothed = of_columns**_SMOOTHING
    information = np.log(pairs.counts / of_rows[rows]) - np.log(smoothed[columns] / smoothed.sum())
    positive = information > 0
    matrix = torch.sparse_coo_tensor(
        torch.from_numpy(np.stack([rows[positive], columns[positive]])),
        torch.from_numpy(information[positive].astype(np.float32)),
        (pairs.rows, pairs.columns),
        check_invariants=False,
    ).coalesce()
    vectors, values = _left_singular_vectors(matrix, settings.dimension, settings.seed)
    weighted = vectors * values**_WEIGHT
    return weighted * (_SPREAD / weighted.std())


def _left_singular_vectors(matrix: Tensor, dimension: int, seed: int) -> tuple[Tensor, Tensor]:
    """Return the first singular vectors and values of a sparse matrix (Halko et al., 2011)."""
    transposed = matrix.t().coalesce()
    width = min(dimension + _OVERSAMPLING, *matrix.shape)
    random = torch.Generator().manual_seed(seed)
    sample = torch.sparse.mm(matrix, torch.randn(matrix.shape[1], width, generator=random))
    for _ in range(_ITERATIONS):
        basis = torch.linalg.qr(sample).Q
        sample = torch.sparse.mm(matrix, torch.linalg.qr(torch.sparse.mm(transposed, basis)).Q)
    basis = torch.linalg.qr(sample).Q
    projected = torch.sparse.mm(transposed, basis).t()  # (width, columns)
    left, values, _ = torch.linalg.svd(projected, full_matrices=False)
    return (basis @ left)[:, :dimension], values[:dimension]
