"""The dynamic oracle of the in-order system, after Fernández-González and Gómez-Rodríguez (2018).

A projected phrase begins where its first child does and ends wherever it is closed; then others can
be projected over it. So at the left edge of a projected phrase every gold constituent that ends no
earlier than it can be reached, and the phrase itself is correct if its label is one of the first
that end there. The bound on unary chains takes part in the loss, which is exact (the tests prove it
by exhaustion).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from whorl.oracles.base import CandidateOracle
from whorl.oracles.gold import chain_labels, unary_chain
from whorl.transitions import FINISH, MAX_UNARY, SHIFT, InOrder, OpenPhrase, State, Transition
from whorl.transitions.base import Item
from whorl.transitions.inorder import REDUCE, pj
from whorl.trees import Tree

__all__ = ["InOrderOracle"]


class InOrderOracle(CandidateOracle):
    """The cost of each transition in any state, given a gold tree."""

    def __init__(self, gold: Tree, *, max_unary: int = MAX_UNARY) -> None:
        super().__init__(gold, InOrder(max_unary=max_unary))
        self.gold.check_chains(max_unary)
        self.max_unary = max_unary

    def loss(self, state: State) -> int:
        """Return ℓ(c): wrong constituents built or projected, plus gold ones out of reach."""
        items = state.items()
        built, correct = self.gold.count(items)
        loss = (built - correct) + (self.gold.total - correct)
        if state.finished:
            return loss
        return loss - self.gold.beginning_from(state.buffer) - self._saved(items, state.buffer)

    def candidates(self, state: State) -> list[Transition]:
        """Return SHIFT, REDUCE, FINISH, and PJ with the gold labels at the left edge of the top."""
        labels: set[str] = set()
        if state.stack is not None:
            groups = self.gold.beginning_at(state.stack.item.left, ending_from=state.buffer)
            labels = {label for _, group in groups for label in group}
        return [SHIFT, REDUCE, FINISH, *(pj(label) for label in sorted(labels))]

    def _saved(self, items: Sequence[Item], buffer: int) -> int:
        """Count what begins on the stack and is reachable, less the projections gone wrong."""
        if not items:
            return 0
        saved = 0
        earliest = buffer
        top = items[0]
        if type(top) is OpenPhrase:
            if unary_chain(items[1]) >= self.max_unary:
                # It must take a word before it can close, with all that begins at that word.
                earliest = self._last_right(buffer, buffer + 1)
            saved += self._saved_by_top(top, items[1], buffer, earliest)
        else:
            saved += min(self._missing_on(top, buffer).total(), self.max_unary - unary_chain(top))
            saved += self.gold.ending_after(top.left, buffer)
        earliest = max(earliest, self._last_right(top.left, earliest))
        for item in items[1:]:
            if type(item) is OpenPhrase:
                saved += self._saved_by(item, earliest)
                earliest = max(earliest, self._last_right(item.left, earliest))
        return saved

    def _last_right(self, left: int, earliest: int) -> int:
        """Return the end of the longest constituent at `left`: nothing around it closes earlier."""
        groups = self.gold.beginning_at(left, ending_from=earliest)
        return groups[-1][0] if groups else earliest

    def _saved_by(self, item: OpenPhrase, earliest: int) -> int:
        """Count for a projected phrase of several children that ends at `earliest` or later."""
        groups = self.gold.beginning_at(item.left, ending_from=earliest)
        if not groups:
            return -1
        count = sum(group.total() for _, group in groups)
        right, first = groups[0]
        if first[item.label] > 0:
            return count
        # A wrong phrase closes at once; a first group on its span then goes over it, if it fits.
        crowded = right == earliest and first.total() > self.max_unary
        return count - 1 - crowded

    def _saved_by_top(self, item: OpenPhrase, child: Item, buffer: int, earliest: int) -> int:
        """Count for a phrase just projected: unary if closed now, not if closed later."""
        missing = self._missing_on(child, buffer)
        later = self._saved_by(item, max(earliest, buffer + 1))
        room = self.max_unary - unary_chain(child)
        if room <= 0:
            return later
        after = self.gold.ending_after(item.left, buffer)
        if missing[item.label] > 0:
            return max(later, min(missing.total(), room) + after)
        return max(later, min(missing.total(), room - 1) + after - 1)

    def _missing_on(self, item: Item, buffer: int) -> Counter[str]:
        """Return the gold labels on the topmost complete item's span that are not built there."""
        return self.gold.labels(item.left, buffer) - chain_labels(item)
