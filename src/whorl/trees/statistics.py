"""Statistics of a treebank, counted in one pass, and suspicious places in its trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from whorl.trees.cleaning import TRACE
from whorl.trees.labels import is_temporary, strip_function_tags
from whorl.trees.tree import Leaf, Node, Tree

__all__ = ["Suspicion", "TreebankStatistics", "suspicions"]

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


@dataclass(slots=True)
class TreebankStatistics:
    """Counts over the trees added; a root such as TOP counts as a phrase."""

    trees: int = 0
    words: int = 0
    phrases: int = 0
    longest: int = 0
    deepest: int = 0
    total_depth: int = 0
    longest_unary_chain: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    children: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> TreebankStatistics:
        """Count some trees."""
        statistics = cls()
        for tree in trees:
            statistics.add(tree)
        return statistics

    def add(self, tree: Tree) -> None:
        """Count a tree."""
        length = tree.right - tree.left
        self.trees += 1
        self.words += length
        self.longest = max(self.longest, length)
        depth = 0
        # Nodes, each with its depth and the number of unary phrases in a row above it.
        pending: list[tuple[Node, int, int]] = [(tree, 1, 0)]
        while pending:
            node, level, unary = pending.pop()
            if type(node) is Leaf:
                self.tags[node.tag] += 1
                continue
            self.phrases += 1
            self.labels[node.label] += 1
            self.children[len(node.children)] += 1
            depth = max(depth, level)
            chain = unary + 1 if len(node.children) == 1 else 0
            self.longest_unary_chain = max(self.longest_unary_chain, chain)
            pending.extend((child, level + 1, chain) for child in node.children)
        self.deepest = max(self.deepest, depth)
        self.total_depth += depth

    def as_dict(self) -> dict[str, Any]:
        """Return the counts and their means for JSON, counters with the most frequent first."""
        trees, phrases = max(self.trees, 1), max(self.phrases, 1)
        child_count = sum(arity * count for arity, count in self.children.items())
        return {
            "trees": self.trees,
            "words": self.words,
            "phrases": self.phrases,
            "sentence_length": {"mean": self.words / trees, "max": self.longest},
            "depth": {"mean": self.total_depth / trees, "max": self.deepest},
            "longest_unary_chain": self.longest_unary_chain,
            "children_per_phrase": {
                "mean": child_count / phrases,
                "max": max(self.children, default=0),
                "counts": {str(arity): self.children[arity] for arity in sorted(self.children)},
            },
            "labels": _most_frequent_first(self.labels),
            "tags": _most_frequent_first(self.tags),
        }


def _most_frequent_first(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


class Suspicion(NamedTuple):
    """Something in a well-formed tree that a parser should probably not learn."""

    kind: str
    detail: str


def suspicions(tree: Tree) -> Iterator[Suspicion]:
    """Yield what looks wrong in a tree, parents first."""
    for node in tree.nodes():
        if type(node) is Leaf:
            yield from _suspicions_of_leaf(node)
        elif type(node) is Tree:
            yield from _suspicions_of_phrase(node)


def _suspicions_of_leaf(leaf: Leaf) -> Iterator[Suspicion]:
    if not leaf.word.strip().strip(_INVISIBLE):
        yield Suspicion(
            "blank word", f"word {leaf.left + 1}, tagged {leaf.tag}, shows nothing: {leaf.word!r}"
        )
    if leaf.tag == TRACE:
        yield Suspicion("trace", f"{leaf.word} at word {leaf.left + 1}")


def _suspicions_of_phrase(node: Tree) -> Iterator[Suspicion]:
    where = f"over words {node.left + 1} to {node.right}"
    only = node.children[0]
    if len(node.children) == 1 and type(only) is Tree and only.label == node.label:
        yield Suspicion("unary loop", f"{node.label} over {node.label} {where}")
    if is_temporary(node.label):
        yield Suspicion(
            "temporary label",
            f"{node.label} {where}: labels of this form are kept for binarisation",
        )
    if strip_function_tags(node.label) != node.label:
        yield Suspicion("function tag", f"{node.label} {where}")
