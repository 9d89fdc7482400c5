"""QUOTE_LABEL: putting deleted quotation marks back where the other side kept one.

A mark such as `'` may be a possessive (a word) for one parser and a closing quote (deleted) for
another, so that the sentences differ in length. Like EVALB, we put the deleted word back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from whorl.evaluation.flat import Flat
from whorl.evaluation.parameters import Parameters

__all__ = ["restored_quotes"]

_MARKS = frozenset(("'", '"', "/"))


class _Quote:
    """A quotation mark: its place among all words, its tag, its index among the undeleted words."""

    __slots__ = ("index", "place", "tag")

    def __init__(self, place: int, tag: str, index: int) -> None:
        self.place = place
        self.tag = tag
        self.index = index


def restored_quotes(
    gold: Flat, predicted: Flat, params: Parameters
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return how often to put each deleted mark back into the gold and the predicted sentence.

    Two marks correspond if equally many undeleted words come before them. Of two that do, the
    deleted one is put back if the other was kept. The bookkeeping is EVALB's: a mark that has been
    put back stays in play one word further on, and in rare cases is put back again.
    """
    ours, theirs = _quotes(gold, params), _quotes(predicted, params)
    restored: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for i, their in enumerate(theirs):
        index = their.index
        for j, our in enumerate(ours):
            if our.index != index:
                continue
            our_deleted, their_deleted = our.tag in params.delete, their.tag in params.delete
            if our_deleted and not their_deleted:
                _restore(ours, j, restored[0])
            elif their_deleted and not our_deleted:
                _restore(theirs, i, restored[1])
    return restored


def _quotes(flat: Flat, params: Parameters) -> list[_Quote]:
    quotes = []
    index = 0
    for place, leaf in enumerate(flat.leaves):
        if leaf.tag in params.quote and leaf.word in _MARKS:
            quotes.append(_Quote(place, leaf.tag, index))
        index += leaf.tag not in params.delete
    return quotes


def _restore(quotes: list[_Quote], which: int, restored: Counter[int]) -> None:
    """Put one mark back: it and all later ones move by one word."""
    restored[quotes[which].place] += 1
    for quote in quotes[which:]:
        quote.index += 1
