"""Decoding with the span network: legal transitions only, whatever the scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from tests.parsers import GOLD
from tests.spans import make_learner
from tests.strategies import words as any_words
from whorl.errors import ModelError
from whorl.span.candidates import BLOCKED, SHIFT_OR_FINISH
from whorl.span.decoding.beam import decode_beam
from whorl.span.decoding.greedy import decode_greedy
from whorl.span.parsing import parse_best
from whorl.span.samples import collate_inputs
from whorl.span.scores import Scorer
from whorl.span.states import States
from whorl.span.torch_backend import TorchBackend
from whorl.transitions import FINISH, SHIFT, NonBinary
from whorl.transitions.nonbinary import reduce
from whorl.trees import Leaf


@pytest.fixture(scope="module")
def learner(tmp_path_factory):
    return make_learner(tmp_path_factory.mktemp("span"))[0]


def parse(learner, sentences, **options):
    return parse_with(TorchBackend(learner.model), learner, sentences, **options)


def parse_with(backend, learner, sentences, **options):
    treebanks = [0] * len(sentences)
    return parse_best(
        backend, learner.vocabulary, sentences, treebanks=treebanks, max_unary=8, **options
    )


@pytest.mark.parametrize("name", ["numpy", "torch"])
def test_arities_are_those_of_the_distribution_at_each_step(learner, name):
    backend = TorchBackend(learner.model)
    if name == "torch":
        backend.weights = None
    sentences = [list(tree.words()) for tree in GOLD]
    options = {"arities": True}
    batched = parse_with(backend, learner, sentences, **options)
    alone = [parse_with(backend, learner, [sentence], **options)[0] for sentence in sentences]
    wide = parse_with(backend, learner, sentences, beam=3, **options)
    for tree, derivation in [*batched, *alone, *wide]:
        start = depth = 0
        for (arity, _), score in zip(derivation.steps, derivation.scores, strict=True):
            masses = derivation.arities[start : start + depth + 1]
            start += depth + 1
            shares = masses / masses.sum()
            assert np.exp(score) <= shares[arity] + 1e-5
            assert shares.max() <= 1
            depth += 1 - arity if arity else 1
        assert start == len(derivation.arities)
        assert tree.right == len(tree.words())
    for (_, one), (_, other) in zip(batched, alone, strict=True):
        assert one.steps == other.steps
        assert normalised(one) == pytest.approx(normalised(other), abs=1e-4)
    assert parse_with(backend, learner, sentences)[0][1].arities is None


def normalised(derivation):
    """The arities of a derivation as probabilities."""
    values, start, depth = [], 0, 0
    for arity, _ in derivation.steps:
        masses = derivation.arities[start : start + depth + 1]
        values += (masses / masses.sum()).tolist()
        start += depth + 1
        depth += 1 - arity if arity else 1
    return values


class RandomScorer(Scorer):
    """Random scores, far enough apart for probabilities near 0 and 1."""

    def __init__(self, labels, random):
        self.labels = labels
        self.random = random

    def scores(self, candidates):
        scores = self.random.standard_normal((len(candidates), 1 + self.labels)) * 10
        return scores.astype(np.float32)


@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    seed=st.integers(0, 2**32 - 1),
    bound=st.integers(1, 8),
)
@settings(max_examples=60, deadline=None)
def test_arrays_of_states_behave_as_the_non_binary_system(lengths, seed, bound):
    random = np.random.default_rng(seed)
    labels = ["A", "B"]
    system = NonBinary(labels, max_unary=bound)
    states = States(np.array(lengths), np.arange(len(lengths)) * 13, max_unary=bound)
    twins = [system.apply(system.initial([Leaf("X", "x")] * length), SHIFT) for length in lengths]
    while len(states):
        candidates = states.candidates()
        arities, label = [], []
        for place, sentence in enumerate(states.sentence.tolist()):
            twin = twins[sentence]
            own = np.flatnonzero(candidates.state == place)
            legal = []
            for row in own[candidates.kind[own] != BLOCKED].tolist():
                k = int(candidates.arity[row])
                if candidates.kind[row] == SHIFT_OR_FINISH:
                    legal.append(FINISH if twin.exhausted else SHIFT)
                else:
                    legal += [reduce(label, k) for label in labels]
                    assert candidates.left[row] - states.first[place] == twin.items()[k - 1].left
            assert sorted(map(str, legal)) == sorted(map(str, system.legal(twin)))
            chosen = legal[random.integers(len(legal))]
            twins[sentence] = system.apply(twin, chosen)
            arities.append(chosen.arity)
            label.append(0 if chosen.label is None else labels.index(chosen.label) + 1)
        states = states.keep(states.apply(np.array(arities), np.array(label)))
    assert all(system.is_final(twin) for twin in twins)


@given(
    sentences=st.lists(st.lists(any_words, min_size=1, max_size=15), min_size=1, max_size=4),
    seed=st.integers(0, 99),
)
@settings(max_examples=40, deadline=None)
def test_whatever_the_weights_every_sentence_gets_a_tree_over_its_words(learner, sentences, seed):
    random = np.random.default_rng(seed)
    backend = TorchBackend(learner.model)

    class RandomBackend:
        def encode(self, inputs):
            scorer = RandomScorer(len(learner.vocabulary.labels), random)
            return scorer, backend.encode(inputs)[1]

    for window in (2, 128):
        parses = parse_with(RandomBackend(), learner, sentences, window=window)
        for words, (tree, _) in zip(sentences, parses, strict=True):
            assert tree.words() == [Leaf("X", word).word for word in words]
            assert all(tag in learner.vocabulary.tags.tags[1:] for tag in tree.tags())


@pytest.mark.parametrize("beam", [1, 4])
def test_sentences_are_parsed_the_same_in_a_batch_and_one_by_one(learner, beam):
    sentences = [tree.words() for tree in GOLD]
    together = parse(learner, sentences, beam=beam)
    apart = [parse(learner, [words], beam=beam)[0] for words in sentences]
    assert [tree for tree, _ in together] == [tree for tree, _ in apart]
    assert [derivation.score for _, derivation in together] == pytest.approx(
        [derivation.score for _, derivation in apart], abs=1e-4
    )
    assert all(derivation.score < 0 for _, derivation in together)


def test_tags_that_come_with_the_words_are_kept(learner):
    ((tree, _),) = parse(learner, [["It", "works"]], tags=[["A", "B"]])
    assert tree.tags() == ["A", "B"]


class StubBackend:
    """Gives every sentence the same scorer."""

    def __init__(self, scorer):
        self.scorer = scorer

    def encode(self, inputs):
        return self.scorer, np.ones((int(inputs.lengths.sum()), 3), dtype=np.float32)


def test_a_phrase_of_an_arity_never_seen_in_training_can_be_built(learner):
    """Label and arity are scored independently, so X#k can be built for any k."""
    label = learner.vocabulary.index["FRAG"]

    class WidestReduce(Scorer):
        """Shifts while there is a word left, then reduces the whole stack."""

        def scores(self, candidates):
            labels = len(learner.vocabulary.labels)
            scores = np.zeros((len(candidates), 1 + labels), dtype=np.float32)
            scores[:, 0] = 1000
            scores[:, label] = candidates.arity
            return scores

    ((tree, _),) = parse_with(StubBackend(WidestReduce()), learner, [["x"] * 40])
    assert (tree.label, len(tree.children)) == ("FRAG", 40)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("beam", [1, 2])
def test_scores_that_are_not_finite_are_an_error(learner, value, beam):
    class Broken(Scorer):
        def scores(self, candidates):
            labels = len(learner.vocabulary.labels)
            return np.full((len(candidates), 1 + labels), value, dtype=np.float32)

    with pytest.raises(ModelError, match="not finite"):
        parse_with(StubBackend(Broken()), learner, [["x"] * 5], beam=beam)


@pytest.mark.parametrize("sentences", [1, 9])  # one at a time, and in lockstep
def test_weights_that_are_not_finite_are_an_error(tmp_path, sentences):
    learner, _ = make_learner(tmp_path)
    learner.model.out.weight.data[1, 0] = np.nan
    with pytest.raises(ModelError, match="not finite"):
        parse(learner, [["It", "works"]] * sentences)


def test_a_very_long_sentence_is_parsed_in_bounded_steps(learner):
    ((tree, _),) = parse(learner, [["word"] * 500])
    assert len(tree.words()) == 500


def encode_batch(learner, sentences):
    inputs = collate_inputs([learner.vocabulary.encode(words) for words in sentences])
    return TorchBackend(learner.model).encode(inputs)[0], inputs


def test_a_beam_of_one_is_greedy_and_a_beam_of_everything_finds_the_best(learner):
    scorer, inputs = encode_batch(learner, [["Rain"], ["It", "works"], ["Look", "!"]])
    greedy = decode_greedy(scorer, inputs, max_unary=2)
    narrow = decode_beam(scorer, inputs, max_unary=2, beam=1)
    wide = decode_beam(scorer, inputs, max_unary=2, beam=100_000, n_best=5)
    for best, (same,), nbest in zip(greedy, narrow, wide, strict=True):
        assert best.steps == same.steps
        assert best.scores == pytest.approx(same.scores, abs=1e-5)
        assert nbest[0].score >= best.score - 1e-5
        scores = [derivation.score for derivation in nbest]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(derivation.steps) for derivation in nbest}) == 5


def test_the_probabilities_of_all_derivations_add_up_to_one(learner):
    scorer, inputs = encode_batch(learner, [["Rain"]])
    (nbest,) = decode_beam(scorer, inputs, max_unary=2, beam=100_000, n_best=100_000)
    labels = len(learner.vocabulary.labels)
    assert len(nbest) == labels + labels**2
    assert sum(np.exp(derivation.score) for derivation in nbest) == pytest.approx(1, abs=1e-4)


def test_quotation_marks_are_tagged_as_such_only_by_models_that_know_these_tags(learner):
    ((tree, _),) = parse(learner, [["``", "x", "''"]])
    assert set(tree.tags()) <= set(learner.vocabulary.tags.tags)
