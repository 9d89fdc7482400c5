"""The stack-LSTM network one step at a time, without gradients: what parsing and exploration run on.

The same numbers as `StackLSTM` gives for whole sequences, arranged for speed. What does not depend
on the step is found before the first: words are projected for all that will read them, each
different word once, and so are transitions and labels. History and stack are read together, and so
are the two directions of the composition.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from whorl.stack_lstm.batches import Ints
from whorl.stack_lstm.lstm_group import LSTMGroup, weights_of_cells, weights_of_lstm
from whorl.stack_lstm.network import StackLSTM
from whorl.stack_lstm.numpy_network import (
    HISTORY,
    READERS,
    STACK,
    TO_BACKWARDS,
    TO_FORWARDS,
    TO_STACK,
    NumpyStackLSTM,
)
from whorl.stack_lstm.stacks import EffectTable, Reduced, Stacks
from whorl.transitions.effects import Kind

__all__ = ["BatchedStackLSTM", "StackLSTMRun"]


class _Pool:
    """Rows of a table that grows. Rows given back are used again."""

    def __init__(self, table: Tensor, used: int) -> None:
        self.table = table
        self.used = used
        self._free = np.empty(0, dtype=np.int64)

    def add(self, rows: Tensor) -> Ints:
        """Put rows in and return their numbers."""
        old = min(len(rows), len(self._free))
        new = len(rows) - old
        places = np.concatenate(
            [self._free[len(self._free) - old :], np.arange(self.used, self.used + new)]
        )
        self._free = self._free[: len(self._free) - old]
        if self.used + new > len(self.table):
            grown = self.table.new_empty(2 * (self.used + new), *self.table.shape[1:])
            grown[: self.used] = self.table[: self.used]
            self.table = grown
        self.used += new
        _put(self.table, places, rows)
        return places

    def give_back(self, places: Ints) -> None:
        """Rows that nobody needs any more."""
        self._free = np.concatenate([self._free, places])


def _put(table: Tensor, places: Ints, rows: Tensor) -> None:
    """Copy rows into a table; on a CPU NumPy does it several times as fast as `index_copy_`."""
    if table.device.type == "cpu":
        table.numpy()[places] = rows.numpy()
    else:
        table.index_copy_(0, torch.from_numpy(places).to(table.device), rows)


class BatchedStackLSTM:
    """A network ready to decode. `begin` starts a batch of sentences and gives the run that follows them."""

    @torch.inference_mode()
    def __init__(self, model: StackLSTM) -> None:
        self.model = model.eval()
        self.states = LSTMGroup([weights_of_lstm(model.history), weights_of_cells(model.stack)])
        self.buffer = LSTMGroup([weights_of_lstm(model.buffer)])
        self.phrases = LSTMGroup(
            [weights_of_lstm(model.forwards), weights_of_lstm(model.backwards)]
        )
        self.transitions = self.states.project(model.transition.weight, HISTORY)
        readers = [
            self.states.projection(STACK),
            self.phrases.projection(0),
            self.phrases.projection(1),
        ]
        weights, biases = zip(*readers, strict=True)
        self.element_weight = torch.cat(_widened(weights), dim=1)  # (input, readers * gates)
        self.element_bias = torch.cat(_widened(biases))
        self.opened = torch.addmm(self.element_bias, model.opened.weight, self.element_weight)
        self.empty = self.states.nothing(1)
        guards = [self.transitions[-1:], self.states.project(model.stack_guard[None], STACK)]
        self.states.read(torch.stack(guards), self.empty)
        self.begun = self.phrases.nothing(len(model.symbol.weight))
        both = [self.phrases.project(model.symbol.weight, direction) for direction in (0, 1)]
        self.phrases.read(torch.stack(both), self.begun)
        self.prepared = self.phrases.prepare(self.begun)
        self.compose = 2 * model.compose.weight.t()
        self.to_state = [2 * part.t().contiguous() for part in model.state.weight.chunk(3, dim=1)]
        self.out = model.out.weight.t().contiguous()

    @cached_property
    def numpy_network(self) -> NumpyStackLSTM | None:
        """The network in NumPy, which is faster for single sentences; None on a GPU."""
        return NumpyStackLSTM(self.model) if self.model.device.type == "cpu" else None

    def begin(
        self, sentences: Sequence[Ints], effects: EffectTable, *, shared: bool
    ) -> StackLSTMRun:
        """Start on a batch of encoded sentences, (words, 3) each; effects will be told by their numbers in the table.

        Whether hypotheses may share what lies on their stacks, as in a beam: if not, it is
        forgotten once taken.
        """
        return StackLSTMRun(self, sentences, effects, shared=shared)


class StackLSTMRun:
    """Hypotheses over a batch of sentences; at first one for each, in their order. For use in inference mode only."""

    def __init__(
        self,
        decoder: BatchedStackLSTM,
        sentences: Sequence[Ints],
        effects: EffectTable,
        *,
        shared: bool,
    ) -> None:
        self.decoder = decoder
        self.effects = effects
        self.shared = shared
        model = decoder.model
        self.device = model.device
        self.lengths = np.array([len(sentence) for sentence in sentences])
        self.first_word = np.cumsum(self.lengths) - self.lengths
        different, self.element = _different(np.concatenate(sentences))
        words = model.embed_words(self._send(different))
        self.words = len(words)
        table = words.new_empty(2 * len(words), len(decoder.element_bias))
        torch.addmm(decoder.element_bias, words, decoder.element_weight, out=table[: len(words)])
        self.elements = _Pool(table, len(words))
        self.nodes = _Pool(decoder.empty[STACK], 1)
        self.stacks = Stacks(len(sentences))
        self.current = decoder.empty.repeat(1, len(sentences), 1)
        self._read_buffers(words)

    def scores(self) -> Tensor:
        """The scores of all transitions for each hypothesis."""
        decoder, stacks = self.decoder, self.stacks
        left = self.lengths[stacks.sentence] - stacks.buffer
        tops = decoder.states.top(self.current)
        state = self.buffer.index_select(
            0, self._send(self.buffer_start[left] + self.buffer_rank[stacks.sentence])
        )
        state.addmm_(tops[STACK], decoder.to_state[0]).addmm_(tops[HISTORY], decoder.to_state[2])
        return torch.addmm(decoder.model.out.bias, state.relu_(), decoder.out)

    def advance(self, parents: Ints, transitions: Ints, effects: Ints) -> None:
        """Let hypotheses take a transition with its effect; `parents` are the rows of those that they continue.

        These are the hypotheses from now on; those that have finished are simply not given.
        """
        decoder, stacks = self.decoder, self.stacks
        same = len(parents) == len(stacks) and bool((parents == np.arange(len(stacks))).all())
        if not same:
            stacks.keep(parents)
        elements = self._new_elements(self.effects.columns(effects))
        gates = self._pair(
            decoder.transitions,
            self._send(transitions),
            self._gates(),
            self._send(READERS * elements + TO_STACK),
        )
        below = self._send(stacks.tops())
        if same:
            torch.index_select(self.nodes.table, 0, below, out=self.current[STACK])
        else:
            self.current = self._pair(
                self.current[HISTORY], self._send(parents), self.nodes.table, below
            )
        decoder.states.read(gates, self.current)
        stacks.push(elements, self.nodes.add(self.current[STACK]))

    @staticmethod
    def _pair(some: Tensor, rows: Tensor, others: Tensor, other_rows: Tensor) -> Tensor:
        """Rows of two tables, side by side, as wide as the first table is: (2, rows, width)."""
        both = some.new_empty(2, len(rows), some.shape[-1])
        torch.index_select(some, 0, rows, out=both[0])
        if some.shape[-1] == others.shape[-1]:
            torch.index_select(others, 0, other_rows, out=both[1])
        else:
            both[1] = others.index_select(0, other_rows)[:, : some.shape[-1]]
        return both

    def _new_elements(self, columns: Ints) -> Ints:
        """The element that each hypothesis puts on its stack: a word, an opened label, or a composed phrase."""
        stacks = self.stacks
        kind, symbols = columns[0], columns[4]
        elements = np.empty(len(stacks), dtype=np.int64)
        shifted, opened, reduced = (
            np.flatnonzero(kind == wanted) for wanted in (Kind.SHIFT, Kind.OPEN, Kind.REDUCE)
        )
        elements[shifted] = self.element[
            self.first_word[stacks.sentence[shifted]] + stacks.shift(shifted)
        ]
        if len(reduced):
            phrases, taken, nodes = stacks.reduce(reduced, *columns[1:, reduced])
            composed = self._compose(phrases)
            if not self.shared:
                self.nodes.give_back(nodes)
                self.elements.give_back(taken[taken >= self.words])
            projected = torch.addmm(
                self.decoder.element_bias, composed, self.decoder.element_weight
            )
            elements[phrases.rows] = self.elements.add(projected)
        if len(opened):
            elements[opened] = self.elements.add(
                self.decoder.opened.index_select(0, self._send(symbols[opened]))
            )
        return elements

    def _compose(self, phrases: Reduced) -> Tensor:
        """Compose phrases: at each place only those that have a child there go on."""
        decoder = self.decoder
        group = decoder.phrases
        chosen = self._send(phrases.symbols)
        states = decoder.begun.index_select(1, chosen)  # (directions, phrases, width)
        rows, counts = _place_by_place(phrases)
        read = (
            self._gates()
            .index_select(0, self._send(rows))
            .narrow(1, 0, 4 * group.hidden)
            .contiguous()
        )
        first, *others = torch.split(read, [2 * count for count in counts])
        group.read_prepared(first.view(2, counts[0], -1), decoder.prepared, chosen, states)
        for gates, count in zip(others, counts[1:], strict=True):
            group.read(gates.view(2, count, -1), states[:, :count])
        tops = group.top(states)
        return torch.addmm(
            decoder.model.compose.bias, torch.cat([tops[0], tops[1]], dim=1), decoder.compose
        ).relu_()

    def _gates(self) -> Tensor:
        """What elements add to the gates of those that read them, (elements * READERS, gates)."""
        return self.elements.table.view(READERS * len(self.elements.table), -1)

    def _read_buffers(self, words: Tensor) -> None:
        """Read every sentence from its end: the states with 0, 1, 2, ... words left, longest sentence first in each."""
        decoder = self.decoder
        group = decoder.buffer
        order = np.argsort(-self.lengths, kind="stable")
        self.buffer_rank = np.argsort(order, kind="stable")
        longest = int(self.lengths[order[0]])
        counts = np.searchsorted(
            -self.lengths[order], -np.arange(longest + 1), side="right"
        ).tolist()
        self.buffer_start = np.cumsum([0, *counts[:-1]])
        last = (self.first_word + self.lengths - 1)[order]
        gates = group.project(words, 0)
        guard = group.project(decoder.model.buffer_guard[None], 0)
        states = group.nothing(len(order))
        group.read(guard.expand(1, len(order), -1).contiguous(), states)
        tops = [group.top(states)[0].clone()]
        for left, count in enumerate(counts[1:], start=1):
            rows = self._send(self.element[last[:count] - (left - 1)])
            group.read(gates.index_select(0, rows)[None], states[:, :count])
            tops.append(group.top(states)[0, :count].clone())
        self.buffer = torch.addmm(decoder.model.state.bias, torch.cat(tops), decoder.to_state[1])

    def _send(self, values: Ints) -> Tensor:
        return torch.from_numpy(values).to(self.device, non_blocking=True)


def _place_by_place(phrases: Reduced) -> tuple[Ints, list[int]]:
    """What phrases read, and how many have a child at each place: first children onwards, last backwards, second ...

    Rows are those of `StackLSTMRun._gates`.
    """
    onwards = READERS * phrases.children + TO_FORWARDS
    backwards = READERS * phrases.children + TO_BACKWARDS
    ends = np.cumsum(phrases.arities)
    starts, lasts = ends - phrases.arities, ends - 1
    counts = np.searchsorted(-phrases.arities, -np.arange(phrases.arities[0]), side="left").tolist()
    rows = []
    for place, count in enumerate(counts):
        rows += [onwards[starts[:count] + place], backwards[lasts[:count] - place]]
    return np.concatenate(rows), counts


def _widened(parts: Sequence[Tensor]) -> list[Tensor]:
    """Parts of different readers, as wide as the widest; none of them reads beyond its own width."""
    width = max(part.shape[-1] for part in parts)
    return [functional.pad(part, (0, width - part.shape[-1])) for part in parts]


def _different(words: Ints) -> tuple[Ints, Ints]:
    """The different rows, and which of them each row is."""
    sizes = words.max(axis=0) + 1
    key = (words[:, 0] * sizes[1] + words[:, 1]) * sizes[2] + words[:, 2]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return words[first], which
