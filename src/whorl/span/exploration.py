"""Exploration for the span network: its dynamic oracle over arrays of states, and rollouts.

The oracle is that of `whorl.oracles.NonBinaryOracle`, whose `preferred` is a single transition in
every state. Gold constituents never cross, so at most one reduce costs nothing: the one of lowest
arity whose span lacks a gold label. If there is none, SHIFT or FINISH costs nothing. The tests
check that the two oracles agree.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from whorl.span.candidates import BLOCKED, Candidates, Ints
from whorl.span.decoding.greedy import Selection, decode_with_policy
from whorl.span.parsing import Backend
from whorl.span.samples import SpanInputs, SpanSample, Step, collate_inputs, make_sample
from whorl.span.scores import Floats, first_best
from whorl.span.states import States
from whorl.training.exploration import ExplorationPolicy

__all__ = ["GoldSpans", "SpanExploration"]


class GoldSpans:
    """The gold labels of each span, lowest first, and the labels built on the topmost items."""

    def __init__(self, samples: Sequence[SpanSample], *, max_unary: int) -> None:
        self.longest = max(len(sample.sentence) for sample in samples) + 1
        chains: dict[int, list[int]] = {}
        for number, sample in enumerate(samples):
            for label, left, right in _gold_spans(sample):
                key = (number * self.longest + left) * self.longest + right
                chains.setdefault(key, []).append(label)
        self.keys: Ints = np.array(sorted(chains))
        width = max(map(len, chains.values()))
        self.chains = np.array(  # padded with 0
            [chains[key] + [0] * (width - len(chains[key])) for key in self.keys.tolist()]
        )
        self.built = np.full((len(samples), max_unary + 1), -1, dtype=np.int64)
        self.count = np.zeros(len(samples), dtype=np.int64)

    def optimal(self, states: States, candidates: Candidates) -> Selection:
        """Return the preferred transition of each state."""
        c = candidates
        sentence = states.sentence[c.state]
        left = c.left - states.first[c.state]
        keys = (sentence * self.longest + left) * self.longest + states.buffer[c.state]
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        gold = (self.keys[place] == keys) & (c.arity > 0) & (c.kind != BLOCKED)
        label = np.where(gold, self.chains[place, 0], 0)
        unary = np.flatnonzero(gold & (c.arity == 1))
        label[unary] = self._lowest_missing(self.chains[place[unary]], self.built[sentence[unary]])
        # The first reduce with a missing label, or else SHIFT or FINISH, which comes first.
        row = first_best((label > 0).astype(np.float32), c)
        return Selection(row, label[row])

    def update(self, states: States, arity: Ints, label: Ints) -> None:
        """Record which labels these transitions build, before they are applied to the states."""
        sentence = states.sentence
        self.count[sentence[arity != 1]] = 0
        self.built[sentence[arity != 1]] = -1
        reduced = arity > 0
        self.built[sentence[reduced], self.count[sentence[reduced]]] = label[reduced]
        self.count[sentence[reduced]] += 1

    @staticmethod
    def _lowest_missing(chains: Ints, built: Ints) -> Ints:
        """Return the first label of each chain that is built less often than the chain needs it.

        Chains are padded with 0, which is also returned if no label is missing.
        """
        same = chains[:, :, None] == chains[:, None, :]  # (rows, width, width)
        needed = np.tril(same).sum(axis=2)
        have = (chains[:, :, None] == built[:, None, :]).sum(axis=2)
        missing = (chains > 0) & (needed > have)
        first = np.take_along_axis(chains, missing.argmax(axis=1)[:, None], 1)[:, 0]
        labels: Ints = np.where(missing.any(axis=1), first, 0)
        return labels


class SpanExploration:
    """Rolls sentences out without gradients, and makes samples of the visited states (§7.2)."""

    def __init__(
        self, policy: ExplorationPolicy, *, max_unary: int, on_taken: bool = False
    ) -> None:
        self.policy = policy
        self.max_unary = max_unary
        self.on_taken = on_taken
        """Whether the target is the transition taken, as in the authors' code, or the optimal."""

    def samples(
        self, backend: Backend[SpanInputs], golds: Sequence[SpanSample], random: np.random.Generator
    ) -> list[SpanSample]:
        """Make a sample per sentence: the states of a rollout, with optimal transitions."""
        spans = GoldSpans(golds, max_unary=self.max_unary)
        targets: list[list[Step]] = [[(0, 0)] for _ in golds]

        def policy(states: States, candidates: Candidates, scores: Floats) -> Selection:
            optimal = spans.optimal(states, candidates)
            arities = candidates.arity[optimal.row].tolist()
            steps = zip(states.sentence.tolist(), arities, optimal.output.tolist(), strict=True)
            for sentence, arity, label in steps:
                targets[sentence].append((arity, label))
            selected = self._explore(optimal, candidates, scores, random)
            spans.update(states, candidates.arity[selected.row], selected.output)
            return selected

        inputs = collate_inputs([gold.sentence for gold in golds])
        scorer, _ = backend.encode(inputs)
        rollouts = decode_with_policy(scorer, inputs, policy, max_unary=self.max_unary)
        return [
            make_sample(
                gold.sentence,
                gold.tags.tolist(),
                rollout.steps,
                rollout.steps if self.on_taken else optimal,
            )
            for gold, rollout, optimal in zip(golds, rollouts, targets, strict=True)
        ]

    def _explore(
        self,
        optimal: Selection,
        candidates: Candidates,
        scores: Floats,
        random: np.random.Generator,
    ) -> Selection:
        """Replace the optimal transition by the best of the others in some states."""
        others = scores.copy()
        others[optimal.row, optimal.output] = -np.inf
        row = first_best(others.max(axis=1), candidates)
        output = others[row].argmax(axis=1)
        lead = scores[optimal.row, optimal.output] - others[row, output]
        strays = np.where(
            lead < 0, random.random(len(lead)) < self.policy.regular, lead < self.policy.aggressive
        )
        return Selection(
            np.where(strays, row, optimal.row), np.where(strays, output, optimal.output)
        )


def _gold_spans(sample: SpanSample) -> list[tuple[int, int, int]]:
    """Return labels and spans of the tree that a gold sample builds, lower phrases first."""
    spans = []
    lefts = [0]
    buffer = 1
    for arity, label in sample.targets.tolist():
        if arity:
            del lefts[len(lefts) - arity + 1 :]
            spans.append((label, lefts[-1], buffer))
        else:
            lefts.append(buffer)
            buffer += 1
    return spans
