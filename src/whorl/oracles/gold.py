"""What every dynamic oracle asks of a gold tree: its constituents as a multiset, by span and by left edge."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from whorl.errors import OracleError
from whorl.transitions import State
from whorl.trees import Span, Tree

__all__ = ["Gold", "Judgement", "built_spans", "chain_labels", "unary_chain"]

_NONE: Counter[str] = Counter()


class Judgement(NamedTuple):
    """How many constituents were built, and how many of them are gold."""

    built: int
    right: int


class Gold:
    """The constituents of a gold tree. A multiset: a treebank has X over X on one span."""

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
        self._judged: dict[int, tuple[Tree, Judgement]] = {}

    def check_chains(self, max_unary: int) -> None:
        """Raise `OracleError` where a unary chain is longer than a system with that bound can build."""
        for (left, right), labels in self._labels.items():
            chain = labels.total() - (right - left > 1)
            if chain > max_unary:
                raise OracleError(
                    f"a unary chain of {chain} over words {left} to {right} is longer than max_unary = {max_unary}"
                )

    def check_opens(self, max_open: int) -> None:
        """Raise `OracleError` where more phrases begin at one word than a system with that bound can open."""
        for left, rights in self._rights.items():
            if len(rights) > max_open:
                raise OracleError(
                    f"{len(rights)} phrases begin at word {left}, more than max_open = {max_open}"
                )

    def labels(self, left: int, right: int) -> Counter[str]:
        """The labels on a span, with their number. Not to be changed."""
        return self._labels.get((left, right), _NONE)

    def lowest(self, left: int, right: int, built: Counter[str]) -> str:
        """Of the labels on a span that are not built yet, that of the lowest phrase in the gold tree."""
        spent = built.copy()
        for label in self._chains[left, right]:
            if spent[label] <= 0:
                return label
            spent[label] -= 1
        raise OracleError(f"nothing is missing on words {left} to {right}")

    def ending_after(self, left: int, right: int) -> int:
        """How many constituents begin at `left` and end after `right`."""
        rights = self._rights.get(left)
        return 0 if rights is None else len(rights) - bisect_right(rights, right)

    def beginning_at(self, left: int, *, ending_from: int) -> list[tuple[int, Counter[str]]]:
        """The constituents that begin at `left` and end no earlier than told: right edges, rising, with labels."""
        return [group for group in self._groups.get(left, ()) if group[0] >= ending_from]

    def beginning_from(self, left: int) -> int:
        """How many constituents begin at `left` or later."""
        return self._later[left]

    def judge(self, items: Iterable[object]) -> Judgement:
        """How many constituents the items of a stack hold, and how many of them are gold.

        Different items cover different words, so each is judged by itself, and once.
        """
        built = right = 0
        for item in items:
            if type(item) is Tree:
                found = self._judged.get(id(item))
                judgement = self._judge(item) if found is None else found[1]
                built += judgement.built
                right += judgement.right
        return Judgement(built, right)

    def _judge(self, item: Tree) -> Judgement:
        """Judge a phrase after all phrases in it that have not been judged."""
        waiting = [item]
        while waiting:
            phrase = waiting[-1]
            unknown = [
                child
                for child in phrase.children
                if type(child) is Tree and id(child) not in self._judged
            ]
            if unknown:
                waiting += unknown
                continue
            built, right = self.judge(phrase.children)
            wanted = self.labels(phrase.left, phrase.right)[phrase.label]
            is_right = wanted > 0 and (
                len(phrase.children) > 1 or chain_labels(phrase)[phrase.label] <= wanted
            )
            # The phrase is kept, so that no other one can get its id.
            self._judged[id(phrase)] = phrase, Judgement(built + 1, right + is_right)
            waiting.pop()
        return self._judged[id(item)][1]


def built_spans(state: State) -> Counter[Span]:
    """The constituents that a state has built: the γ of §3, words left out."""
    built: Counter[Span] = Counter()
    for item in state.items():
        if type(item) is Tree:
            built.update(item.spans())
    return built


def chain_labels(item: object) -> Counter[str]:
    """The labels that stand on one and the same span, from this item down."""
    labels: Counter[str] = Counter()
    while type(item) is Tree:
        labels[item.label] += 1
        if len(item.children) > 1:
            break
        item = item.children[0]
    return labels


def unary_chain(item: object) -> int:
    """How many phrases with one child stand over one another, from this item down."""
    length = 0
    while type(item) is Tree and len(item.children) == 1:
        length += 1
        item = item.children[0]
    return length
