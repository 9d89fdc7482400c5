"""Batched decoding: the one place where a transition system and a network meet. Training and parsing share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from whorl.stack_lstm.batch_network import BatchedStackLSTM, StackLSTMRun
from whorl.stack_lstm.greedy import Derivation, decode_greedy
from whorl.stack_lstm.single_sentence import decode_one
from whorl.stack_lstm.stacks import EffectTable
from whorl.stack_lstm.vocabulary import StackLSTMVocabulary
from whorl.transitions import Inventory, NonBinary, State, Transition
from whorl.trees import Leaf, Tree

__all__ = ["Choose", "Decoded", "Scores", "decode", "decode_nbest"]

Scores = npt.NDArray[np.float32]
Choose = Callable[[int, State, Scores], int]
"""Given a sentence's number, its state and the log-probabilities of all transitions, choose one."""

_FEW = 8  # sentences, up to which one after another is faster than all in step


class Decoded(NamedTuple):
    """A parsed sentence: its tree, the transitions that built it, and their log-probability."""

    tree: Tree
    transitions: list[Transition]
    score: float


class _Hypothesis:
    """One way of parsing one sentence so far."""

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
"""A choice: which hypothesis (by its row), which transition, and the log-probability of all up to it."""


def decode(
    decoder: BatchedStackLSTM,
    encoder: StackLSTMVocabulary,
    sentences: Sequence[Sequence[Leaf]],
    *,
    beam: int = 1,
    choose: Choose | None = None,
) -> list[Decoded]:
    """Parse a batch of tagged sentences: greedily, with a beam, or by the choices of `choose`."""
    return [
        best for best, *_ in decode_nbest(decoder, encoder, sentences, beam=beam, choose=choose)
    ]


@torch.inference_mode()
def decode_nbest(
    decoder: BatchedStackLSTM,
    encoder: StackLSTMVocabulary,
    sentences: Sequence[Sequence[Leaf]],
    *,
    beam: int = 1,
    n_best: int = 1,
    choose: Choose | None = None,
) -> list[list[Decoded]]:
    """The same with the best so many trees of each sentence, all different, that the beam finds: best first."""
    beam = max(beam, n_best)
    system = encoder.inventory.system
    followed = _followed(decoder, encoder, sentences) if beam == 1 and choose is None else None
    if followed is not None:
        return [
            [Decoded(one.tree, _named(one.transitions, encoder.inventory), one.score)]
            for one in followed
        ]
    effects = EffectTable(encoder.symbols)
    run = decoder.begin(
        [encoder.sentence(leaves) for leaves in sentences], effects, shared=beam > 1
    )
    masks = _Masks(encoder, run.device)
    active = [
        _Hypothesis(number, system.initial(leaves)) for number, leaves in enumerate(sentences)
    ]
    finished: list[list[_Hypothesis]] = [[] for _ in sentences]
    while active:
        scores = run.scores()
        scores += masks.rows([encoder.inventory.mask_number(h.state) for h in active])
        scores = scores.log_softmax(dim=1)
        if choose is not None:
            steps = _chosen_steps(active, scores.cpu().numpy(), choose)
        elif beam == 1:
            steps = _greedy_steps(active, scores)
        else:
            steps = _beam_steps(active, scores, beam, finished, n_best)
        active = _advance(run, encoder.inventory, active, steps, finished)
    return [_best(ended, encoder.inventory, n_best) for ended in finished]


def _followed(
    decoder: BatchedStackLSTM, encoder: StackLSTMVocabulary, sentences: Sequence[Sequence[Leaf]]
) -> list[Derivation] | None:
    """Greedy decoding in the ways that are faster than the driver's own, where there is one."""
    system = encoder.inventory.system
    if len(sentences) <= _FEW and decoder.alone is not None:
        return [decode_one(decoder.alone, encoder, leaves) for leaves in sentences]
    if isinstance(system, NonBinary):
        return decode_greedy(decoder, encoder, sentences, system)
    return None


def _best(ended: list[_Hypothesis], inventory: Inventory, n_best: int) -> list[Decoded]:
    """The best different trees: of the binary system, several sequences may build one."""
    found: list[Decoded] = []
    for h in sorted(ended, key=lambda h: -h.score):
        tree = inventory.system.tree(h.state)
        if all(tree != known.tree for known in found):
            found.append(Decoded(tree, _named(h.transitions, inventory), h.score))
        if len(found) == n_best:
            break
    return found


def _named(numbers: list[int], inventory: Inventory) -> list[Transition]:
    return [inventory.transitions[number] for number in numbers]


class _Masks:
    """The sets of legal transitions as a tensor to be added to scores, kept up with the inventory."""

    def __init__(self, encoder: StackLSTMVocabulary, device: torch.device) -> None:
        self.encoder = encoder
        self.device = device
        self.table = torch.empty(0)

    def rows(self, numbers: Sequence[int]) -> Tensor:
        if len(self.table) < len(self.encoder.inventory.masks):
            legal = torch.from_numpy(self.encoder.mask_table()).to(self.device)
            self.table = torch.zeros(legal.shape, device=self.device).masked_fill_(
                ~legal, -torch.inf
            )
        return self.table.index_select(0, torch.tensor(numbers).to(self.device))


def _greedy_steps(active: list[_Hypothesis], scores: Tensor) -> list[_Step]:
    best, which = scores.max(dim=1)
    scored = [h.score + score for h, score in zip(active, best.tolist(), strict=True)]
    return list(zip(range(len(active)), which.tolist(), scored, strict=True))


def _chosen_steps(active: list[_Hypothesis], scores: Scores, choose: Choose) -> list[_Step]:
    steps = []
    for row, (h, values) in enumerate(zip(active, scores, strict=True)):
        number = choose(h.sentence, h.state, values)
        steps.append((row, number, h.score + float(values[number])))
    return steps


def _beam_steps(
    active: list[_Hypothesis],
    scores: Tensor,
    beam: int,
    finished: list[list[_Hypothesis]],
    wanted: int,
) -> list[_Step]:
    """The best continuations of each sentence, as many as the beam is wide.

    Log-probabilities only fall, so a continuation below the last of the wanted that have finished
    can be dropped.
    """
    values, which = scores.topk(min(beam, scores.shape[1]), dim=1)
    found: dict[int, list[_Step]] = {}
    for row, (h, best, numbers) in enumerate(
        zip(active, values.tolist(), which.tolist(), strict=True)
    ):
        steps = found.setdefault(h.sentence, [])
        steps += [
            (row, number, h.score + score)
            for number, score in zip(numbers, best, strict=True)
            if score > -float("inf")
        ]
    kept: list[_Step] = []
    for sentence, steps in found.items():
        ended = sorted((h.score for h in finished[sentence]), reverse=True)
        bar = ended[wanted - 1] if len(ended) >= wanted else -float("inf")
        steps.sort(key=lambda step: -step[2])
        kept += [step for step in steps[:beam] if step[2] > bar]
    return kept


def _advance(
    run: StackLSTMRun,
    inventory: Inventory,
    active: list[_Hypothesis],
    steps: list[_Step],
    finished: list[list[_Hypothesis]],
) -> list[_Hypothesis]:
    """Take the steps; hypotheses that end are put with the finished, the others go on."""
    system = inventory.system
    forks = _forks(active, [row for row, _, _ in steps])
    going, parents, transitions, effects = [], [], [], []
    for (row, number, score), hypothesis in zip(steps, forks, strict=True):
        transition = inventory.transitions[number]
        effect = system.effect(hypothesis.state, transition)
        hypothesis.state = system.next(hypothesis.state, transition)
        hypothesis.transitions.append(number)
        hypothesis.score = score
        if system.is_final(hypothesis.state):
            finished[hypothesis.sentence].append(hypothesis)
            continue
        going.append(hypothesis)
        parents.append(row)
        transitions.append(number)
        effects.append(run.effects.number(effect))
    if going:
        run.advance(np.array(parents), np.array(transitions), np.array(effects))
    return going


def _forks(active: list[_Hypothesis], rows: list[int]) -> list[_Hypothesis]:
    """The hypotheses in these rows, as copies where a row comes again."""
    if rows == list(range(len(active))):
        return active
    uses = Counter(rows)
    found = []
    for row in rows:
        uses[row] -= 1
        found.append(active[row].fork() if uses[row] else active[row])
    return found
