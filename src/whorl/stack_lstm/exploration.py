"""Exploration (§7.2): follow the network where it errs; the dynamic oracle gives the targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from whorl.oracles import dynamic_oracle
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.batches import Sample
from whorl.stack_lstm.decoding import Scores, decode
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.training.exploration import ExplorationPolicy
from whorl.transitions import State, Transition
from whorl.trees import Leaf, Tree

__all__ = ["Exploration"]


class Exploration:
    """Parses training sentences without gradients and makes samples of the visited states."""

    def __init__(
        self,
        vocabulary: StackLSTMVocabulary,
        policy: ExplorationPolicy,
        *,
        on_taken: bool = False,
    ) -> None:
        self.vocabulary = vocabulary
        self.policy = policy
        self.on_taken = on_taken
        """Put the loss on the transition taken, as the authors' code does, not on optimal ones."""

    def samples(
        self,
        network: BatchedStackLSTM,
        sentences: Sequence[Sequence[Leaf]],
        golds: Sequence[Tree],
        random: np.random.Generator,
    ) -> list[Sample]:
        """Return one sample a sentence: the sequence taken, with optimal transitions as targets."""
        inventory = self.vocabulary.inventory
        oracles = [dynamic_oracle(gold, inventory.system.name) for gold in golds]
        optimal: list[list[list[Transition]]] = [[] for _ in golds]

        def choose(sentence: int, state: State, scores: Scores) -> int:
            preferred = oracles[sentence].preferred(state)
            optimal[sentence].append(preferred)
            known = [inventory.index[t] for t in preferred if t in inventory.index]
            return self._choose(known, scores, random)

        derivations = decode(network, self.vocabulary, sentences, choose=choose)
        return [
            self.vocabulary.sample(leaves, one.transitions, None if self.on_taken else targets)
            for leaves, one, targets in zip(sentences, derivations, optimal, strict=True)
        ]

    def _choose(self, optimal: list[int], scores: Scores, random: np.random.Generator) -> int:
        """Return an optimal transition or a wrong one, as the policy decides."""
        if not optimal:  # the inventory has none of them
            return int(scores.argmax())
        right = max(optimal, key=scores.__getitem__)
        others = scores.copy()
        others[optimal] = -np.inf
        wrong = int(others.argmax())
        lead = float(scores[right] - others[wrong])
        if lead < 0:
            return wrong if random.random() < self.policy.regular else right
        return wrong if lead < self.policy.aggressive else right
