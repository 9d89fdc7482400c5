"""Exploration for the `span` network: its dynamic oracle over arrays of states, and samples of what was visited.

The oracle is that of `whorl.oracles.NonBinaryOracle`, whose `preferred` is a single transition in
every state. Gold constituents never cross, so that of all reduces only the one with the fewest
items that has a gold label missing on its span can cost nothing, and SHIFT and FINISH do where
there is none. The tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from whorl.span.candidates import BLOCKED, Candidates, Ints
from whorl.span.decoding import Reader
from whorl.span.greedy import Choice, decode_greedy
from whorl.span.samples import SpanInputs, SpanSample, Step, collate_inputs, follow
from whorl.span.scores import Floats, first_best
from whorl.span.states import States
from whorl.training.exploration import ExplorationPolicy

__all__ = ["GoldSpans", "SpanExploration"]


class GoldSpans:
    """The gold labels on each span of some sentences, lowest first, and those that were built on the topmost item."""

    def __init__(self, samples: Sequence[SpanSample], *, max_unary: int) -> None:
        self.longest = max(len(sample.sentence) for sample in samples) + 1
        chains: dict[int, list[int]] = {}
        for number, sample in enumerate(samples):
            for label, left, right in _gold_spans(sample):
                chains.setdefault((number * self.longest + left) * self.longest + right, []).append(
                    label
                )
        self.keys: Ints = np.array(sorted(chains))
        width = max(map(len, chains.values()))
        self.chains = np.array(
            [chains[key] + [0] * (width - len(chains[key])) for key in self.keys.tolist()]
        )
        self.built = np.full((len(samples), max_unary + 1), -1, dtype=np.int64)
        self.count = np.zeros(len(samples), dtype=np.int64)

    def optimal(self, states: States, candidates: Candidates) -> Choice:
        """The transition to prefer in each state: the candidate's row, and its label's number."""
        c = candidates
        sentence = states.sentence[c.state]
        left = c.left - states.first[c.state]
        keys = (sentence * self.longest + left) * self.longest + states.buffer[c.state]
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        gold = (self.keys[place] == keys) & (c.taken > 0) & (c.allowed != BLOCKED)
        label = np.where(gold, self.chains[place, 0], 0)
        above = np.flatnonzero(gold & (c.taken == 1))
        label[above] = self._lowest_missing(self.chains[place[above]], self.built[sentence[above]])
        row = first_best(
            (label > 0).astype(np.float32), c
        )  # the first that is missing; else the first of all
        return Choice(row, label[row])

    def follow(self, states: States, taken: Ints, label: Ints) -> None:
        """Note what is built on the topmost items, before the states go on."""
        sentence = states.sentence
        self.count[sentence[taken != 1]] = 0
        self.built[sentence[taken != 1]] = -1
        reduced = taken > 0
        self.built[sentence[reduced], self.count[sentence[reduced]]] = label[reduced]
        self.count[sentence[reduced]] += 1

    @staticmethod
    def _lowest_missing(chains: Ints, built: Ints) -> Ints:
        """Of each row of labels, padded with 0, the first that was not built as often as it stands there; else 0."""
        same = chains[:, :, None] == chains[:, None, :]  # (rows, width, width)
        needed = np.tril(same).sum(axis=2)
        have = (chains[:, :, None] == built[:, None, :]).sum(axis=2)
        missing = (chains > 0) & (needed > have)
        first: Ints = np.where(
            missing.any(axis=1),
            np.take_along_axis(chains, missing.argmax(axis=1)[:, None], 1)[:, 0],
            0,
        )
        return first


class SpanExploration:
    """Rolls sentences out without gradients, and makes samples of the states visited (§7.2)."""

    def __init__(
        self, policy: ExplorationPolicy, *, max_unary: int, on_taken: bool = False
    ) -> None:
        self.policy = policy
        self.max_unary = max_unary
        self.on_taken = on_taken
        """Whether the loss is put on the transition taken, as in the authors' code, not on the optimal one."""

    def samples(
        self, reader: Reader[SpanInputs], golds: Sequence[SpanSample], random: np.random.Generator
    ) -> list[SpanSample]:
        """One sample a sentence: the sequence that was followed, with the optimal transitions as targets."""
        spans = GoldSpans(golds, max_unary=self.max_unary)
        targets: list[list[Step]] = [[(0, 0)] for _ in golds]

        def choose(states: States, candidates: Candidates, scores: Floats) -> Choice:
            right = spans.optimal(states, candidates)
            taken = candidates.taken[right.row]
            rows = zip(states.sentence.tolist(), taken.tolist(), right.output.tolist(), strict=True)
            for sentence, k, label in rows:
                targets[sentence].append((k, label))
            chosen = self._led(right, candidates, scores, random)
            spans.follow(states, candidates.taken[chosen.row], chosen.output)
            return chosen

        inputs = collate_inputs([gold.sentence for gold in golds])
        followed = decode_greedy(
            reader.read(inputs)[0], inputs, max_unary=self.max_unary, choose=choose
        )
        return [
            follow(
                gold.sentence, gold.tags.tolist(), one.steps, one.steps if self.on_taken else wanted
            )
            for gold, one, wanted in zip(golds, followed, targets, strict=True)
        ]

    def _led(
        self, right: Choice, candidates: Candidates, scores: Floats, random: np.random.Generator
    ) -> Choice:
        """Where to go on: the optimal transition, or in some states the best of the others."""
        others = scores.copy()
        others[right.row, right.output] = -np.inf
        row = first_best(others.max(axis=1), candidates)
        output = others[row].argmax(axis=1)
        lead = scores[right.row, right.output] - others[row, output]
        wrong = np.where(
            lead < 0, random.random(len(lead)) < self.policy.regular, lead < self.policy.aggressive
        )
        return Choice(np.where(wrong, row, right.row), np.where(wrong, output, right.output))


def _gold_spans(sample: SpanSample) -> list[tuple[int, int, int]]:
    """The labels and spans of the tree that a gold sample builds, lower phrases first."""
    found = []
    lefts = [0]
    buffer = 1
    for taken, label in sample.targets.tolist():
        if taken:
            del lefts[len(lefts) - taken + 1 :]
            found.append((label, lefts[-1], buffer))
        else:
            lefts.append(buffer)
            buffer += 1
    return found
