"""New training trees from old ones: phrases change places with others like them.

After Shi, Livescu and Gimpel (2021), “Substructure substitution”: a phrase is replaced by a random
one of the treebank that has the same label, stands below the same label, and is about as long. The
tree stays one that the treebank might hold, and needs no other resource. Where trees are few, a
parser that also reads such trees learns fewer sentences by heart.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from whorl.training.packed import TreeArrays, starts_of

__all__ = ["substitute"]

_LONGEST = 12  # words of a phrase that is replaced
_BUCKETS = (1, 3, 7)  # words: phrases in the same interval are about as long
_WORDS_PER_PHRASE = 10  # of a tree, for each phrase that is replaced in it

Ints = npt.NDArray[np.int64]


def substitute(trees: TreeArrays, copies: int, random: np.random.Generator) -> TreeArrays:
    """Return `copies` times the trees, one copy after another, with other phrases in them.

    A phrase that is an only child stays, so that no unary chain grows longer.
    """
    phrases = _Phrases(trees)
    tree_starts = starts_of(trees.sizes)
    word_starts = starts_of(trees.lengths)
    wanted = np.maximum(1, np.round(trees.lengths / _WORDS_PER_PHRASE)).astype(np.int64).tolist()
    places = phrases.by_tree(tree_starts)
    # A new tree is a run of pieces of old ones: slices of nodes, and of the words in them.
    pieces: list[tuple[int, int, int, int]] = []
    counts: list[int] = []
    for _ in range(copies):
        for tree, candidates in enumerate(places):
            before = len(pieces)
            node, word = int(tree_starts[tree]), int(word_starts[tree])
            for place in phrases.draw(candidates, wanted[tree], random):
                start, first = phrases.node_start[place], phrases.word_start[place]
                pieces.append((node, start, word, first))
                pieces.append(phrases.slices(phrases.substitute(place, random)))
                node, word = place + 1, phrases.word_end[place]
            pieces.append(
                (
                    node,
                    int(tree_starts[tree]) + int(trees.sizes[tree]),
                    word,
                    int(word_starts[tree]) + int(trees.lengths[tree]),
                )
            )
            counts.append(len(pieces) - before)
    return _assemble(trees, np.array(pieces, dtype=np.int64).reshape(-1, 4), counts, copies)


class _Phrases:
    """The phrases of many trees that may be replaced, and what may replace them.

    Nodes are numbered through all trees, children before parents, so a phrase is a slice of nodes
    that ends with its own, and a slice of words.
    """

    def __init__(self, trees: TreeArrays) -> None:
        arities = trees.arities.tolist()
        self.node_start = list(range(len(arities)))  # of the slice of each node
        self.word_end = np.cumsum(trees.arities == 0).tolist()
        self.word_start = [0] * len(arities)
        parents = np.zeros(len(arities), dtype=np.int64)  # labels; 0 at the top of a tree
        only = np.zeros(len(arities), dtype=np.bool_)
        labels = trees.labels.tolist()
        stack: list[int] = []
        for node, arity in enumerate(arities):
            self.word_start[node] = self.word_end[node] - 1
            if arity:
                children = stack[-arity:]
                del stack[-arity:]
                self.node_start[node] = self.node_start[children[0]]
                self.word_start[node] = self.word_start[children[0]]
                parents[children] = labels[node]
                only[children] = arity == 1
            stack.append(node)
        lengths = np.array(self.word_end) - np.array(self.word_start)
        usable = (trees.arities > 0) & (parents > 0) & ~only & (lengths <= _LONGEST)
        nodes = np.flatnonzero(usable)
        keys = np.stack(
            [trees.labels[nodes], parents[nodes], np.searchsorted(_BUCKETS, lengths[nodes])]
        )
        _, kinds, sizes = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
        kinds = kinds.reshape(-1)
        shared = sizes[kinds] > 1
        self.nodes: Ints = nodes[shared]
        self._members: list[int] = nodes[np.argsort(kinds, kind="stable")].tolist()
        starts = starts_of(sizes)
        self._range = {
            node: (int(starts[kind]), int(sizes[kind]))
            for node, kind in zip(self.nodes.tolist(), kinds[shared].tolist(), strict=True)
        }

    def by_tree(self, tree_starts: Ints) -> list[list[int]]:
        """Return the phrases of each tree that can be replaced."""
        bounds = np.searchsorted(self.nodes, tree_starts)
        return [each.tolist() for each in np.split(self.nodes, bounds)[1:]]

    def draw(self, candidates: list[int], wanted: int, random: np.random.Generator) -> list[int]:
        """Choose up to `wanted` phrases of a tree, none within another, from left to right."""
        chosen: list[int] = []
        for index in random.permutation(len(candidates)).tolist():
            node = candidates[index]
            if all(
                node < self.node_start[other] or other < self.node_start[node] for other in chosen
            ):
                chosen.append(node)
                if len(chosen) == wanted:
                    break
        return sorted(chosen)

    def substitute(self, node: int, random: np.random.Generator) -> int:
        """Draw another phrase of the same kind."""
        start, size = self._range[node]
        drawn = start + int(random.integers(size - 1))
        other = self._members[drawn]
        return self._members[start + size - 1] if other == node else other

    def slices(self, node: int) -> tuple[int, int, int, int]:
        """Return the nodes and the words of a phrase."""
        return self.node_start[node], node + 1, self.word_start[node], self.word_end[node]


def _assemble(trees: TreeArrays, pieces: Ints, counts: list[int], copies: int) -> TreeArrays:
    """Make trees of `counts` pieces each."""
    first = starts_of(np.array(counts, dtype=np.int64))
    node_counts, word_counts = pieces[:, 1] - pieces[:, 0], pieces[:, 3] - pieces[:, 2]
    nodes = _ranges(pieces[:, 0], node_counts)
    words = _ranges(pieces[:, 2], word_counts)
    return TreeArrays(
        lengths=np.add.reduceat(word_counts, first).astype(np.int32),
        sizes=np.add.reduceat(node_counts, first).astype(np.int32),
        roots=np.tile(trees.roots, copies),
        words=trees.words[words],
        tags=trees.tags[words],
        arities=trees.arities[nodes],
        labels=trees.labels[nodes],
    )


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """Return the numbers of all ranges, one range after another."""
    numbers: Ints = np.arange(int(counts.sum())) + np.repeat(starts - starts_of(counts), counts)
    return numbers
