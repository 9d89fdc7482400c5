"""The stack-LSTM network one step at a time, without gradients: what parsing and exploration run on.

The same numbers as `StackLSTM` gives for whole sequences, arranged for speed. What does not depend on the step is found
before the first: words are projected for all that will read them, each different word once, and so are transitions and
labels. History and stack are read together, and so are the two directions of the composition.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from whorl.data.batch import Ints
from whorl.data.trace import EffectStack
from whorl.models.lstm_group import LSTMGroup, weights_of_cells, weights_of_lstm
from whorl.models.stack_lstm import StackLSTM
from whorl.transitions.effects import Effect, Kind

__all__ = ["StackLSTMDecoder", "StackLSTMRun"]

HISTORY, STACK = 0, 1


class _Pool:
    """Rows of one or more tables that grow together. Rows given back are used again."""

    def __init__(self, *tables: Tensor) -> None:
        self.tables = list(tables)
        self.used = len(tables[0])
        self.free: list[int] = []

    def add(self, *rows: Tensor) -> list[int]:
        """Put rows in, one of each table, and return their numbers."""
        count = len(rows[0])
        fresh = max(0, count - len(self.free))
        places = self.free[len(self.free) - (count - fresh) :]
        del self.free[len(self.free) - (count - fresh) :]
        places += range(self.used, self.used + fresh)
        self.used += fresh
        where = torch.tensor(places, device=rows[0].device)
        for number, (table, added) in enumerate(zip(self.tables, rows, strict=True)):
            if self.used > len(table):
                self.tables[number] = table.new_empty(2 * self.used, *table.shape[1:])
                self.tables[number][: len(table)] = table
            self.tables[number].index_copy_(0, where, added)
        return places


class StackLSTMDecoder:
    """A network ready to decode. `begin` starts a batch of sentences and gives the run that follows them."""

    @torch.inference_mode()
    def __init__(self, model: StackLSTM) -> None:
        self.model = model.eval()
        self.states = LSTMGroup([weights_of_lstm(model.history), weights_of_cells(model.stack)])
        self.buffer = LSTMGroup([weights_of_lstm(model.buffer)])
        self.phrases = LSTMGroup([weights_of_lstm(model.forwards), weights_of_lstm(model.backwards)])
        self.transitions = self.states.project(model.transition.weight, HISTORY)
        self.opened = self.states.project(model.opened.weight, STACK)
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

    def begin(self, sentences: Sequence[Ints], *, shared: bool) -> StackLSTMRun:
        """Start on a batch of encoded sentences, (words, 3) each.

        Whether hypotheses may share what lies on their stacks, as in a beam: if not, it is forgotten once taken.
        """
        return StackLSTMRun(self, sentences, shared=shared)


class StackLSTMRun:
    """Hypotheses over a batch of sentences; each is an `EffectStack` and a row of the states of history and stack."""

    @torch.inference_mode()
    def __init__(self, decoder: StackLSTMDecoder, sentences: Sequence[Ints], *, shared: bool) -> None:
        self.shared = shared
        self.decoder = decoder
        model = decoder.model
        self.device = model.device
        self.lengths = [len(sentence) for sentence in sentences]
        self.first_word = np.cumsum([0, *self.lengths])[:-1].tolist()
        different, which = _different(np.concatenate(sentences))
        self.element = which.tolist()
        words = model.embed_words(torch.from_numpy(different).to(self.device))
        self.words = len(words)
        self.elements = _Pool(*self._projected(words))
        self.nodes = _Pool(decoder.empty[STACK])
        self.current = decoder.empty.repeat(1, len(sentences), 1)
        self._read_buffers(words, which)

    def stacks(self) -> list[EffectStack]:
        """The empty stacks of the sentences, with which their hypotheses begin."""
        return [EffectStack() for _ in self.lengths]

    @torch.inference_mode()
    def scores(self, stacks: Sequence[EffectStack], sentences: Sequence[int]) -> Tensor:
        """The scores of all transitions for each hypothesis, in the order of their rows."""
        decoder = self.decoder
        starts, ranks, lengths = self.buffer_start, self.buffer_rank, self.lengths
        left = [starts[lengths[s] - k.buffer] + ranks[s] for s, k in zip(sentences, stacks, strict=True)]
        tops = decoder.states.top(self.current)
        state = self.buffer.index_select(0, self._index(left))
        state.addmm_(tops[STACK], decoder.to_state[0]).addmm_(tops[HISTORY], decoder.to_state[2])
        return torch.addmm(decoder.model.out.bias, state.relu_(), decoder.out)

    @torch.inference_mode()
    def advance(
        self,
        parents: Sequence[int],
        stacks: Sequence[EffectStack],
        sentences: Sequence[int],
        transitions: Sequence[int],
        effects: Sequence[Effect],
        symbols: Sequence[int],
    ) -> None:
        """Let each hypothesis take a transition; `parents` are the rows of those that they continue.

        Hypotheses that finish are simply not given. The stacks are changed, and the rows are theirs afterwards.
        """
        decoder = self.decoder
        elements = self._new_elements(stacks, sentences, effects, symbols)
        gates = self._pair(
            decoder.transitions, self._index(transitions), self.elements.tables[0], self._index(elements)
        )
        below = self._index([stack.nodes[-1] for stack in stacks])
        if len(parents) == self.current.shape[1] and list(parents) == list(range(len(parents))):
            torch.index_select(self.nodes.tables[0], 0, below, out=self.current[STACK])
        else:
            self.current = self._pair(self.current[HISTORY], self._index(parents), self.nodes.tables[0], below)
        decoder.states.read(gates, self.current)
        for stack, element, node in zip(stacks, elements, self.nodes.add(self.current[STACK]), strict=True):
            stack.push(element, node)

    @staticmethod
    def _pair(some: Tensor, rows: Tensor, others: Tensor, other_rows: Tensor) -> Tensor:
        """Rows of two tables, side by side: (2, rows, width)."""
        both = some.new_empty(2, len(rows), some.shape[-1])
        torch.index_select(some, 0, rows, out=both[0])
        torch.index_select(others, 0, other_rows, out=both[1])
        return both

    def _new_elements(
        self,
        stacks: Sequence[EffectStack],
        sentences: Sequence[int],
        effects: Sequence[Effect],
        symbols: Sequence[int],
    ) -> list[int]:
        """The element that each hypothesis puts on its stack: a word, an opened label, or a composed phrase."""
        elements = [-1] * len(stacks)
        opened: list[int] = []
        reduced: list[tuple[int, list[int]]] = []
        for place, (stack, sentence, effect) in enumerate(zip(stacks, sentences, effects, strict=True)):
            if effect.kind is Kind.SHIFT:
                elements[place] = self.element[self.first_word[sentence] + stack.buffer]
                stack.buffer += 1
            elif effect.kind is Kind.OPEN:
                opened.append(place)
            else:
                reduced.append((place, self._take(stack, effect)))
        if reduced:
            reduced.sort(key=lambda pair: -len(pair[1]))
            composed = self._compose([symbols[place] for place, _ in reduced], [children for _, children in reduced])
            for (place, _), row in zip(reduced, self.elements.add(*self._projected(composed)), strict=True):
                elements[place] = row
        if opened:
            labels = self._index([symbols[place] for place in opened])
            read = self.decoder.opened.index_select(0, labels)
            never = read.new_zeros(len(opened), *self.elements.tables[1].shape[1:])  # no phrase reads them as children
            for place, row in zip(opened, self.elements.add(read, never), strict=True):
                elements[place] = row
        return elements

    def _take(self, stack: EffectStack, effect: Effect) -> list[int]:
        """Take the children of a phrase from a stack; what no other hypothesis can have makes room for new ones."""
        if not self.shared:
            self.nodes.free += stack.nodes[-effect.takes :]
            self.elements.free += [row for row in stack.elements[-effect.takes :] if row >= self.words]
        return stack.take(effect)

    def _compose(self, symbols: list[int], children: list[list[int]]) -> Tensor:
        """Compose phrases, those with most children first: at each place only those that have a child there go on."""
        decoder = self.decoder
        group = decoder.phrases
        chosen = self._index(symbols)
        states = decoder.begun.index_select(1, chosen)  # (directions, phrases, width)
        arities = [len(rows) for rows in children]
        flat = 2 * np.array([row for rows in children for row in rows])
        ends = np.cumsum(arities)
        starts = ends - arities
        count = len(children)
        table = self.elements.tables[1].flatten(0, 1)
        for place in range(arities[0]):
            while arities[count - 1] <= place:
                count -= 1
            rows = np.concatenate([flat[starts[:count] + place], flat[ends[:count] - 1 - place] + 1])
            gates = table.index_select(0, torch.from_numpy(rows).to(self.device)).view(2, count, -1)
            if place == 0:
                group.read_prepared(gates, decoder.prepared.index_select(1, chosen), states)
            else:
                group.read(gates, states[:, :count])
        tops = group.top(states)
        return torch.addmm(decoder.model.compose.bias, torch.cat([tops[0], tops[1]], dim=1), decoder.compose).relu_()

    def _projected(self, elements: Tensor) -> tuple[Tensor, Tensor]:
        """What elements add to the stack's gates, (elements, gates), and to the composition's, (elements, 2, gates)."""
        decoder = self.decoder
        both = [decoder.phrases.project(elements, direction) for direction in (0, 1)]
        return decoder.states.project(elements, STACK), torch.stack(both, dim=1)

    def _read_buffers(self, words: Tensor, which: Ints) -> None:
        """Read every sentence from its end: the states with 0, 1, 2, ... words left, longest sentence first in each."""
        decoder = self.decoder
        group = decoder.buffer
        order = sorted(range(len(self.lengths)), key=lambda number: -self.lengths[number])
        self.buffer_rank = [0] * len(order)
        for rank, number in enumerate(order):
            self.buffer_rank[number] = rank
        last = np.array([self.first_word[number] + self.lengths[number] - 1 for number in order])
        gates = group.project(words, 0)
        guard = group.project(decoder.model.buffer_guard[None], 0)
        states = group.nothing(len(order))
        group.read(guard.expand(1, len(order), -1).contiguous(), states)
        tops = [group.top(states)[0].clone()]
        self.buffer_start = [0]
        count = len(order)
        for left in range(1, self.lengths[order[0]] + 1):
            self.buffer_start.append(self.buffer_start[-1] + count)
            while self.lengths[order[count - 1]] < left:
                count -= 1
            rows = torch.from_numpy(which[last[:count] - (left - 1)]).to(self.device)
            group.read(gates.index_select(0, rows)[None], states[:, :count])
            tops.append(group.top(states)[0, :count].clone())
        self.buffer = torch.addmm(decoder.model.state.bias, torch.cat(tops), decoder.to_state[1])

    def _index(self, values: Sequence[int]) -> Tensor:
        return torch.tensor(values, dtype=torch.int64).to(self.device, non_blocking=True)


def _different(words: Ints) -> tuple[Ints, Ints]:
    """The different rows, and which of them each row is."""
    sizes = words.max(axis=0) + 1
    key = (words[:, 0] * sizes[1] + words[:, 1]) * sizes[2] + words[:, 2]
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return words[first], which
