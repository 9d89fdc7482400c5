"""The stack-LSTM step by step, without gradients, for parsing and exploration.

It computes what `StackLSTM` computes for whole sequences, arranged for speed. What does not depend
on the step is computed before the first one: words, each different one once, transitions and labels
are projected for all LSTMs that read them. The history and stack LSTMs run together, and so do the
two directions of the composition.
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
    """A growing table whose released rows are reused."""

    def __init__(self, table: Tensor, used: int) -> None:
        self.table = table
        self.used = used
        self._free = np.empty(0, dtype=np.int64)

    def add(self, rows: Tensor) -> Ints:
        """Store rows and return their numbers."""
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

    def release(self, places: Ints) -> None:
        """Free rows for reuse."""
        self._free = np.concatenate([self._free, places])


def _put(table: Tensor, places: Ints, rows: Tensor) -> None:
    """Copy rows into a table; on a CPU, NumPy is several times as fast as `index_copy_`."""
    if table.device.type == "cpu":
        table.numpy()[places] = rows.numpy()
    else:
        table.index_copy_(0, torch.from_numpy(places).to(table.device), rows)


class BatchedStackLSTM:
    """A network with its weights arranged for decoding batches."""

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
        self.element_weight = torch.cat(_padded(weights), dim=1)  # (input, readers * gates)
        self.element_bias = torch.cat(_padded(biases))
        self.opened = torch.addmm(self.element_bias, model.opened.weight, self.element_weight)
        self.empty = self.states.initial(1)
        guards = [self.transitions[-1:], self.states.project(model.stack_guard[None], STACK)]
        self.states.read(torch.stack(guards), self.empty)
        self.labelled = self.phrases.initial(len(model.symbol.weight))
        both = [self.phrases.project(model.symbol.weight, direction) for direction in (0, 1)]
        self.phrases.read(torch.stack(both), self.labelled)
        self.prepared = self.phrases.prepare(self.labelled)
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
        """Start on a batch of encoded sentences, (words, 3) each.

        `effects` numbers the effects that `StackLSTMRun.advance` takes. Unless hypotheses share
        their stacks, as in a beam (`shared`), elements are released once a reduce has taken them.
        """
        return StackLSTMRun(self, sentences, effects, shared=shared)


class StackLSTMRun:
    """The hypotheses of a batch, at first one per sentence; for use in inference mode only."""

    def __init__(
        self,
        network: BatchedStackLSTM,
        sentences: Sequence[Ints],
        effects: EffectTable,
        *,
        shared: bool,
    ) -> None:
        self.network = network
        self.effects = effects
        self.shared = shared
        model = network.model
        self.device = model.device
        self.lengths = np.array([len(sentence) for sentence in sentences])
        self.first_word = np.cumsum(self.lengths) - self.lengths
        distinct, self.element = _distinct(np.concatenate(sentences))
        words = model.embed_words(self._send(distinct))
        self.words = len(words)
        table = words.new_empty(2 * len(words), len(network.element_bias))
        torch.addmm(network.element_bias, words, network.element_weight, out=table[: len(words)])
        self.elements = _Pool(table, len(words))
        self.nodes = _Pool(network.empty[STACK], 1)
        self.stacks = Stacks(len(sentences))
        self.current = network.empty.repeat(1, len(sentences), 1)
        self._read_buffers(words)

    def scores(self) -> Tensor:
        """Score all transitions for each hypothesis: (hypotheses, transitions)."""
        network, stacks = self.network, self.stacks
        left = self.lengths[stacks.sentence] - stacks.buffer
        tops = network.states.top(self.current)
        state = self.buffer.index_select(
            0, self._send(self.buffer_start[left] + self.buffer_rank[stacks.sentence])
        )
        state.addmm_(tops[STACK], network.to_state[0]).addmm_(tops[HISTORY], network.to_state[2])
        return torch.addmm(network.model.out.bias, state.relu_(), network.out)

    def advance(self, parents: Ints, transitions: Ints, effects: Ints) -> None:
        """Replace the hypotheses by continuations of them.

        Each continuation has the row of its parent, a transition and the number of its effect.
        """
        network, stacks = self.network, self.stacks
        same = len(parents) == len(stacks) and bool((parents == np.arange(len(stacks))).all())
        if not same:
            stacks.keep(parents)
        elements = self._new_elements(self.effects.columns(effects))
        gates = self._pair(
            network.transitions,
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
        network.states.read(gates, self.current)
        stacks.push(elements, self.nodes.add(self.current[STACK]))

    @staticmethod
    def _pair(first: Tensor, rows: Tensor, second: Tensor, second_rows: Tensor) -> Tensor:
        """Select rows of two tables, cut to the width of the first: (2, rows, width)."""
        both = first.new_empty(2, len(rows), first.shape[-1])
        torch.index_select(first, 0, rows, out=both[0])
        if first.shape[-1] == second.shape[-1]:
            torch.index_select(second, 0, second_rows, out=both[1])
        else:
            both[1] = second.index_select(0, second_rows)[:, : first.shape[-1]]
        return both

    def _new_elements(self, columns: Ints) -> Ints:
        """Return what each hypothesis pushes: a word, an opened label or a composed phrase."""
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
                self.nodes.release(nodes)
                self.elements.release(taken[taken >= self.words])
            projected = torch.addmm(
                self.network.element_bias, composed, self.network.element_weight
            )
            elements[phrases.rows] = self.elements.add(projected)
        if len(opened):
            elements[opened] = self.elements.add(
                self.network.opened.index_select(0, self._send(symbols[opened]))
            )
        return elements

    def _compose(self, phrases: Reduced) -> Tensor:
        """Compose phrases, child by child; phrases with fewer children drop out."""
        network = self.network
        group = network.phrases
        chosen = self._send(phrases.symbols)
        states = network.labelled.index_select(1, chosen)  # (directions, phrases, width)
        rows, counts = _place_by_place(phrases)
        read = (
            self._gates()
            .index_select(0, self._send(rows))
            .narrow(1, 0, 4 * group.hidden)
            .contiguous()
        )
        first, *others = torch.split(read, [2 * count for count in counts])
        group.read_prepared(first.view(2, counts[0], -1), network.prepared, chosen, states)
        for gates, count in zip(others, counts[1:], strict=True):
            group.read(gates.view(2, count, -1), states[:, :count])
        tops = group.top(states)
        return torch.addmm(
            network.model.compose.bias, torch.cat([tops[0], tops[1]], dim=1), network.compose
        ).relu_()

    def _gates(self) -> Tensor:
        """Return what elements add to the gates of their readers: (elements * READERS, gates)."""
        return self.elements.table.view(READERS * len(self.elements.table), -1)

    def _read_buffers(self, words: Tensor) -> None:
        """Read every sentence from its end: the states with 0, 1, 2, ... words left.

        Within each, the longest sentence comes first.
        """
        network = self.network
        group = network.buffer
        order = np.argsort(-self.lengths, kind="stable")
        self.buffer_rank = np.argsort(order, kind="stable")
        longest = int(self.lengths[order[0]])
        counts = np.searchsorted(
            -self.lengths[order], -np.arange(longest + 1), side="right"
        ).tolist()
        self.buffer_start = np.cumsum([0, *counts[:-1]])
        last = (self.first_word + self.lengths - 1)[order]
        gates = group.project(words, 0)
        guard = group.project(network.model.buffer_guard[None], 0)
        states = group.initial(len(order))
        group.read(guard.expand(1, len(order), -1).contiguous(), states)
        tops = [group.top(states)[0].clone()]
        for left, count in enumerate(counts[1:], start=1):
            rows = self._send(self.element[last[:count] - (left - 1)])
            group.read(gates.index_select(0, rows)[None], states[:, :count])
            tops.append(group.top(states)[0, :count].clone())
        self.buffer = torch.addmm(network.model.state.bias, torch.cat(tops), network.to_state[1])

    def _send(self, values: Ints) -> Tensor:
        return torch.from_numpy(values).to(self.device, non_blocking=True)


def _place_by_place(phrases: Reduced) -> tuple[Ints, list[int]]:
    """Return the rows of `StackLSTMRun._gates` that phrases read, and the phrases per place.

    Place by place: the first children forwards, the last children backwards, the second children
    forwards, and so on. Only phrases with that many children have a place.
    """
    forwards = READERS * phrases.children + TO_FORWARDS
    backwards = READERS * phrases.children + TO_BACKWARDS
    ends = np.cumsum(phrases.arities)
    starts, lasts = ends - phrases.arities, ends - 1
    counts = np.searchsorted(-phrases.arities, -np.arange(phrases.arities[0]), side="left").tolist()
    rows = []
    for place, count in enumerate(counts):
        rows += [forwards[starts[:count] + place], backwards[lasts[:count] - place]]
    return np.concatenate(rows), counts


def _padded(parts: Sequence[Tensor]) -> list[Tensor]:
    """Pad the parts of different readers to one width; no reader uses the padding."""
    width = max(part.shape[-1] for part in parts)
    return [functional.pad(part, (0, width - part.shape[-1])) for part in parts]


def _distinct(words: Ints) -> tuple[Ints, Ints]:
    """Return the different rows, and for each row the index of its equal among them."""
    sizes = words.max(axis=0) + 1
    key = (words[:, 0] * sizes[1] + words[:, 1]) * sizes[2] + words[:, 2]
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return words[first], inverse
