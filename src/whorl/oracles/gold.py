"""The constituents of a gold tree as a multiset, indexed by span and by left edge."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from whorl.errors import OracleError
from whorl.transitions import State
from whorl.trees import Span, Tree

__all__ = ["ConstituentCounts", "GoldConstituents", "built_spans", "chain_labels", "unary_chain"]

_NONE: Counter[str] = Counter()


class ConstituentCounts(NamedTuple):
    """The number of constituents built, and of those among them that are gold."""

    built: int
    correct: int


class GoldConstituents:
    """The constituents of a gold tree. A multiset: treebanks have X over X on one span."""

    def __init__(self, tree: Tree) -> None:
        tree = tree.at(0)
        self.words = tree.right
        spans = tree.spans()
        self.spans: Counter[Span] = Counter(spans)
        self.total = len(spans)
        self._labels: dict[tuple[int, int], Counter[str]] = {}
        self._rights: dict[int, list[int]] = {}
        self._chains: dict[tuple[int, int], list[str]] = {}
        for label, left, right in reversed(spans):
            self._chains.setdefault((left, right), []).append(label)
            self._labels.setdefault((left, right), Counter())[label] += 1
            self._rights.setdefault(left, []).append(right)
        self._groups: dict[int, list[tuple[int, Counter[str]]]] = {}
        for left, rights in self._rights.items():
            rights.sort()
            self._groups[left] = [
                (right, self._labels[left, right]) for right in dict.fromkeys(rights)
            ]
        lefts = sorted(span.left for span in spans)
        self._later = [len(lefts) - bisect_left(lefts, left) for left in range(self.words + 2)]
        self._counted: dict[int, tuple[Tree, ConstituentCounts]] = {}

    def check_chains(self, max_unary: int) -> None:
        """Raise `OracleError` if a unary chain is longer than that bound allows."""
        for (left, right), labels in self._labels.items():
            chain = labels.total() - (right - left > 1)
            if chain > max_unary:
                raise OracleError(
                    f"a unary chain of {chain} over words {left} to {right} "
                    f"is longer than max_unary = {max_unary}"
                )

    def check_opens(self, max_open: int) -> None:
        """Raise `OracleError` if more phrases begin at a word than that bound allows."""
        for left, rights in self._rights.items():
            if len(rights) > max_open:
                raise OracleError(
                    f"{len(rights)} phrases begin at word {left}, more than max_open = {max_open}"
                )

    def labels(self, left: int, right: int) -> Counter[str]:
        """Return the labels on a span with their counts. Read only."""
        return self._labels.get((left, right), _NONE)

    def lowest(self, left: int, right: int, built: Counter[str]) -> str:
        """Return the label of the lowest gold phrase on a span that is not among those built."""
        remaining = built.copy()
        for label in self._chains[left, right]:
            if remaining[label] <= 0:
                return label
            remaining[label] -= 1
        raise OracleError(f"nothing is missing on words {left} to {right}")

    def ending_after(self, left: int, right: int) -> int:
        """Count the constituents that begin at `left` and end after `right`."""
        rights = self._rights.get(left)
        return 0 if rights is None else len(rights) - bisect_right(rights, right)

    def beginning_at(self, left: int, *, ending_from: int) -> list[tuple[int, Counter[str]]]:
        """Return the constituents that begin at `left` and end at `ending_from` or later.

        They are grouped by right edge, in rising order, with the labels on each span.
        """
        return [group for group in self._groups.get(left, ()) if group[0] >= ending_from]

    def beginning_from(self, left: int) -> int:
        """Count the constituents that begin at `left` or later."""
        return self._later[left]

    def count(self, items: Iterable[object]) -> ConstituentCounts:
        """Count the constituents in the items of a stack, and those among them that are gold.

        Items cover disjoint words, so each is counted on its own, and only once.
        """
        built = correct = 0
        for item in items:
            if type(item) is Tree:
                known = self._counted.get(id(item))
                counts = self._count(item) if known is None else known[1]
                built += counts.built
                correct += counts.correct
        return ConstituentCounts(built, correct)

    def _count(self, item: Tree) -> ConstituentCounts:
        """Count a phrase after all phrases in it that are not yet counted."""
        pending = [item]
        while pending:
            phrase = pending[-1]
            unknown = [
                child
                for child in phrase.children
                if type(child) is Tree and id(child) not in self._counted
            ]
            if unknown:
                pending += unknown
                continue
            built, correct = self.count(phrase.children)
            wanted = self.labels(phrase.left, phrase.right)[phrase.label]
            is_correct = wanted > 0 and (
                len(phrase.children) > 1 or chain_labels(phrase)[phrase.label] <= wanted
            )
            # Keeping the phrase keeps its id from being reused.
            self._counted[id(phrase)] = phrase, ConstituentCounts(built + 1, correct + is_correct)
            pending.pop()
        return self._counted[id(item)][1]


def built_spans(state: State) -> Counter[Span]:
    """Return the constituents that a state has built: the γ of §3, without the words."""
    built: Counter[Span] = Counter()
    for item in state.items():
        if type(item) is Tree:
            built.update(item.spans())
    return built


def chain_labels(item: object) -> Counter[str]:
    """Count the labels of the phrases on the item's own span, from the item down."""
    labels: Counter[str] = Counter()
    while type(item) is Tree:
        labels[item.label] += 1
        if len(item.children) > 1:
            break
        item = item.children[0]
    return labels


def unary_chain(item: object) -> int:
    """Count the unary phrases over one another, from the item down."""
    length = 0
    while type(item) is Tree and len(item.children) == 1:
        length += 1
        item = item.children[0]
    return length
