"""The stacks of many hypotheses as arrays; `EffectStack` is the same for one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from whorl.stack_lstm.batches import Ints
from whorl.stack_lstm.vocabulary import Symbols
from whorl.transitions.effects import Effect, Marker

__all__ = ["EffectTable", "Reduced", "Stacks"]


class EffectTable:
    """Numbered effects, with columns for kind, arity, marker, head (0 if unknown) and symbol."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._numbers: dict[Effect, int] = {}
        self._rows: list[tuple[int, ...]] = []
        self._columns = np.empty((0, 5), dtype=np.int64)

    def number(self, effect: Effect) -> int:
        """Return the number of an effect, a new one if it is new."""
        number = self._numbers.get(effect)
        if number is None:
            number = self._numbers[effect] = len(self._rows)
            symbol = 0 if effect.label is None else self._symbols.number(effect)
            self._rows.append((effect.kind, effect.arity, effect.marker, effect.head or 0, symbol))
        return number

    def columns(self, numbers: Ints) -> Ints:
        """Return the columns of some effects: (5, effects)."""
        if len(self._columns) < len(self._rows):
            self._columns = np.array(self._rows, dtype=np.int64)
        return self._columns[numbers].T


class Reduced(NamedTuple):
    """Phrases to compose, those with most children first, with children in reading order."""

    rows: Ints
    symbols: Ints
    arities: Ints
    children: Ints  # of all phrases, concatenated


class Stacks:
    """A stack of elements, each in a node, and a buffer position for every hypothesis."""

    def __init__(self, sentences: int) -> None:
        self.sentence = np.arange(sentences)
        self.buffer = np.zeros(sentences, dtype=np.int64)
        self.height = np.zeros(sentences, dtype=np.int64)
        self.elements = np.zeros((sentences, 16), dtype=np.int64)
        # The first column is the node of the empty stack.
        self.nodes = np.zeros((sentences, 16), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.sentence)

    def keep(self, rows: Ints) -> None:
        """Keep these rows; a row may be repeated."""
        for name in ("sentence", "buffer", "height", "elements", "nodes"):
            setattr(self, name, getattr(self, name)[rows])

    def shift(self, rows: Ints) -> Ints:
        """Shift the next word in some rows, and return the positions of the words."""
        places: Ints = self.buffer[rows]
        self.buffer[rows] += 1
        return places

    def reduce(
        self, rows: Ints, arities: Ints, markers: Ints, heads: Ints, symbols: Ints
    ) -> tuple[Reduced, Ints, Ints]:
        """Pop the children of phrases, and return all popped elements and nodes too.

        Those include the open phrases of top-down and in-order reduces.
        """
        order = np.argsort(-arities, kind="stable")
        rows, arities, markers, heads, symbols = (
            part[order] for part in (rows, arities, markers, heads, symbols)
        )
        takes = arities + (markers != Marker.NONE)
        bottoms = self.height[rows] - takes
        owner = np.repeat(np.arange(len(rows)), takes)
        place = np.arange(len(owner)) - np.repeat(np.cumsum(takes) - takes, takes)
        across = rows[owner], bottoms[owner] + place
        elements = self.elements[across]
        nodes = self.nodes[across[0], across[1] + 1]
        opened = np.where(
            markers == Marker.BEFORE_CHILDREN,
            0,
            np.where(markers == Marker.AFTER_FIRST_CHILD, 1, -1),
        )
        children = elements[place != opened[owner]]
        _heads_first(children, arities, heads)
        self.height[rows] = bottoms
        return Reduced(rows, symbols, arities, children), elements, nodes

    def tops(self) -> Ints:
        """Return the top node of every stack."""
        nodes: Ints = self.nodes[np.arange(len(self)), self.height]
        return nodes

    def push(self, elements: Ints, nodes: Ints) -> None:
        """Push an element on every stack, in a new node."""
        if self.height.max(initial=0) + 2 > self.elements.shape[1]:
            self.elements = np.pad(self.elements, ((0, 0), (0, self.elements.shape[1])))
            self.nodes = np.pad(self.nodes, ((0, 0), (0, self.nodes.shape[1])))
        rows = np.arange(len(self))
        self.elements[rows, self.height] = elements
        self.height += 1
        self.nodes[rows, self.height] = nodes


def _heads_first(children: Ints, arities: Ints, heads: Ints) -> None:
    """Move the head of each phrase in front of its other children, in place."""
    starts = np.cumsum(arities) - arities
    for phrase in np.flatnonzero(heads):
        start, head = starts[phrase], starts[phrase] + heads[phrase]
        children[start : head + 1] = np.roll(children[start : head + 1], 1)
