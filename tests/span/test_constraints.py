"""Constraints as arrays: in every state, what the transition system says."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whorl
from tests.constraints.satisfaction import random_constraints, satisfies
from whorl.constraints import Grammar, make_plan
from whorl.engine.evidence import WINDOW
from whorl.errors import ConstraintError
from whorl.oracles import static_oracle
from whorl.span.candidates import BLOCKED, SHIFT_OR_FINISH
from whorl.span.constraints import ConstraintTables
from whorl.span.decoding.beam import decode_beam
from whorl.span.decoding.greedy import decode_greedy
from whorl.span.parsing import build_tree
from whorl.span.scores import Scorer
from whorl.span.states import States
from whorl.transitions import FINISH, SHIFT, NonBinary
from whorl.transitions.constrained import ConstrainedNonBinary
from whorl.transitions.nonbinary import reduce
from whorl.trees import Leaf

LABELS = ("A", "B", "R")


def random_plan(random, words, grammar):
    """Draw constraints that some tree satisfies, or none."""
    while random.random() < 0.8:
        constraints = random_constraints(random, words, LABELS)
        try:
            return constraints, make_plan(["w"] * words, constraints, grammar)
        except ConstraintError:
            continue
    return [], None


def drawn(seed, lengths, bound):
    """Draw constraints of each sentence, and make plans and tables of them."""
    random = Random(seed)
    grammar = Grammar(LABELS, random.choice([None, "R"]), bound)
    pairs = [random_plan(random, length, grammar) for length in lengths]
    plans = [plan for _, plan in pairs]
    tables = ConstraintTables(plans, LABELS) if any(plans) else None
    return grammar, [constraints for constraints, _ in pairs], plans, tables


sentences = st.lists(st.integers(1, 9), min_size=1, max_size=6)
seeds = st.integers(0, 2**32 - 1)
bounds = st.integers(1, 4)


@given(lengths=sentences, seed=seeds, bound=bounds)
@settings(max_examples=150, deadline=None)
def test_constrained_states_behave_as_the_constrained_system(lengths, seed, bound):
    random = np.random.default_rng(seed)
    _, _, plans, tables = drawn(seed, lengths, bound)
    systems = [
        NonBinary(LABELS, max_unary=bound)
        if plan is None
        else ConstrainedNonBinary(LABELS, plan, max_unary=bound)
        for plan in plans
    ]
    fenceposts = np.arange(len(lengths)) * 13
    states = States(np.array(lengths), fenceposts, max_unary=bound, constraints=tables)
    pairs = zip(systems, lengths, strict=True)
    twins = [system.apply(system.initial([Leaf("X", "x")] * n), SHIFT) for system, n in pairs]
    while len(states):
        candidates = states.candidates(window=2)
        arities, label = [], []
        for place, sentence in enumerate(states.sentence.tolist()):
            system, twin = systems[sentence], twins[sentence]
            steps = legal_steps(candidates, place, twin)
            legal = list(steps)
            expected = system.legal(twin)
            if plans[sentence] is None:
                expected = [each for each in expected if each.arity <= 2]
            assert sorted(map(str, legal)) == sorted(map(str, expected))
            if plans[sentence] is not None:
                assert candidates.restriction.due[place] == system.is_due(twin)
                if system.is_due(twin):
                    advancing = [step for step in legal if system.advances(twin, step)]
                    assert [step for step, idle in steps.items() if not idle] == advancing != []
            chosen = legal[random.integers(len(legal))]
            twins[sentence] = system.apply(twin, chosen)
            arities.append(chosen.arity)
            label.append(0 if chosen.label is None else LABELS.index(chosen.label) + 1)
        states = states.keep(states.apply(np.array(arities), np.array(label)))
    assert all(system.is_final(twin) for system, twin in zip(systems, twins, strict=True))


def legal_steps(candidates, place, twin):
    """Return the legal transitions of a state, and whether each is idle."""
    restriction = candidates.restriction
    legal = {}
    for row in np.flatnonzero(candidates.state == place).tolist():
        if candidates.kind[row] == BLOCKED or (
            restriction is not None and row in restriction.blocked
        ):
            continue
        if candidates.kind[row] == SHIFT_OR_FINISH:
            legal[FINISH if twin.exhausted else SHIFT] = False
            continue
        illegal = idle = np.zeros(1 + len(LABELS), dtype=bool)
        if restriction is not None and row in restriction.limited:
            (at,) = np.flatnonzero(restriction.limited == row)
            illegal, idle = restriction.illegal[at], restriction.idle[at]
        elif restriction is not None and row in restriction.idle_rows:
            idle = ~illegal
        for number, label in enumerate(LABELS, start=1):
            if not illegal[number]:
                legal[reduce(label, int(candidates.arity[row]))] = bool(idle[number])
    return legal


class Encoded:
    def __init__(self, lengths):
        self.lengths = np.array(lengths)
        self.fenceposts = np.arange(len(lengths)) * 13


PRIMES = (3, 7, 31, 101, 1009)


class RandomScorer(Scorer):
    """Random scores that depend on the span and what is on top, not on the batch."""

    def __init__(self, seed):
        self.seed = seed

    def scores(self, candidates):
        c = candidates
        columns = (c.arity, c.left, c.item_label, c.right[c.state], c.chain[c.state])
        keys = sum(int(prime) * column for prime, column in zip(PRIMES, columns, strict=True))
        outputs = np.arange(1 + len(LABELS)) * 5003 + self.seed % 1000
        return (10 * np.sin((keys[:, None] + outputs) * 12.9898)).astype(np.float32)


@given(lengths=sentences, seed=seeds, bound=bounds)
@settings(max_examples=100, deadline=None)
def test_whatever_the_scores_every_tree_satisfies_its_constraints(lengths, seed, bound):
    grammar, constraints, _, tables = drawn(seed, lengths, bound)
    scorer, batch = RandomScorer(seed), Encoded(lengths)
    options = {"max_unary": bound, "constraints": tables}
    nbest = decode_beam(scorer, batch, beam=3, n_best=3, **options)
    for greedy, beam, own, length in zip(
        decode_greedy(scorer, batch, **options), nbest, constraints, lengths, strict=True
    ):
        assert beam
        for derivation in (greedy, *beam):
            leaves = [Leaf("X", "w", position) for position in range(length)]
            tree = build_tree(leaves, derivation.steps, LABELS)
            assert satisfies(tree, own, grammar.root)
            assert all(score <= 1e-6 for score in derivation.scores)


@given(lengths=sentences, seed=seeds, bound=bounds)
@settings(max_examples=60, deadline=None)
def test_sentences_of_a_batch_do_not_affect_each_other(lengths, seed, bound):
    _, _, plans, tables = drawn(seed, lengths, bound)
    scorer, batch = RandomScorer(seed), Encoded(lengths)
    together = decode_greedy(scorer, batch, max_unary=bound, constraints=tables)
    for number, plan in enumerate(plans):
        alone = Encoded(lengths[number : number + 1])
        alone.fenceposts = batch.fenceposts[number : number + 1]
        own = None if plan is None else ConstraintTables([plan], LABELS)
        (derivation,) = decode_greedy(scorer, alone, max_unary=bound, constraints=own)
        assert derivation.steps == together[number].steps
        assert derivation.scores == pytest.approx(together[number].scores, abs=1e-4)


@pytest.mark.parametrize("beam", [1, 2])
def test_phrases_built_under_constraints_have_probabilities(beam):
    parser = whorl.load()
    words = ["cats", ","] * 75 + ["sleep", "."]
    wide = [whorl.Constraint.only(0, 150), whorl.Constraint.span(0, 150, "NP")]
    for constraints in (wide, [whorl.Constraint.span(0, 3, "NP")]):
        (parse,) = parser.parse(words, constraints=constraints, beam=beam, n_best=1)
        probabilities = parse.probabilities()
        assert len(probabilities) == len(list(parse.tree.phrases()))
        assert all(0 <= probability <= 1 for probability in probabilities)
        depth, expected = 0, 0
        for node in _transitions(parse.tree.children[0]):
            expected += min(depth, WINDOW) + 1
            depth += 1 - node
        assert len(parse.arities) == expected + min(depth, WINDOW) + 1  # FINISH


def _transitions(tree):
    """The arities of the transitions that build a tree; 0 is SHIFT."""
    return [t.arity if t.label is not None else 0 for t in static_oracle(tree, "nonbinary")[:-1]]
