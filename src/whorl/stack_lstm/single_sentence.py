"""Greedy decoding of one sentence by itself, with the stack-LSTM network and any system: `driver` does so for many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from whorl.stack_lstm.greedy import Derivation
from whorl.stack_lstm.numpy_network import NumpyStackLSTM
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.trees import Leaf

__all__ = ["decode_one"]


def decode_one(
    network: NumpyStackLSTM, encoder: StackLSTMVocabulary, sentence: Sequence[Leaf]
) -> Derivation:
    """Follow the best transitions to the end of the sentence."""
    inventory, symbols = encoder.inventory, encoder.symbols
    system = inventory.system
    state = system.initial(sentence)
    run = network.begin(encoder.sentence(sentence))
    transitions, total = [], 0.0
    while True:
        scores = run.scores()
        scores += encoder.barred(inventory.mask_number(state))
        number = int(scores.argmax())
        scores -= scores[number]
        total -= math.log(np.exp(scores).sum())
        transitions.append(number)
        transition = inventory.transitions[number]
        effect = system.effect(state, transition)
        state = system.next(state, transition)
        if system.is_final(state):
            return Derivation(transitions, total, system.tree(state))
        run.advance(number, effect, 0 if effect.label is None else symbols.number(effect))
