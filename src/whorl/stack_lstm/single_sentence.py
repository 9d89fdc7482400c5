"""Greedy decoding of one sentence, in NumPy; see `decoding` for batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from whorl.stack_lstm.constraints import ConstrainedInventory
from whorl.stack_lstm.numpy_network import NumpyStackLSTM
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.transitions import Transition
from whorl.trees import Leaf, Tree

__all__ = ["ScoredTree", "decode_one"]


class ScoredTree(NamedTuple):
    """A parsed sentence: its tree, the transitions that build it, and their log-probability."""

    tree: Tree
    transitions: list[Transition]
    score: float


def decode_one(
    network: NumpyStackLSTM,
    vocabulary: StackLSTMVocabulary,
    sentence: Sequence[Leaf],
    constrained: ConstrainedInventory | None = None,
    number_in_batch: int = 0,
) -> ScoredTree:
    """Take the best transition in every state, up to the end of the sentence.

    `constrained` has the constraints of the sentence with this number.
    """
    inventory, symbols = vocabulary.inventory, vocabulary.symbols
    system = inventory.system
    known = inventory.transitions if constrained is None else constrained.transitions
    state = system.initial(sentence)
    run = network.begin(vocabulary.sentence(sentence))
    transitions, total = [], 0.0
    while True:
        scores = run.scores()
        if constrained is None:
            scores += vocabulary.barred(inventory.mask_number(state))
            number = int(scores.argmax())
            scores -= scores[number]
            total -= math.log(np.exp(scores).sum())
        else:
            (logs,) = constrained.log_probabilities([number_in_batch], [state], scores[None])
            number = int(logs.argmax())
            total += float(logs[number])
        transition = known[number]
        transitions.append(transition)
        effect = system.effect(state, transition)
        state = system.next(state, transition)
        if system.is_final(state):
            return ScoredTree(system.tree(state), transitions, total)
        number = min(number, len(inventory))  # which stands for all that the inventory lacks
        run.advance(number, effect, 0 if effect.label is None else symbols.number(effect))
