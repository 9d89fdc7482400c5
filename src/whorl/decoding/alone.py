"""Greedy decoding of one sentence by itself, with the stack-LSTM network and any system: `driver` does so for many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from whorl.data.encoder import Encoder
from whorl.decoding.greedy import Followed
from whorl.models.stack_lstm_alone import StackLSTMAlone
from whorl.trees import Leaf

__all__ = ["follow_alone"]


def follow_alone(network: StackLSTMAlone, encoder: Encoder, sentence: Sequence[Leaf]) -> Followed:
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
            return Followed(transitions, total, system.tree(state))
        run.advance(number, effect, 0 if effect.label is None else symbols.number(effect))
