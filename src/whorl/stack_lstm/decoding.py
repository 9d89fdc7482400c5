"""Batched decoding, for parsing and exploration, where transition system and network meet.

The system decides which transitions are legal and what each one does; the network scores them. All
sentences of a batch advance together, one transition a step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.stack_lstm.batch_network import BatchedStackLSTM, StackLSTMRun
from whorl.stack_lstm.single_sentence import ScoredTree, decode_one
from whorl.stack_lstm.stacks import EffectTable
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.transitions import Inventory, State
from whorl.trees import Leaf

__all__ = ["Choose", "ScoredTree", "Scores", "decode", "decode_nbest"]

Scores = npt.NDArray[np.float32]
Choose = Callable[[int, State, Scores], int]
"""Choose a transition for a sentence, from its index, its state and all log-probabilities."""

_SMALL_BATCH = 8
"""Up to this many sentences, decoding one after the other is faster than in step."""


class _Hypothesis:
    """A partial parse of one sentence."""

    __slots__ = ("score", "sentence", "state", "transitions")

    def __init__(self, sentence: int, state: State) -> None:
        self.sentence = sentence
        self.state = state
        self.transitions: list[int] = []
        self.score = 0.0

    def fork(self) -> _Hypothesis:
        copy = _Hypothesis(self.sentence, self.state)
        copy.transitions = self.transitions.copy()
        return copy


_Step: TypeAlias = tuple[int, int, float]
"""The row of a hypothesis, its next transition, and the log-probability up to and including it."""


def decode(
    network: BatchedStackLSTM,
    vocabulary: StackLSTMVocabulary,
    sentences: Sequence[Sequence[Leaf]],
    *,
    beam: int = 1,
    choose: Choose | None = None,
) -> list[ScoredTree]:
    """Parse a batch of tagged sentences: greedily, with a beam, or as `choose` decides."""
    return [
        best for best, *_ in decode_nbest(network, vocabulary, sentences, beam=beam, choose=choose)
    ]


@torch.inference_mode()
def decode_nbest(
    network: BatchedStackLSTM,
    vocabulary: StackLSTMVocabulary,
    sentences: Sequence[Sequence[Leaf]],
    *,
    beam: int = 1,
    n_best: int = 1,
    choose: Choose | None = None,
) -> list[list[ScoredTree]]:
    """Return up to `n_best` different trees of each sentence, best first."""
    beam = max(beam, n_best)
    inventory = vocabulary.inventory
    if beam == 1 and choose is None and len(sentences) <= _SMALL_BATCH:
        single = network.numpy_network
        if single is not None:
            return [[decode_one(single, vocabulary, leaves)] for leaves in sentences]
    hypotheses = [
        _Hypothesis(index, inventory.system.initial(leaves))
        for index, leaves in enumerate(sentences)
    ]
    run = network.begin(
        [vocabulary.sentence(leaves) for leaves in sentences],
        EffectTable(vocabulary.symbols),
        shared=beam > 1,
    )
    masks = _Masks(vocabulary, run.device)
    finished: list[list[_Hypothesis]] = [[] for _ in sentences]
    while hypotheses:
        scores = run.scores()
        scores += masks.rows([inventory.mask_number(h.state) for h in hypotheses])
        scores = scores.log_softmax(dim=1)
        if choose is not None:
            steps = _chosen_steps(hypotheses, scores.cpu().numpy(), choose)
        elif beam == 1:
            steps = _greedy_steps(hypotheses, scores)
        else:
            steps = _beam_steps(hypotheses, scores, beam, finished, n_best)
        hypotheses = _advance(run, inventory, hypotheses, steps, finished)
    return [_best(complete, inventory, n_best) for complete in finished]


def _best(complete: list[_Hypothesis], inventory: Inventory, n_best: int) -> list[ScoredTree]:
    """Return the best different trees; several binary sequences may build one tree."""
    best: list[ScoredTree] = []
    for h in sorted(complete, key=lambda h: -h.score):
        tree = inventory.system.tree(h.state)
        if all(tree != better.tree for better in best):
            transitions = [inventory.transitions[number] for number in h.transitions]
            best.append(ScoredTree(tree, transitions, h.score))
        if len(best) == n_best:
            break
    return best


class _Masks:
    """The inventory's sets of legal transitions, as a tensor to add to scores."""

    def __init__(self, vocabulary: StackLSTMVocabulary, device: torch.device) -> None:
        self.vocabulary = vocabulary
        self.device = device
        self.table = torch.empty(0)

    def rows(self, numbers: Sequence[int]) -> Tensor:
        if len(self.table) < len(self.vocabulary.inventory.masks):
            legal = torch.from_numpy(self.vocabulary.mask_table()).to(self.device)
            self.table = torch.zeros(legal.shape, device=self.device).masked_fill_(
                ~legal, -torch.inf
            )
        return self.table.index_select(0, torch.tensor(numbers).to(self.device))


def _greedy_steps(hypotheses: list[_Hypothesis], scores: Tensor) -> list[_Step]:
    best, numbers = scores.max(dim=1)
    totals = [h.score + score for h, score in zip(hypotheses, best.tolist(), strict=True)]
    return list(zip(range(len(hypotheses)), numbers.tolist(), totals, strict=True))


def _chosen_steps(hypotheses: list[_Hypothesis], scores: Scores, choose: Choose) -> list[_Step]:
    steps = []
    for row, (h, values) in enumerate(zip(hypotheses, scores, strict=True)):
        number = choose(h.sentence, h.state, values)
        steps.append((row, number, h.score + float(values[number])))
    return steps


def _beam_steps(
    hypotheses: list[_Hypothesis],
    scores: Tensor,
    beam: int,
    finished: list[list[_Hypothesis]],
    n_best: int,
) -> list[_Step]:
    """Return the `beam` best continuations of each sentence.

    Log-probabilities only fall, so a continuation that scores below the `n_best` best complete
    parses is dropped.
    """
    values, numbers = scores.topk(min(beam, scores.shape[1]), dim=1)
    by_sentence: dict[int, list[_Step]] = {}
    for row, (h, best, transitions) in enumerate(
        zip(hypotheses, values.tolist(), numbers.tolist(), strict=True)
    ):
        by_sentence.setdefault(h.sentence, []).extend(
            (row, number, h.score + score)
            for number, score in zip(transitions, best, strict=True)
            if score > -float("inf")
        )
    kept: list[_Step] = []
    for sentence, steps in by_sentence.items():
        complete = sorted((h.score for h in finished[sentence]), reverse=True)
        threshold = complete[n_best - 1] if len(complete) >= n_best else -float("inf")
        steps.sort(key=lambda step: -step[2])
        kept += [step for step in steps[:beam] if step[2] > threshold]
    return kept


def _advance(
    run: StackLSTMRun,
    inventory: Inventory,
    hypotheses: list[_Hypothesis],
    steps: list[_Step],
    finished: list[list[_Hypothesis]],
) -> list[_Hypothesis]:
    """Take the steps; move complete hypotheses to `finished` and return the others."""
    system = inventory.system
    active, parents, transitions, effects = [], [], [], []
    for (row, number, score), h in zip(steps, _forks(hypotheses, steps), strict=True):
        transition = inventory.transitions[number]
        effect = system.effect(h.state, transition)
        h.state = system.next(h.state, transition)
        h.transitions.append(number)
        h.score = score
        if system.is_final(h.state):
            finished[h.sentence].append(h)
            continue
        active.append(h)
        parents.append(row)
        transitions.append(number)
        effects.append(run.effects.number(effect))
    if active:
        run.advance(np.array(parents), np.array(transitions), np.array(effects))
    return active


def _forks(hypotheses: list[_Hypothesis], steps: list[_Step]) -> list[_Hypothesis]:
    """Return the hypothesis of each step; if several steps share one, all but the last fork it."""
    rows = [row for row, _, _ in steps]
    uses = Counter(rows)
    if len(uses) == len(rows):
        return [hypotheses[row] for row in rows]
    forks = []
    for row in rows:
        uses[row] -= 1
        forks.append(hypotheses[row].fork() if uses[row] else hypotheses[row])
    return forks
