"""The stack-LSTM network one step at a time, without gradients: what parsing and exploration run on.

The same numbers as `StackLSTM` gives for whole sequences, arranged for speed: weights of one cell in one matrix, and
the composition's state after it has read a label, which is the same for every phrase of that label, found once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from whorl.data.batch import Ints
from whorl.data.trace import EffectStack
from whorl.models.stack_lstm import StackLSTM
from whorl.transitions.effects import Effect, Kind

__all__ = ["StackLSTMDecoder", "StackLSTMRun"]


class _Cell:
    """An LSTM cell: input and state side by side against one matrix; gates ordered input, forget, output, new."""

    def __init__(self, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor) -> None:
        hidden = weight_hh.shape[1]
        order = [0, 1, 3, 2]
        rows = torch.cat([torch.arange(hidden) + gate * hidden for gate in order]).to(weight_ih.device)
        self.hidden = hidden
        self.weight = torch.cat([weight_ih, weight_hh], dim=1)[rows].t().contiguous()  # (input + hidden, 4 * hidden)
        self.bias = (bias_ih + bias_hh)[rows].contiguous()

    def __call__(self, read: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        gates = torch.addmm(self.bias, torch.cat([read, h], dim=1), self.weight)  # (items, 4 * hidden)
        hidden = self.hidden
        opened = torch.sigmoid_(gates[:, : 3 * hidden])
        new = torch.tanh_(gates[:, 3 * hidden :])
        c = torch.addcmul(opened[:, :hidden] * new, opened[:, hidden : 2 * hidden], c)
        return opened[:, 2 * hidden :] * torch.tanh(c), c


class _Pool:
    """Rows that are only ever added, in one tensor that grows."""

    def __init__(self, width: int, rows: int, like: Tensor) -> None:
        self.data = torch.empty(max(rows, 64), width, device=like.device, dtype=like.dtype)
        self.used = 0

    def add(self, rows: Tensor) -> int:
        """Append rows and return the number of the first."""
        start, self.used = self.used, self.used + len(rows)
        if self.used > len(self.data):
            grown = torch.empty(max(self.used, 2 * len(self.data)), self.data.shape[1]).to(self.data)
            grown[:start] = self.data[:start]
            self.data = grown
        self.data[start : self.used] = rows
        return start


class StackLSTMDecoder:
    """A network ready to decode. `begin` starts a batch of sentences and gives the run that follows them."""

    @torch.no_grad()
    def __init__(self, model: StackLSTM) -> None:
        self.model = model.eval()
        layers = model.config.layers
        self.layers = layers
        self.stack = [_Cell(*_weights_of_cell(cell)) for cell in model.stack]
        self.history = [_Cell(*_weights(model.history, layer)) for layer in range(layers)]
        self.directions = [
            [_Cell(*_weights(lstm, layer)) for layer in range(layers)] for lstm in (model.forwards, model.backwards)
        ]
        self.after_symbol = [self._read_first(cells, model.symbol.weight) for cells in self.directions]
        empty = torch.zeros(1, model.config.hidden_dim, device=model.device)
        nothing = torch.cat([empty] * (2 * layers), dim=1)
        self.empty_stack = self._advance(self.stack, model.stack_guard[None], nothing)
        self.empty_history = self._advance(self.history, model.transition.weight[-1:], nothing)

    def begin(self, sentences: Sequence[Ints]) -> StackLSTMRun:
        """Start on a batch of encoded sentences, (words, 3) each."""
        return StackLSTMRun(self, sentences)

    def _read_first(self, cells: list[_Cell], read: Tensor) -> Tensor:
        nothing = torch.zeros(len(read), 2 * len(cells) * cells[0].hidden, device=read.device)
        return self._advance(cells, read, nothing)

    @staticmethod
    def _advance(cells: list[_Cell], read: Tensor, states: Tensor) -> Tensor:
        """All layers' states after reading one input: (items, 2 * layers * hidden), h and c of each layer in turn."""
        hidden = cells[0].hidden
        found = []
        for layer, cell in enumerate(cells):
            h = states[:, 2 * layer * hidden : (2 * layer + 1) * hidden]
            c = states[:, (2 * layer + 1) * hidden : (2 * layer + 2) * hidden]
            read, c = cell(read, h, c)
            found += [read, c]
        return torch.cat(found, dim=1)

    def top(self, states: Tensor, cells: list[_Cell]) -> Tensor:
        """The h of the last layer."""
        hidden = cells[0].hidden
        return states[:, 2 * (len(cells) - 1) * hidden : (2 * len(cells) - 1) * hidden]


class StackLSTMRun:
    """Hypotheses over a batch of sentences; each is an `EffectStack` and a row of the history's states."""

    @torch.no_grad()
    def __init__(self, decoder: StackLSTMDecoder, sentences: Sequence[Ints]) -> None:
        self.decoder = decoder
        model = decoder.model
        self.device = model.device
        lengths = [len(sentence) for sentence in sentences]
        words = model.embed_words(torch.from_numpy(np.concatenate(sentences)).to(self.device))
        total = len(words)
        self.first_word = np.cumsum([0, *lengths])[:-1].tolist()
        self.elements = _Pool(words.shape[1], 4 * total, words)
        self.elements.add(words)
        self.nodes = _Pool(decoder.empty_stack.shape[1], 4 * total, words)
        self.nodes.add(decoder.empty_stack)
        self.buffer, self.first_buffer = _buffer_states(model, words, lengths)
        self.histories = decoder.empty_history.expand(len(sentences), -1)
        self.lengths = lengths

    def stacks(self) -> list[EffectStack]:
        """The empty stacks of the sentences, with which their hypotheses begin."""
        return [EffectStack() for _ in self.lengths]

    @torch.no_grad()
    def scores(self, stacks: Sequence[EffectStack], sentences: Sequence[int]) -> Tensor:
        """The scores of all transitions for each hypothesis, in the order of the history's rows."""
        decoder = self.decoder
        tops = self._index([stack.nodes[-1] for stack in stacks])
        left = self._index(
            [self.first_buffer[s] + self.lengths[s] - k.buffer for s, k in zip(sentences, stacks, strict=True)]
        )
        seen = torch.cat(
            [
                decoder.top(self.nodes.data.index_select(0, tops), decoder.stack),
                self.buffer.index_select(0, left),
                decoder.top(self.histories, decoder.history),
            ],
            dim=1,
        )
        return decoder.model.score(seen)

    @torch.no_grad()
    def advance(
        self,
        parents: Sequence[int],
        stacks: Sequence[EffectStack],
        sentences: Sequence[int],
        transitions: Sequence[int],
        effects: Sequence[Effect],
        symbols: Sequence[int],
    ) -> None:
        """Let each hypothesis take a transition; `parents` are the rows of the histories that they continue.

        Hypotheses that finish are simply not given. The stacks are changed, and the histories are theirs afterwards.
        """
        decoder = self.decoder
        model = decoder.model
        reads = model.transition(self._index(transitions))
        self.histories = decoder._advance(decoder.history, reads, self.histories.index_select(0, self._index(parents)))
        elements = self._new_elements(stacks, sentences, effects, symbols)
        below = self._index([stack.nodes[-1] for stack in stacks])
        read = self.elements.data.index_select(0, self._index(elements))
        first = self.nodes.add(decoder._advance(decoder.stack, read, self.nodes.data.index_select(0, below)))
        for node, (stack, element) in enumerate(zip(stacks, elements, strict=True), start=first):
            stack.push(element, node)

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
                elements[place] = self.first_word[sentence] + stack.buffer
                stack.buffer += 1
            elif effect.kind is Kind.OPEN:
                opened.append(place)
            else:
                reduced.append((place, stack.take(effect)))
        if opened:
            vectors = self.decoder.model.opened(self._index([symbols[place] for place in opened]))
            for row, place in enumerate(opened, start=self.elements.add(vectors)):
                elements[place] = row
        if reduced:
            reduced.sort(key=lambda pair: -len(pair[1]))
            vectors = self._compose([symbols[place] for place, _ in reduced], [children for _, children in reduced])
            for row, (place, _) in enumerate(reduced, start=self.elements.add(vectors)):
                elements[place] = row
        return elements

    def _compose(self, symbols: list[int], children: list[list[int]]) -> Tensor:
        """Compose phrases, those with most children first: at each place only those that have a child there go on."""
        decoder = self.decoder
        model = decoder.model
        chosen = self._index(symbols)
        arities = [len(rows) for rows in children]
        ends = []
        for turned, (cells, start) in enumerate(zip(decoder.directions, decoder.after_symbol, strict=True)):
            states = start.index_select(0, chosen)
            count = len(children)
            for place in range(arities[0]):
                while arities[count - 1] <= place:
                    count -= 1
                rows = self._index([c[-1 - place] if turned else c[place] for c in children[:count]])
                states[:count] = decoder._advance(cells, self.elements.data.index_select(0, rows), states[:count])
            ends.append(decoder.top(states, cells))
        composed: Tensor = torch.relu_(model.compose(torch.cat(ends, dim=1)))
        return composed

    def _index(self, values: Sequence[int]) -> Tensor:
        return torch.tensor(values, dtype=torch.int64).to(self.device, non_blocking=True)


def _buffer_states(model: StackLSTM, words: Tensor, lengths: Sequence[int]) -> tuple[Tensor, list[int]]:
    """The buffer's states of all sentences in rows: for each, those with 0, 1, 2, ... words left; and their firsts."""
    longest = max(lengths)
    last = np.cumsum(lengths) - 1
    places = np.maximum(last[:, None] - np.arange(longest)[None, :], 0)
    read = words[torch.from_numpy(places).to(words.device)]
    guard = model.buffer_guard.expand(len(read), 1, -1)
    states: Tensor = model.buffer(torch.cat([guard, read], dim=1))[0]
    return states.reshape(-1, states.shape[-1]), [number * (longest + 1) for number in range(len(lengths))]


def _weights(lstm: nn.LSTM, layer: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ih, hh, bias_ih, bias_hh = (getattr(lstm, f"{name}_l{layer}") for name in names)
    return ih, hh, bias_ih, bias_hh


def _weights_of_cell(cell: nn.Module) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh  # type: ignore[return-value]
