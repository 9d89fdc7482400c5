"""The dynamic oracle of the top-down system, after Fernández-González and Gómez-Rodríguez (2018).

An open phrase is a promise: a constituent that begins where it was opened, wherever it ends. A gold
constituent is reachable if it is built, if it begins in the buffer, or if a phrase of its label is
open at its left edge. Phrases opened at one place close from the inside out, so promises in another
order than the gold tree's cannot all be kept: the loss counts the most that can, together with the
phrases that can still be opened inside them. This goes beyond the published oracle and makes the
loss exact (the tests prove it by exhaustion).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import add
from typing import TypeAlias

from whorl.oracles.base import CandidateOracle
from whorl.oracles.gold import chain_labels
from whorl.transitions import MAX_OPEN, SHIFT, OpenPhrase, State, TopDown, Transition
from whorl.transitions.base import Item
from whorl.transitions.topdown import REDUCE, nt
from whorl.trees import Tree

__all__ = ["TopDownOracle"]

Groups: TypeAlias = list[tuple[int, Counter[str]]]
"""Gold constituents that begin at one place, by rising right edge, with the labels on each span."""


class TopDownOracle(CandidateOracle):
    """The cost of each transition in any state, given a gold tree."""

    def __init__(self, gold: Tree, *, max_open: int = MAX_OPEN) -> None:
        super().__init__(gold, TopDown(max_open=max_open))
        self.gold.check_opens(max_open)
        self.max_open = max_open
        self._here: dict[tuple[int, tuple[str, ...]], int] = {}
        self._promises: dict[tuple[int, int, tuple[str, ...]], int] = {}

    def loss(self, state: State) -> int:
        """Return ℓ(c): wrong constituents built or promised, plus gold ones out of reach.

        A kept promise saves two errors, the wrong constituent and the missing one; a constituent
        that can still be opened saves one.
        """
        gold = self.gold
        items = state.items()
        built, correct = gold.count(items)
        opened = _opened(items)
        promised = 0 if state.stack is None else state.stack.opens
        saved = 0
        # A phrase that is still empty must take a word before anything around it can close.
        earliest = state.buffer + (state.stack is not None and type(state.stack.item) is OpenPhrase)
        for left, labels in opened.items():
            if left < state.buffer:
                saved += 2 * self._kept_promises(state, left, labels, earliest)
        if not state.exhausted:
            saved += gold.beginning_from(state.buffer + 1)
            saved += self._saved_here(tuple(opened.get(state.buffer, ())), state.buffer)
        return (built - correct) + promised + (gold.total - correct) - saved

    def candidates(self, state: State) -> list[Transition]:
        """Return SHIFT, REDUCE, and NT with the gold labels that begin at the next word."""
        labels = {
            label
            for _, labels in self.gold.beginning_at(state.buffer, ending_from=0)
            for label in labels
        }
        return [SHIFT, REDUCE, *(nt(label) for label in sorted(labels))]

    def _kept_promises(self, state: State, left: int, labels: list[str], earliest: int) -> int:
        """Return how many of the phrases open at one left edge can still be gold.

        Answers that do not depend on the topmost item recur, and are cached.
        """
        top = state.stack.item if state.stack is not None else None
        if type(top) is Tree and top.left == left:
            groups = self.gold.beginning_at(left, ending_from=earliest)
            if groups and groups[0][0] == top.right:
                groups[0] = (top.right, groups[0][1] - chain_labels(top))
            return self._most_kept(labels, groups, left)[0][0]
        key = left, earliest, tuple(labels)
        kept = self._promises.get(key)
        if kept is None:
            groups = self.gold.beginning_at(left, ending_from=earliest)
            kept = self._promises[key] = self._most_kept(labels, groups, left)[0][0]
        return kept

    def _saved_here(self, labels: tuple[str, ...], left: int) -> int:
        """Return the errors that can be saved among what begins at the next word, from a cache."""
        saved = self._here.get((left, labels))
        if saved is None:
            saved = self._here[left, labels] = self._most_saved_here(labels, left)
        return saved

    def _most_saved_here(self, labels: Sequence[str], left: int) -> int:
        """Find the best division of the gold constituents that begin at the next word.

        New phrases can only be opened inside those already open here, so they must end no later:
        the new ones take the first groups, the open ones the last, and one group between them may
        be shared.
        """
        groups = self.gold.beginning_at(left, ending_from=left + 1)
        room = self.max_open - len(labels)
        outside = self._most_kept(labels, groups, left)
        best = 0
        inside = 0  # constituents in the groups before this one
        for g, (right, group) in enumerate(groups):
            total = inside + group.total()
            for used, kept in enumerate(self._kept_of(labels, 0, right, group, left)):
                best = max(best, min(room, total - kept) + 2 * (kept + outside[g + 1][used]))
            inside = total
        return best

    def _most_kept(self, labels: Sequence[str], groups: Groups, left: int) -> list[list[int]]:
        """Tabulate how many promises can be kept at one left edge, labels innermost first.

        `rows[g][i]` is the most that can be kept from group `g` and label `i` on; both indices run
        one past the end.
        """
        rows = [[0] * (len(labels) + 1)]
        for right, group in reversed(groups):
            later = rows[-1]
            rows.append(
                [
                    max(map(add, self._kept_of(labels, first, right, group, left), later[first:]))
                    for first in range(len(labels) + 1)
                ]
            )
        rows.reverse()
        return rows

    def _kept_of(
        self, labels: Sequence[str], first: int, right: int, group: Counter[str], left: int
    ) -> list[int]:
        """Count how many of the first 0, 1, 2, … labels from index `first` on are gold on the span.

        The outermost phrase of all ends with the sentence.
        """
        used: dict[str, int] = {}
        kept = [count := 0]
        for label in labels[first:]:
            if group[label] > (before := used.get(label, 0)):
                used[label] = before + 1
                count += 1
            kept.append(count)
        if left == 0 and right < self.gold.words and len(kept) > 1:
            kept[-1] = kept[-2]
        return kept


def _opened(items: Iterable[Item]) -> dict[int, list[str]]:
    """Return the labels of the open phrases by left edge, innermost first."""
    opened: dict[int, list[str]] = {}
    for item in items:
        if type(item) is OpenPhrase:
            opened.setdefault(item.left, []).append(item.label)
    return opened
