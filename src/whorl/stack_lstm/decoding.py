"""Batched decoding, for parsing and exploration, where transition system and network meet.

The system decides which transitions are legal and what each one does; the network scores them. All
sentences of a batch advance together, one transition a step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.constraints import Plan
from whorl.stack_lstm.batch_network import BatchedStackLSTM, StackLSTMRun
from whorl.stack_lstm.constraints import ConstrainedInventory
from whorl.stack_lstm.single_sentence import ScoredTree, decode_one
from whorl.stack_lstm.stacks import EffectTable
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.transitions import Inventory, State, System, Transition
from whorl.trees import Leaf
from whorl.trees.brackets import paused_gc

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


class _Steps(NamedTuple):
    """The next transitions: of which hypotheses, by row and forked where several share one."""

    rows: Sequence[int]
    hypotheses: list[_Hypothesis]
    numbers: list[int]
    scores: list[float]
    """The log-probabilities up to and including the transition."""


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
    plans: Sequence[Plan | None] | None = None,
) -> list[list[ScoredTree]]:
    """Return up to `n_best` different trees of each sentence, best first.

    `plans` holds the constraints of each sentence, if any sentence has some.
    """
    beam = max(beam, n_best)
    inventory = vocabulary.inventory
    constrained = None
    if plans is not None and any(plan is not None for plan in plans):
        constrained = ConstrainedInventory(inventory, plans)
    if beam == 1 and choose is None and len(sentences) <= _SMALL_BATCH:
        single = network.numpy_network
        if single is not None:
            return [
                [decode_one(single, vocabulary, leaves, constrained, number)]
                for number, leaves in enumerate(sentences)
            ]
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
    transitions = inventory.transitions if constrained is None else constrained.transitions
    finished: list[list[_Hypothesis]] = [[] for _ in sentences]
    with paused_gc():
        while hypotheses:
            scores = run.scores()
            if constrained is None:
                scores += masks.rows([inventory.mask_number(h.state) for h in hypotheses])
                scores = scores.log_softmax(dim=1)
            else:
                scores = _constrained_scores(scores, constrained, hypotheses)
            if choose is not None:
                steps = _chosen_steps(hypotheses, scores.cpu().numpy(), choose)
            elif beam == 1:
                steps = _greedy_steps(hypotheses, scores)
            else:
                steps = _beam_steps(hypotheses, scores, beam, finished, n_best)
            hypotheses = _advance(run, inventory, transitions, steps, finished)
    return [_best(complete, inventory.system, transitions, n_best) for complete in finished]


def _constrained_scores(
    scores: Tensor, constrained: ConstrainedInventory, hypotheses: list[_Hypothesis]
) -> Tensor:
    sentences, states = [h.sentence for h in hypotheses], [h.state for h in hypotheses]
    logs = constrained.log_probabilities(sentences, states, scores.cpu().numpy())
    return torch.from_numpy(logs).to(scores.device)


def _best(
    complete: list[_Hypothesis], system: System, transitions: Sequence[Transition], n_best: int
) -> list[ScoredTree]:
    """Return the best different trees; several binary sequences may build one tree."""
    best: list[ScoredTree] = []
    for h in sorted(complete, key=lambda h: -h.score):
        tree = system.tree(h.state)
        if all(tree != better.tree for better in best):
            taken = [transitions[number] for number in h.transitions]
            best.append(ScoredTree(tree, taken, h.score))
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
        return self.table.index_select(0, torch.from_numpy(np.array(numbers)).to(self.device))


def _greedy_steps(hypotheses: list[_Hypothesis], scores: Tensor) -> _Steps:
    best, numbers = scores.max(dim=1)
    totals = [h.score + score for h, score in zip(hypotheses, best.tolist(), strict=True)]
    return _Steps(range(len(hypotheses)), hypotheses, numbers.tolist(), totals)


def _chosen_steps(hypotheses: list[_Hypothesis], scores: Scores, choose: Choose) -> _Steps:
    numbers = [choose(h.sentence, h.state, row) for h, row in zip(hypotheses, scores, strict=True)]
    rows = range(len(hypotheses))
    best = scores[rows, numbers].tolist()
    totals = [h.score + score for h, score in zip(hypotheses, best, strict=True)]
    return _Steps(rows, hypotheses, numbers, totals)


def _beam_steps(
    hypotheses: list[_Hypothesis],
    scores: Tensor,
    beam: int,
    finished: list[list[_Hypothesis]],
    n_best: int,
) -> _Steps:
    """Return the `beam` best continuations of each sentence.

    Log-probabilities only fall, so a continuation that scores below the `n_best` best complete
    parses is dropped.
    """
    values, numbers = scores.topk(min(beam, scores.shape[1]), dim=1)
    by_sentence: dict[int, list[tuple[int, int, float]]] = {}
    for row, (h, best, transitions) in enumerate(
        zip(hypotheses, values.tolist(), numbers.tolist(), strict=True)
    ):
        by_sentence.setdefault(h.sentence, []).extend(
            (row, number, h.score + score)
            for number, score in zip(transitions, best, strict=True)
            if score > -float("inf")
        )
    kept: list[tuple[int, int, float]] = []
    for sentence, steps in by_sentence.items():
        complete = sorted((h.score for h in finished[sentence]), reverse=True)
        threshold = complete[n_best - 1] if len(complete) >= n_best else -float("inf")
        steps.sort(key=lambda step: -step[2])
        kept += [step for step in steps[:beam] if step[2] > threshold]
    rows = [row for row, _, _ in kept]
    forks = _forks(hypotheses, rows)
    return _Steps(rows, forks, [number for _, number, _ in kept], [total for _, _, total in kept])


def _forks(hypotheses: list[_Hypothesis], rows: list[int]) -> list[_Hypothesis]:
    """Return the hypothesis of each step; if several steps share one, all but the last fork it."""
    uses = Counter(rows)
    forks = []
    for row in rows:
        uses[row] -= 1
        forks.append(hypotheses[row].fork() if uses[row] else hypotheses[row])
    return forks


def _advance(
    run: StackLSTMRun,
    inventory: Inventory,
    transitions: Sequence[Transition],
    steps: _Steps,
    finished: list[list[_Hypothesis]],
) -> list[_Hypothesis]:
    """Take the steps; move complete hypotheses to `finished` and return the others."""
    system = inventory.system
    active, parents, effects = [], [], []
    for row, h, number, score in zip(*steps, strict=True):
        transition = transitions[number]
        effect = system.effect(h.state, transition)
        h.state = system.next(h.state, transition)
        h.transitions.append(number)
        h.score = score
        if system.is_final(h.state):
            finished[h.sentence].append(h)
            continue
        active.append(h)
        parents.append(row)
        effects.append(run.effects.number(effect))
    if active:
        taken = np.array([h.transitions[-1] for h in active])
        taken = np.minimum(taken, len(inventory))  # which stands for all that the inventory lacks
        run.advance(np.array(parents), taken, np.array(effects))
    return active
