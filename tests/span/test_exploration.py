"""The oracle over arrays agrees with the dynamic oracle of the non-binary system."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from tests.parsers import GOLD
from tests.spans import gold_sample
from tests.strategies import trees as any_trees
from whorl.lexicon.tags import Tags
from whorl.oracles import dynamic_oracle
from whorl.span.candidates import BLOCKED, SHIFT_OR_FINISH
from whorl.span.exploration import GoldSpans, SpanExploration
from whorl.span.scores import Scorer
from whorl.span.states import States
from whorl.span.vocabulary import SpanVocabulary
from whorl.training.exploration import ExplorationPolicy
from whorl.transitions import FINISH, SHIFT, NonBinary
from whorl.transitions.nonbinary import reduce


def encoded(trees):
    labels = sorted({label for tree in trees for label, _, _ in tree.spans()} | {"NP", "VP"})
    vocabulary = SpanVocabulary(labels=labels, tags=Tags(["X"]), treebanks=[])
    return vocabulary, [gold_sample(vocabulary, tree) for tree in trees]


@given(
    trees=st.lists(any_trees(max_words=7), min_size=1, max_size=3), seed=st.integers(0, 2**32 - 1)
)
@settings(max_examples=80, deadline=None)
def test_the_oracle_over_arrays_is_the_dynamic_oracle(trees, seed):
    random = np.random.default_rng(seed)
    vocabulary, samples = encoded(trees)
    system = NonBinary(vocabulary.labels)
    oracles = [dynamic_oracle(tree) for tree in trees]
    gold = GoldSpans(samples, max_unary=8)
    lengths = np.array([len(sample.sentence) for sample in samples])
    states = States(lengths, np.arange(len(trees)) * 8, max_unary=8)
    twins = [system.apply(system.initial(tree.leaves()), SHIFT) for tree in trees]
    while len(states):
        candidates = states.candidates()
        optimal = gold.optimal(states, candidates)
        arities, labels = [], []
        for place, sentence in enumerate(states.sentence.tolist()):
            twin = twins[sentence]
            k, label = int(candidates.arity[optimal.row[place]]), int(optimal.output[place])
            plain = FINISH if twin.exhausted else SHIFT
            preferred = reduce(vocabulary.labels[label - 1], k) if k else plain
            assert oracles[sentence].preferred(twin) == [preferred]
            legal = [preferred] if random.random() < 0.6 else system.legal(twin)
            chosen = legal[random.integers(len(legal))]
            twins[sentence] = system.apply(twin, chosen)
            arities.append(chosen.arity)
            labels.append(0 if chosen.label is None else vocabulary.index[chosen.label])
        gold.update(states, np.array(arities), np.array(labels))
        states = states.keep(states.apply(np.array(arities), np.array(labels)))


class Blind(Scorer):
    """A backend and scorer for which only reduces under the last label stand out."""

    def encode(self, inputs):
        return self, np.ones((int(inputs.lengths.sum()), 2), dtype=np.float32)

    def scores(self, candidates):
        scores = np.zeros((len(candidates), 1 + self.labels), dtype=np.float32)
        scores[candidates.kind != SHIFT_OR_FINISH, -1] = 1.0
        scores[candidates.kind == BLOCKED] = 0
        return scores


@pytest.mark.parametrize(
    ("policy", "strays"),
    [
        (ExplorationPolicy(0, 0), False),
        (ExplorationPolicy(1, 0), True),
        (ExplorationPolicy(0, 5), True),
    ],
)
def test_exploration_strays_as_the_policy_says(policy, strays):
    vocabulary, samples = encoded(list(GOLD))
    backend = Blind()
    backend.labels = len(vocabulary.labels)
    exploration = SpanExploration(policy, max_unary=8)
    visited = exploration.samples(backend, samples, np.random.default_rng(1))
    same = [
        np.array_equal(sample.targets, gold.targets) and np.array_equal(sample.lefts, gold.lefts)
        for sample, gold in zip(visited, samples, strict=True)
    ]
    assert all(same) is not strays
