"""Greedy decoding of a batch in lockstep, by the best transitions or by those of a policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from whorl.span.candidates import Candidates, Ints
from whorl.span.constraints import ConstraintTables
from whorl.span.decoding.derivation import Derivation, EncodedBatch
from whorl.span.decoding.one_sentence import decode_one
from whorl.span.numpy_scorer import NumpyScorer
from whorl.span.scores import Decisions, Floats, Scorer, mask_illegal, normalisers
from whorl.span.states import WINDOW, States

__all__ = ["Policy", "Selection", "decode_greedy", "decode_with_policy"]

_FEW = 4
"""Up to this many sentences, one at a time is faster than lockstep."""


class Selection(NamedTuple):
    """One transition per state: a candidate's row, and one of its outputs."""

    row: Ints  # (states,)
    output: Ints  # (states,)


Policy = Callable[[States, Candidates, Floats], Selection]
"""Selects a transition in every state, given the masked scores of all candidates."""


def decode_greedy(
    scorer: Scorer,
    batch: EncodedBatch,
    *,
    max_unary: int,
    window: int = WINDOW,
    arities: bool = False,
    constraints: ConstraintTables | None = None,
) -> list[Derivation]:
    """Apply the best transition until every sentence is finished."""
    few = len(batch.lengths) <= _FEW
    if few and constraints is None and isinstance(scorer, NumpyScorer):
        return [
            decode_one(scorer, length, first, max_unary=max_unary, window=window, arities=arities)
            for length, first in zip(batch.lengths.tolist(), batch.fenceposts.tolist(), strict=True)
        ]
    states = States(batch.lengths, batch.fenceposts, max_unary=max_unary, constraints=constraints)
    return _decode(states, lambda _, candidates: scorer.best(candidates, arities=arities), window)


def decode_with_policy(
    scorer: Scorer, batch: EncodedBatch, policy: Policy, *, max_unary: int
) -> list[Derivation]:
    """Apply the transitions that a policy selects until every sentence is finished."""

    def decide(states: States, candidates: Candidates) -> Decisions:
        scores = mask_illegal(scorer.scores(candidates), candidates)
        row, output = policy(states, candidates, scores)
        return Decisions(row, output, scores[row, output] - normalisers(scores, candidates))

    return _decode(States(batch.lengths, batch.fenceposts, max_unary=max_unary), decide, WINDOW)


def _decode(
    states: States, decide: Callable[[States, Candidates], Decisions], window: int
) -> list[Derivation]:
    count = len(states)
    history: list[tuple[Ints, Ints, Ints, Floats]] = []
    shares: list[tuple[Ints, Floats]] = []
    while len(states):
        candidates = states.candidates(window)
        decisions = decide(states, candidates)
        arity = candidates.arity[decisions.row]
        history.append((states.sentence, arity, decisions.output, decisions.log_probability))
        if decisions.arities is not None:
            rows = np.flatnonzero(candidates.arity <= window)  # constraints may allow wider phrases
            shares.append((states.sentence[candidates.state[rows]], decisions.arities[rows]))
        unfinished = states.apply(arity, decisions.output)
        if len(unfinished) < len(states):
            states = states.keep(unfinished)
    return _group_by_sentence(history, shares, count)


def _group_by_sentence(
    history: list[tuple[Ints, Ints, Ints, Floats]], shares: list[tuple[Ints, Floats]], count: int
) -> list[Derivation]:
    """Turn what was decided at each step into one derivation per sentence."""
    sentence, arity, label, logs = (np.concatenate(column) for column in zip(*history, strict=True))
    order = np.argsort(sentence, kind="stable")
    bounds = np.searchsorted(sentence[order], np.arange(count + 1))
    steps = list(zip(arity[order].tolist(), label[order].tolist(), strict=True))
    scores = logs[order].tolist()
    arities = _arities_by_sentence(shares, count) if shares else [None] * count
    return [
        Derivation.after_initial_shift(steps[start:end], scores[start:end], probabilities)
        for start, end, probabilities in zip(
            bounds[:-1].tolist(), bounds[1:].tolist(), arities, strict=True
        )
    ]


def _arities_by_sentence(shares: list[tuple[Ints, Floats]], count: int) -> Sequence[Floats | None]:
    sentence, probabilities = (np.concatenate(column) for column in zip(*shares, strict=True))
    # NumPy sorts 16-bit numbers in linear time.
    numbers = sentence.astype(np.uint16) if count <= 1 << 16 else sentence
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(sentence, minlength=count))
    return np.split(probabilities[order], ends[:-1])
