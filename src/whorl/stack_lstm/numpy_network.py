"""The stack-LSTM step by step over one sentence, in NumPy.

It computes what `batch_network` computes for a batch. With one sentence every product is of a
vector and a matrix and takes as long as reading the matrix, which is less than PyTorch's overhead
per operation; NumPy's overhead is smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.stack_lstm.batches import Ints
from whorl.stack_lstm.lstm_group import Weights, weights_of_cells, weights_of_lstm
from whorl.stack_lstm.network import StackLSTM
from whorl.stack_lstm.trace import EffectStack
from whorl.transitions.effects import Effect, Kind

__all__ = ["NumpyRun", "NumpyStackLSTM"]

Floats: TypeAlias = npt.NDArray[np.float32]

HISTORY, STACK = 0, 1
READERS = 3
"""The LSTMs that read an element: the stack and the two directions of the composition."""
TO_STACK, TO_FORWARDS, TO_BACKWARDS = range(READERS)


class _Start(NamedTuple):
    """States to continue: the c of each layer, and what its h adds to the next gates."""

    c: list[Floats]  # (lstms, hidden) each
    gates: list[Floats]  # (lstms, 4 * hidden) each


class _LSTMs:
    """LSTMs with the same number of layers and the same width, which run together.

    In NumPy the hyperbolic tangent is cheaper than the logistic function, and σ(x) = (1 + tanh(x /
    2)) / 2. So every gate is a tangent, and factors of two are folded into the weights: a state
    holds each h doubled. A state is one row, the h of all layers and then the c: (lstms, 2 * layers
    * hidden).
    """

    def __init__(self, lstms: Sequence[Sequence[Weights]]) -> None:
        self.layers = len(lstms[0])
        self.hidden = lstms[0][0][1].shape[1]
        self.project = [_arranged(lstm[0][0]) for lstm in lstms]  # (input, 4 * hidden) each
        self.bias = [_biases(lstm[0]) for lstm in lstms]
        self._first = np.stack([_arranged(lstm[0][1] / 2) for lstm in lstms])
        deeper = range(1, self.layers)
        self._deeper = [
            np.stack([_arranged(torch.cat(lstm[n][:2], dim=1) / 2) for lstm in lstms])
            for n in deeper
        ]
        self._deeper_bias = [np.stack([_biases(lstm[n]) for lstm in lstms]) for n in deeper]

    def initial(self) -> Floats:
        """Return the states before the first input."""
        return np.zeros((len(self._first), 2 * self.layers * self.hidden), dtype=np.float32)

    def tops(self, states: Floats) -> Floats:
        """Return the h of the last layer, doubled."""
        return states[..., (self.layers - 1) * self.hidden : self.layers * self.hidden]

    def read(self, gates: Floats, states: Floats) -> None:
        """Read one input into the states, in place; `gates`, (lstms, 4 * hidden), are lost."""
        width = self.hidden
        for layer in range(self.layers):
            h = states[:, layer * width : (layer + 1) * width]
            if layer:
                gates = (
                    states[:, None, (layer - 1) * width : (layer + 1) * width]
                    @ self._deeper[layer - 1]
                )[:, 0]
                gates += self._deeper_bias[layer - 1]
            else:
                gates += (h[:, None] @ self._first)[:, 0]
            self._cell(
                gates,
                h,
                states[:, (self.layers + layer) * width : (self.layers + layer + 1) * width],
            )

    def start(self, states: Floats) -> _Start:
        """Prepare states for `read_all`."""
        parts = np.split(states, 2 * self.layers, axis=1)
        return _Start(
            [part.copy() for part in parts[self.layers :]],
            [
                (parts[layer][:, None] @ self._recurrent(layer))[:, 0]
                for layer in range(self.layers)
            ],
        )

    def read_all(self, gates: Floats, start: _Start) -> Floats:
        """Read several inputs, layer by layer, and return the tops after each.

        `gates`, (lstms, inputs, 4 * hidden), are overwritten; the tops are (lstms, inputs, hidden).
        """
        seen = np.empty((*gates.shape[:2], self.hidden), dtype=np.float32)
        for layer in range(self.layers):
            recurrent = self._recurrent(layer)
            if layer:
                gates = seen @ self._deeper[layer - 1][:, : self.hidden]
                gates += self._deeper_bias[layer - 1][:, None]
            c = start.c[layer].copy()
            gates[:, 0] += start.gates[layer]
            self._cell(gates[:, 0], seen[:, 0], c)
            for place in range(1, gates.shape[1]):
                now = gates[:, place]
                now += (seen[:, place - 1, None] @ recurrent)[:, 0]
                self._cell(now, seen[:, place], c)
        return seen

    def _recurrent(self, layer: int) -> Floats:
        return self._deeper[layer - 1][:, self.hidden :] if layer else self._first

    def _cell(self, gates: Floats, h: Floats, c: Floats) -> None:
        """From the gates before the tangent to the new h and c, in place."""
        width = self.hidden
        np.tanh(gates, out=gates)
        gates[:, : 3 * width] += 1
        opened = gates[:, :width]
        opened *= gates[:, 3 * width :]
        c *= gates[:, width : 2 * width]
        c += opened
        c *= 0.5
        np.tanh(c, out=h)
        h *= gates[:, 2 * width : 3 * width]


def _arranged(weight: Tensor) -> Floats:
    """Turn PyTorch's rows (input, forget, new, output) into columns: new last, others halved."""
    opened, kept, new, shown = weight.chunk(4)
    return _array(torch.cat([opened / 2, kept / 2, shown / 2, new]).t())


def _biases(weights: Weights) -> Floats:
    return _arranged((weights[2] + weights[3])[:, None]).ravel()


def _array(weight: Tensor) -> Floats:
    array: Floats = weight.detach().contiguous().numpy()
    return array


def _padded(parts: Sequence[Floats]) -> list[Floats]:
    """Pad the parts of different readers to one width; no reader uses the padding."""
    width = max(part.shape[-1] for part in parts)
    return [
        np.pad(part, [(0, 0)] * (part.ndim - 1) + [(0, width - part.shape[-1])]) for part in parts
    ]


class NumpyStackLSTM:
    """A network with its weights as arrays, for decoding one sentence."""

    @torch.no_grad()
    def __init__(self, model: StackLSTM) -> None:
        self.states = _LSTMs([weights_of_lstm(model.history), weights_of_cells(model.stack)])
        self.buffer = _LSTMs([weights_of_lstm(model.buffer)])
        self.phrases = _LSTMs([weights_of_lstm(model.forwards), weights_of_lstm(model.backwards)])
        self.embeddings = [_array(part.weight) for part in (model.word, model.tag, model.vector)]
        sizes = [part.embedding_dim for part in (model.vector, model.word, model.tag)]
        vector, word, tag = torch.split(model.to_input.weight, sizes, dim=1)
        self.to_input = [_array(part.t()) for part in (word, tag, vector)]
        self.input_bias = _array(model.to_input.bias)
        self.transitions = (
            _array(model.transition.weight) @ self.states.project[HISTORY]
            + self.states.bias[HISTORY]
        )
        self.element_weight = np.concatenate(
            _padded([self.states.project[STACK], *self.phrases.project]), axis=1
        )
        self.element_bias = np.concatenate(_padded([self.states.bias[STACK], *self.phrases.bias]))
        self.opened = self.elements(_array(model.opened.weight))
        guard = _array(model.stack_guard) @ self.states.project[STACK] + self.states.bias[STACK]
        self.empty = self.states.initial()
        self.states.read(np.stack([self.transitions[-1], guard]), self.empty)
        empty = self.buffer.initial()
        self.buffer.read(self._gates(self.buffer, model.buffer_guard), empty)
        self.buffer_top = self.buffer.tops(empty)
        self.buffer_start = self.buffer.start(empty)
        self.phrase_starts = [self._labelled(label) for label in model.symbol.weight]
        self.compose = _array(model.compose.weight.t() / 2)
        self.compose_bias = _array(model.compose.bias)
        stack, buffer, history = (model.state.weight / 2).chunk(3, dim=1)
        self.to_state = _array(torch.cat([history, stack], dim=1).t())
        self.buffer_to_state = _array(buffer.t())
        self.state_bias = _array(model.state.bias)
        self.out = _array(model.out.weight.t())
        self.out_bias = _array(model.out.bias)

    @staticmethod
    def _gates(lstms: _LSTMs, item: Tensor) -> Floats:
        """Return what an item adds to the gates of LSTMs that all read it."""
        return np.stack(
            [
                _array(item) @ weight + bias
                for weight, bias in zip(lstms.project, lstms.bias, strict=True)
            ]
        )

    def _labelled(self, label: Tensor) -> _Start:
        """Return the states of the composition after it has read a label."""
        states = self.phrases.initial()
        self.phrases.read(self._gates(self.phrases, label), states)
        return self.phrases.start(states)

    def begin(self, sentence: Ints) -> NumpyRun:
        """Start on an encoded sentence, (words, 3)."""
        return NumpyRun(self, sentence)

    def embed(self, sentence: Ints) -> Floats:
        """Embed words (§6.1): (words, input)."""
        parts = zip(self.embeddings, sentence.T, self.to_input, strict=True)
        words: Floats = sum(
            (table[rows] @ weight for table, rows, weight in parts), start=self.input_bias
        )
        return np.maximum(words, 0)

    def elements(self, items: Floats) -> Floats:
        """Return what elements add to the gates of their readers: (..., readers, gates)."""
        gates: Floats = items @ self.element_weight
        gates += self.element_bias
        return gates.reshape(*items.shape[:-1], READERS, -1)


class NumpyRun:
    """A sentence that is being parsed."""

    def __init__(self, network: NumpyStackLSTM, sentence: Ints) -> None:
        self.network = network
        words = network.embed(sentence)
        self.stack = EffectStack()
        self.elements = list(network.elements(words))
        self.nodes = [network.empty[STACK]]
        self.current = network.empty.copy()
        self.buffer = self._read_buffer(words)

    def scores(self) -> Floats:
        """Score all transitions."""
        network = self.network
        state: Floats = network.states.tops(self.current).ravel() @ network.to_state
        state += self.buffer[self.stack.buffer]
        np.maximum(state, 0, out=state)
        scores: Floats = state @ network.out
        scores += network.out_bias
        return scores

    def advance(self, transition: int, effect: Effect, symbol: int) -> None:
        """Take a transition; `symbol` is the number of its label."""
        network, stack = self.network, self.stack
        if effect.kind is Kind.SHIFT:
            element = stack.buffer
            stack.buffer += 1
        else:
            element = len(self.elements)
            opened = effect.kind is Kind.OPEN
            self.elements.append(
                network.opened[symbol] if opened else self._compose(stack.take(effect), symbol)
            )
        read = self.elements[element][TO_STACK, : 4 * network.states.hidden]
        gates = np.stack([network.transitions[transition], read])
        self.current[STACK] = self.nodes[stack.nodes[-1]]
        network.states.read(gates, self.current)
        stack.push(element, len(self.nodes))
        self.nodes.append(self.current[STACK].copy())

    def _compose(self, children: list[int], symbol: int) -> Floats:
        network = self.network
        gates = np.stack(
            [
                [self.elements[child][TO_FORWARDS] for child in children],
                [self.elements[child][TO_BACKWARDS] for child in reversed(children)],
            ]
        )
        width = 4 * network.phrases.hidden
        ends = network.phrases.read_all(gates[:, :, :width], network.phrase_starts[symbol])[:, -1]
        composed: Floats = ends.ravel() @ network.compose
        composed += network.compose_bias
        return network.elements(np.maximum(composed, 0))

    def _read_buffer(self, words: Floats) -> Floats:
        """Return what the buffer adds to the state after 0, 1, 2, ... shifts."""
        network = self.network
        lstm = network.buffer
        gates = words[::-1] @ lstm.project[0] + lstm.bias[0]
        tops = np.concatenate(
            [network.buffer_top, lstm.read_all(gates[None], network.buffer_start)[0]]
        )
        states: Floats = (tops @ network.buffer_to_state + network.state_bias)[::-1]
        return states
