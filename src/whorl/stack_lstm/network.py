"""The paper's network (§6): stack, buffer and history LSTMs, and a BiLSTM that composes phrases.

Here it scores whole sequences at once, for training: phrases are composed level by level and stack
states computed depth by depth, for all sentences of a batch together. `batch_network` computes the
same scores step by step, for parsing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from whorl.initialisation import glorot
from whorl.stack_lstm import forest_lstm
from whorl.stack_lstm.batches import Batch, Ints, Level
from whorl.stack_lstm.forest_lstm import Forest, read_layer
from whorl.stack_lstm.lstm_group import weights_of_cells, weights_of_lstm
from whorl.stack_lstm.settings import StackLSTMSizes

__all__ = ["StackLSTM", "StackLSTMConfig"]


@dataclass(frozen=True, kw_only=True)
class StackLSTMConfig(StackLSTMSizes):
    """The sizes and what the vocabulary adds to them."""

    words: int
    tags: int
    symbols: int
    transitions: int
    vectors: int  # rows
    vector_dim: int = 100


class StackLSTM(nn.Module):
    """Scores every transition in every state of a batch of sequences."""

    def __init__(self, config: StackLSTMConfig) -> None:
        super().__init__()
        self.config = config
        c = config
        self.word = nn.Embedding(c.words, c.word_dim)
        self.tag = nn.Embedding(c.tags, c.tag_dim)
        # No random numbers, so that the other weights do not depend on the number of vectors.
        self.vector = nn.Embedding.from_pretrained(  # type: ignore[no-untyped-call]
            torch.zeros(c.vectors, c.vector_dim)
        )
        self.to_input = nn.Linear(c.word_dim + c.tag_dim + c.vector_dim, c.input_dim)
        self.opened = nn.Embedding(c.symbols, c.input_dim)  # labels on the stack
        self.symbol = nn.Embedding(c.symbols, c.input_dim)  # labels in a composition
        # The last one starts the history.
        self.transition = nn.Embedding(c.transitions + 1, c.transition_dim)
        self.stack_guard = nn.Parameter(torch.empty(c.input_dim))
        self.buffer_guard = nn.Parameter(torch.empty(c.input_dim))
        self.forwards = _lstm(c, c.input_dim, c.input_dim)
        self.backwards = _lstm(c, c.input_dim, c.input_dim)
        self.compose = nn.Linear(2 * c.input_dim, c.input_dim)
        self.buffer = _lstm(c, c.input_dim, c.hidden_dim)
        self.history = _lstm(c, c.transition_dim, c.hidden_dim)
        self.stack = nn.ModuleList(
            [
                nn.LSTMCell(c.input_dim if layer == 0 else c.hidden_dim, c.hidden_dim)
                for layer in range(c.layers)
            ]
        )
        self.state = nn.Linear(3 * c.hidden_dim, c.hidden_dim)
        self.out = nn.Linear(c.hidden_dim, c.transitions)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialise the weights: Glorot for matrices, small values for the guards."""
        for part in self.children():
            if part is not self.vector:
                glorot(part)
        for guard in (self.stack_guard, self.buffer_guard):
            nn.init.uniform_(guard, -0.1, 0.1)

    def set_vectors(self, table: npt.NDArray[np.float32]) -> None:
        """Set the pretrained vectors, which are never trained."""
        self.vector.weight.data.copy_(torch.from_numpy(table))

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.out.weight.device

    def forward(self, batch: Batch) -> Tensor:
        """Score all transitions in all states: (all steps, transitions)."""
        words = self.embed_words(self._tensor(batch.words))  # (all words, input)
        elements = self._elements(words, batch)  # (all elements, input)
        stack = self._stack_states(self._drop(elements), batch)  # (all nodes, hidden)
        buffer = self._buffer_states(words, batch)  # (sentences, words + 1, hidden)
        history = self._history_states(batch)  # (sentences, steps, hidden)
        sentence = self._tensor(batch.sentence)
        step = self._tensor(_positions(batch.steps))
        outputs = torch.cat(
            [
                stack[self._tensor(batch.tops)],
                buffer[sentence, self._tensor(batch.buffers)],
                history[sentence, step],
            ],
            dim=1,
        )  # (all steps, 3 * hidden)
        return self.score(self._drop(outputs))

    def embed_words(self, words: Tensor) -> Tensor:
        """Embed words by word, tag and pretrained vector (§6.1): (words, 3) to (words, input)."""
        parts = [self.vector(words[:, 2]), self.word(words[:, 0]), self.tag(words[:, 1])]
        return functional.relu(self.to_input(torch.cat(parts, dim=1)))

    def score(self, outputs: Tensor) -> Tensor:
        """Map the LSTMs' outputs, (states, 3 * hidden), to the scores of all transitions."""
        scores: Tensor = self.out(functional.relu(self.state(outputs)))
        return scores

    def _elements(self, words: Tensor, batch: Batch) -> Tensor:
        elements = words
        if len(batch.opened):
            elements = torch.cat([words, self.opened(self._tensor(batch.opened))])
        weights = forest_lstm.layers(
            [weights_of_lstm(self.forwards), weights_of_lstm(self.backwards)]
        )
        for level in batch.levels:
            elements = torch.cat([elements, self._compose(elements, level, weights)])
        return elements

    def _compose(self, elements: Tensor, level: Level, weights: list[forest_lstm.Layer]) -> Tensor:
        """Compose one level of phrases (§6.2): read label, then children, in both directions."""
        symbols = self._drop(self.symbol(self._tensor(level.symbols)))  # (phrases, input)
        children = self._drop(elements[self._tensor(level.children)])  # (all children, input)
        chains, ends = Forest.of_chains(level.arities + 1, self.device)
        both = torch.cat([symbols, children])[self._tensor(_both_directions(level.arities))]
        states = self._read(both, chains, weights)  # (directions, items, input)
        last = states[:, self._tensor(ends)]  # (directions, phrases, input)
        return functional.relu(self.compose(self._drop(torch.cat(last.unbind(), dim=1))))

    def _stack_states(self, elements: Tensor, batch: Batch) -> Tensor:
        rows = np.concatenate([rows for rows, _ in batch.depths])
        trees = Forest.of_trees(1, [parents for _, parents in batch.depths], self.device)
        pushed = torch.cat([self.stack_guard[None], elements[self._tensor(rows)]])
        weights = forest_lstm.layers([weights_of_cells(self.stack)])
        return self._read(pushed[None], trees, weights)[0]

    def _read(self, items: Tensor, forest: Forest, weights: list[forest_lstm.Layer]) -> Tensor:
        """Return the last layer's states after each item: (lstms, items, hidden)."""
        for number, layer in enumerate(weights):
            items = read_layer(layer, self._drop(items) if number else items, forest)
        return items

    def _buffer_states(self, words: Tensor, batch: Batch) -> Tensor:
        """Read the buffer from its end: the state after i words is that with i words left."""
        longest = int(batch.lengths.max())
        columns = np.arange(longest)
        last = np.cumsum(batch.lengths) - 1
        places = np.maximum(last[:, None] - columns[None, :], 0)
        read = self._drop(words)[self._tensor(places)]  # (sentences, words, input), last first
        guard = self.buffer_guard.expand(len(read), 1, -1)
        states: Tensor = self.buffer(torch.cat([guard, read], dim=1))[0]
        return states

    def _history_states(self, batch: Batch) -> Tensor:
        """Read the history; the state at a step has read all transitions before it."""
        longest = int(batch.steps.max())
        start = self.config.transitions
        places = np.full((batch.size, longest), start, dtype=np.int64)
        inside = np.arange(longest)[None, :] < batch.steps[:, None]
        places[inside] = batch.transitions
        read = np.concatenate(
            [np.full((batch.size, 1), start, dtype=np.int64), places[:, :-1]], axis=1
        )
        states: Tensor = self.history(self._drop(self.transition(self._tensor(read))))[0]
        return states

    def _drop(self, values: Tensor) -> Tensor:
        return functional.dropout(values, self.config.dropout, self.training)

    def _tensor(self, values: Ints) -> Tensor:
        return torch.from_numpy(values).to(self.device, non_blocking=True)


def _lstm(config: StackLSTMConfig, inputs: int, hidden: int) -> nn.LSTM:
    dropout = config.dropout if config.layers > 1 else 0.0
    return nn.LSTM(inputs, hidden, config.layers, dropout=dropout, batch_first=True)


def _both_directions(arities: Ints) -> Ints:
    """Return the rows that phrases read in both directions: (2, items).

    Forwards these are the labels, the first children, the second children, and so on; backwards
    the labels, the last children, and so on. Row numbers count all labels and then all children,
    phrase by phrase. Phrases with most children come first.
    """
    phrases = np.arange(len(arities))
    starts = len(arities) + np.cumsum(arities) - arities
    counts = [int((arities > place).sum()) for place in range(int(arities[0]))]
    forwards = [starts[:count] + place for place, count in enumerate(counts)]
    backwards = [starts[:count] + arities[:count] - 1 - place for place, count in enumerate(counts)]
    both: Ints = np.stack(
        [np.concatenate([phrases, *forwards]), np.concatenate([phrases, *backwards])]
    )
    return both


def _positions(counts: Ints) -> Ints:
    """Return 0, 1, 2, ... for each count, concatenated."""
    starts: Ints = np.repeat(np.cumsum(counts) - counts, counts)
    positions: Ints = np.arange(len(starts)) - starts
    return positions
