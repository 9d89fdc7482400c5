"""Exploration: let the network lead where it would go wrong, and let the dynamic oracle say what was right (§7.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from whorl.oracles import DynamicOracle, dynamic_oracle
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.batches import Sample
from whorl.stack_lstm.decoding import Scores, decode
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.training.exploration import ExplorationPolicy
from whorl.transitions import State, Transition
from whorl.trees import Leaf, Tree

__all__ = ["Exploration"]


@dataclass(slots=True)
class _Visit:
    """What happened to one sentence: the optimal transitions at each step."""

    oracle: DynamicOracle
    optimal: list[list[Transition]] = field(default_factory=list)


class Exploration:
    """Rolls sentences out without gradients, and makes samples of the states visited."""

    def __init__(
        self, encoder: StackLSTMVocabulary, policy: ExplorationPolicy, *, on_taken: bool = False
    ) -> None:
        self.encoder = encoder
        self.policy = policy
        self.on_taken = on_taken
        """Whether the loss is put on the transition taken, as in the authors' code, not on the optimal ones."""

    def samples(
        self,
        decoder: BatchedStackLSTM,
        sentences: Sequence[Sequence[Leaf]],
        golds: Sequence[Tree],
        random: np.random.Generator,
    ) -> list[Sample]:
        """One sample a sentence: the sequence that was followed, with the optimal transitions as targets."""
        system = self.encoder.inventory.system
        visits = [_Visit(dynamic_oracle(gold, system.name)) for gold in golds]
        inventory = self.encoder.inventory

        def choose(sentence: int, state: State, scores: Scores) -> int:
            visit = visits[sentence]
            optimal = visit.oracle.preferred(state)
            visit.optimal.append(optimal)
            known = [
                inventory.index[transition]
                for transition in optimal
                if transition in inventory.index
            ]
            return self._choose(known, scores, random)

        decoded = decode(decoder, self.encoder, sentences, choose=choose)
        return [
            self.encoder.sample(leaves, done.transitions, None if self.on_taken else visit.optimal)
            for leaves, done, visit in zip(sentences, decoded, visits, strict=True)
        ]

    def _choose(self, optimal: list[int], scores: Scores, random: np.random.Generator) -> int:
        if not optimal:
            return int(
                scores.argmax()
            )  # the inventory has none of them: go on where the network leads
        right = max(optimal, key=scores.__getitem__)
        others = scores.copy()
        others[optimal] = -np.inf
        wrong = int(others.argmax())
        lead = float(scores[right] - others[wrong])
        if lead < 0:
            return wrong if random.random() < self.policy.regular else right
        return wrong if lead < self.policy.aggressive else right
