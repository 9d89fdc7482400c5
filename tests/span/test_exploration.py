"""The oracle over arrays says what the dynamic oracle of the non-binary system says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from tests.strategies import trees as any_trees
from whorl.lexicon.tags import Tags
from whorl.oracles import dynamic_oracle, static_oracle
from whorl.span.candidates import BLOCKED, PLAIN
from whorl.span.exploration import GoldSpans, SpanExploration
from whorl.span.scores import ArrayScorer
from whorl.span.states import States
from whorl.span.vocabulary import SpanVocabulary
from whorl.training.exploration import ExplorationPolicy
from whorl.transitions import FINISH, SHIFT, NonBinary
from whorl.transitions.nonbinary import reduce


def encoded(trees):
    labels = sorted({label for tree in trees for label, _, _ in tree.spans()} | {"NP", "VP"})
    encoder = SpanVocabulary(labels=labels, tags=Tags(["X"]), treebanks=[])
    samples = [
        encoder.sample(
            encoder.sentence(tree.words()), tree.tags(), encoder.steps(static_oracle(tree))
        )
        for tree in trees
    ]
    return encoder, samples


@given(
    trees=st.lists(any_trees(max_words=7), min_size=1, max_size=3), seed=st.integers(0, 2**32 - 1)
)
@settings(max_examples=80, deadline=None)
def test_the_oracle_over_arrays_is_the_dynamic_oracle(trees, seed):
    random = np.random.default_rng(seed)
    encoder, samples = encoded(trees)
    system = NonBinary(encoder.labels)
    oracles = [dynamic_oracle(tree) for tree in trees]
    gold = GoldSpans(samples, max_unary=8)
    lengths = np.array([len(sample.sentence) for sample in samples])
    states = States(lengths, np.arange(len(trees)) * 8, max_unary=8)
    twins = [system.apply(system.initial(tree.leaves()), SHIFT) for tree in trees]
    while len(states):
        candidates = states.candidates()
        right = gold.optimal(states, candidates)
        taken, labels = [], []
        for place, sentence in enumerate(states.sentence.tolist()):
            twin = twins[sentence]
            k, label = int(candidates.taken[right.row[place]]), int(right.output[place])
            plain = FINISH if twin.exhausted else SHIFT
            found = reduce(encoder.labels[label - 1], k) if k else plain
            assert oracles[sentence].preferred(twin) == [found]
            legal = [found] if random.random() < 0.6 else system.legal(twin)
            chosen = legal[random.integers(len(legal))]
            twins[sentence] = system.apply(twin, chosen)
            taken.append(chosen.arity)
            labels.append(0 if chosen.label is None else encoder.index[chosen.label])
        gold.follow(states, np.array(taken), np.array(labels))
        states = states.keep(states.apply(np.array(taken), np.array(labels)))


class Blind(ArrayScorer):
    """All transitions score the same, but that of taking everything under the last label."""

    def read(self, inputs):
        return self, np.ones((int(inputs.lengths.sum()), 2), dtype=np.float32)

    def scores(self, candidates):
        found = np.zeros((len(candidates), 1 + self.labels), dtype=np.float32)
        found[candidates.allowed != PLAIN, -1] = 1.0
        found[candidates.allowed == BLOCKED] = 0
        return found


@pytest.mark.parametrize(
    ("policy", "strays"),
    [
        (ExplorationPolicy(0, 0), False),
        (ExplorationPolicy(1, 0), True),
        (ExplorationPolicy(0, 5), True),
    ],
)
def test_exploration_follows_what_is_wrong_as_the_policy_says(policy, strays):
    from tests.parsers import GOLD

    encoder, samples = encoded(list(GOLD))
    reader = Blind()
    reader.labels = len(encoder.labels)
    exploration = SpanExploration(policy, max_unary=8)
    visited = exploration.samples(reader, samples, np.random.default_rng(1))
    same = [
        np.array_equal(one.targets, gold.targets) and np.array_equal(one.lefts, gold.lefts)
        for one, gold in zip(visited, samples, strict=True)
    ]
    assert all(same) is not strays
