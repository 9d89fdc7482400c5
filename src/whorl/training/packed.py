"""Trees as a few large arrays: small in memory, quick to send between processes and to count.

A worker process reads a block of text and packs its trees, with numbers of its own for words, tags
and labels. `Names` gives all of them common numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import count
from typing import NamedTuple, cast, overload

import numpy as np
import numpy.typing as npt

from whorl.trees import Leaf, Node, Tree, strip_root
from whorl.trees.tree import make_leaf, make_tree

__all__ = ["Names", "PackedTrees", "TrainingTrees", "TreeArrays", "pack_trees", "starts_of"]

Ints32 = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TreeArrays:
    """Many trees without their usual roots, which are kept apart, children before parents."""

    lengths: Ints32  # (trees,): number of words
    sizes: Ints32  # (trees,): number of nodes, words included
    roots: Ints32  # (trees,): the label of a root that `strip_root` removes; 0 for none
    words: Ints32  # (all words,)
    tags: Ints32  # (all words,)
    arities: Ints32  # (all nodes,): number of children; 0 for a word
    labels: Ints32  # (all nodes,): labels, numbered from 1; 0 for a word

    def __len__(self) -> int:
        return len(self.lengths)

    @classmethod
    def join(cls, parts: Sequence[TreeArrays]) -> TreeArrays:
        """Return all trees of the parts, in order."""
        if len(parts) == 1:
            return parts[0]
        empty = np.zeros(0, dtype=np.int32)
        return cls(
            *(
                np.concatenate([empty, *(getattr(part, item.name) for part in parts)])
                for item in fields(cls)
            )
        )

    def select(self, kept: npt.NDArray[np.bool_]) -> TreeArrays:
        """Return some of the trees, in order."""
        words, nodes = np.repeat(kept, self.lengths), np.repeat(kept, self.sizes)
        return TreeArrays(
            self.lengths[kept],
            self.sizes[kept],
            self.roots[kept],
            self.words[words],
            self.tags[words],
            self.arities[nodes],
            self.labels[nodes],
        )


class PackedTrees(NamedTuple):
    """Trees as arrays, with the words, tags and labels that their numbers stand for."""

    trees: TreeArrays
    words: list[str]  # numbered from 0
    tags: list[str]  # numbered from 0
    labels: list[str]  # numbered from 1


def pack_trees(trees: Sequence[Tree]) -> PackedTrees:
    """Turn trees into arrays."""
    words, tags, labels = (_numbering(first) for first in (0, 0, 1))
    # A walk from the root that takes the last child first is the derivation backwards, and so are
    # all trees from the last to the first.
    lengths, sizes, roots = [], [], []
    word_numbers: list[int] = []
    tag_numbers: list[int] = []
    arities: list[int] = []
    label_numbers: list[int] = []
    for tree in reversed(trees):
        stripped = strip_root(tree)
        roots.append(0 if stripped is tree else labels[tree.label])
        lengths.append(stripped.right - stripped.left)
        before = len(arities)
        pending: list[Node] = [stripped]
        while pending:
            node = pending.pop()
            if type(node) is Leaf:
                word_numbers.append(words[node.word])
                tag_numbers.append(tags[node.tag])
                arities.append(0)
                label_numbers.append(0)
            else:
                children = node.children
                arities.append(len(children))
                label_numbers.append(labels[node.label])
                pending += children
        sizes.append(len(arities) - before)
    backwards = (lengths, sizes, roots, word_numbers, tag_numbers, arities, label_numbers)
    arrays = TreeArrays(*(np.array(values, dtype=np.int32)[::-1].copy() for values in backwards))
    return PackedTrees(arrays, list(words), list(tags), list(labels))


def _numbering(first: int) -> defaultdict[str, int]:
    """Return a dictionary that numbers its keys by itself."""
    return defaultdict(count(first).__next__)


@dataclass(slots=True)
class Names:
    """The words, tags and labels of all trees, by number."""

    words: dict[str, int] = field(default_factory=lambda: _numbering(0))
    tags: dict[str, int] = field(default_factory=lambda: _numbering(0))
    labels: dict[str, int] = field(default_factory=lambda: _numbering(1))

    def adopt(self, packed: PackedTrees) -> TreeArrays:
        """Return the arrays of packed trees with these numbers."""
        trees = packed.trees
        labels = np.array([0, *map(self.labels.__getitem__, packed.labels)], dtype=np.int32)
        return TreeArrays(
            trees.lengths,
            trees.sizes,
            labels[trees.roots],
            _numbers(self.words, packed.words)[trees.words],
            _numbers(self.tags, packed.tags)[trees.tags],
            trees.arities,
            labels[trees.labels],
        )

    def with_words(self, trees: TreeArrays, sentences: Mapping[int, Sequence[str]]) -> TreeArrays:
        """Return the trees with other words in some sentences."""
        if not sentences:
            return trees
        words = trees.words.copy()
        starts = starts_of(trees.lengths)
        for number, sentence in sentences.items():
            start = starts[number]
            words[start : start + len(sentence)] = _numbers(self.words, sentence)
        return TreeArrays(
            trees.lengths,
            trees.sizes,
            trees.roots,
            words,
            trees.tags,
            trees.arities,
            trees.labels,
        )


def _numbers(index: Mapping[str, int], names: Iterable[str]) -> Ints32:
    return np.array([index[name] for name in names], dtype=np.int32)


class TrainingTrees(Sequence[Tree]):
    """The training trees of a recipe as arrays; indexing builds a tree."""

    def __init__(self, names: Names, parts: Sequence[tuple[str, TreeArrays]]) -> None:
        self.arrays = TreeArrays.join([part for _, part in parts])
        self.parts = [(name, len(part)) for name, part in parts]
        """The name of each treebank, empty outside a mix, and the number of its trees."""
        self.names = names
        self.words, self.tags = list(names.words), list(names.tags)
        self.labels = ["", *names.labels]
        self.word_starts = starts_of(self.arrays.lengths)
        self.node_starts = starts_of(self.arrays.sizes)

    def __len__(self) -> int:
        return len(self.arrays)

    @overload
    def __getitem__(self, number: int) -> Tree: ...

    @overload
    def __getitem__(self, number: slice) -> list[Tree]: ...

    def __getitem__(self, number: int | slice) -> Tree | list[Tree]:
        """Return a tree, with its root."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        tree = self.stripped(number)
        root = self.arrays.roots[number]
        return make_tree(self.labels[root], (tree,), tree.left, tree.right) if root else tree

    def stripped(self, number: int) -> Tree:
        """Return a tree without a root of the usual names, as the network learns it."""
        start, size = self.node_starts[number], self.arrays.sizes[number]
        nodes = slice(start, start + size)
        first = self.word_starts[number]
        stack: list[Node] = []
        position = 0
        arities, labels = self.arrays.arities[nodes].tolist(), self.arrays.labels[nodes].tolist()
        for arity, label in zip(arities, labels, strict=True):
            if not arity:
                tag = self.tags[self.arrays.tags[first + position]]
                word = self.words[self.arrays.words[first + position]]
                stack.append(make_leaf(tag, word, position))
                position += 1
                continue
            children = tuple(stack[-arity:])
            del stack[-arity:]
            stack.append(make_tree(self.labels[label], children, children[0].left, position))
        return cast("Tree", stack.pop())

    def sentence(self, number: int) -> list[str]:
        """Return the words of a tree."""
        start, length = self.word_starts[number], self.arrays.lengths[number]
        return [self.words[word] for word in self.arrays.words[start : start + length].tolist()]

    @property
    def sources(self) -> list[str]:
        """The treebank of each tree in a mix; empty otherwise."""
        sources = [name for name, trees in self.parts for _ in range(trees)]
        return sources if any(sources) else []

    def roots(self) -> Counter[str | None]:
        """Count the roots that `strip_root` removes; None for trees without."""
        counts = Counter(self.arrays.roots.tolist())
        return Counter({self.labels[root] if root else None: n for root, n in counts.items()})

    def word_counts(self, *, first: bool = False) -> dict[str, int]:
        """Count all words, or those that begin a sentence."""
        words = self.arrays.words
        return _counts(words[self.word_starts] if first else words, self.words)

    def tag_counts(self) -> dict[str, int]:
        """Count the tags."""
        return _counts(self.arrays.tags, self.tags)

    def label_counts(self) -> dict[str, int]:
        """Count the labels of phrases, without those roots."""
        return _counts(self.arrays.labels[self.arrays.arities > 0], self.labels)


def _counts(numbers: Ints32, names: Sequence[str]) -> dict[str, int]:
    counts = np.bincount(numbers, minlength=len(names))
    return {names[number]: int(counts[number]) for number in np.flatnonzero(counts).tolist()}


def starts_of(counts: npt.NDArray[np.integer]) -> Ints:
    """Return where each item begins, when items of these sizes follow each other."""
    starts: Ints = np.cumsum(counts, dtype=np.int64) - counts
    return starts
