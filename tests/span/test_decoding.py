"""Decoding with the span network: the arrays are the non-binary system, and whatever the weights, trees come out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from tests.parsers import GOLD
from tests.spans import make_learner
from tests.strategies import words as any_words
from whorl.span.beam import decode_beam
from whorl.span.candidates import BLOCKED, PLAIN
from whorl.span.decoding import parse_spans
from whorl.span.greedy import decode_greedy
from whorl.span.samples import collate_inputs
from whorl.span.scores import ArrayScorer
from whorl.span.states import States
from whorl.span.torch_backend import NetworkReader
from whorl.transitions import FINISH, SHIFT, NonBinary
from whorl.transitions.nonbinary import reduce
from whorl.trees import Leaf


@pytest.fixture(scope="module")
def learner(tmp_path_factory):
    return make_learner(tmp_path_factory.mktemp("span"))[0]


def parse(learner, sentences, **options):
    reader = NetworkReader(learner.model)
    treebanks = [0] * len(sentences)
    return parse_spans(
        reader, learner.encoder, sentences, treebanks=treebanks, max_unary=8, **options
    )


class RandomScorer(ArrayScorer):
    """Any scores at all, and one candidate's far above the others in some states."""

    def __init__(self, labels, random):
        self.labels = labels
        self.random = random

    def scores(self, candidates):
        found = self.random.standard_normal((len(candidates), 1 + self.labels)) * 10
        return found.astype(np.float32)


@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    seed=st.integers(0, 2**32 - 1),
    bound=st.integers(1, 8),
)
@settings(max_examples=60, deadline=None)
def test_the_arrays_are_the_non_binary_system(lengths, seed, bound):
    random = np.random.default_rng(seed)
    labels = ["A", "B"]
    system = NonBinary(labels, max_unary=bound)
    states = States(np.array(lengths), np.arange(len(lengths)) * 13, max_unary=bound)
    twins = [system.apply(system.initial([Leaf("X", "x")] * length), SHIFT) for length in lengths]
    while len(states):
        candidates = states.candidates()
        taken, label = [], []
        for place, sentence in enumerate(states.sentence.tolist()):
            twin = twins[sentence]
            own = np.flatnonzero(candidates.state == place)
            legal = []
            for row in own[candidates.allowed[own] != BLOCKED].tolist():
                k = int(candidates.taken[row])
                if candidates.allowed[row] == PLAIN:
                    legal.append(FINISH if twin.exhausted else SHIFT)
                else:
                    legal += [reduce(label, k) for label in labels]
                    assert candidates.left[row] - states.first[place] == twin.items()[k - 1].left
            assert sorted(map(str, legal)) == sorted(map(str, system.legal(twin)))
            chosen = legal[random.integers(len(legal))]
            twins[sentence] = system.apply(twin, chosen)
            taken.append(chosen.arity)
            label.append(0 if chosen.label is None else labels.index(chosen.label) + 1)
        states = states.keep(states.apply(np.array(taken), np.array(label)))
    assert all(system.is_final(twin) for twin in twins)


@given(
    sentences=st.lists(st.lists(any_words, min_size=1, max_size=15), min_size=1, max_size=4),
    seed=st.integers(0, 99),
)
@settings(max_examples=40, deadline=None)
def test_whatever_the_weights_every_sentence_gets_a_tree_over_its_words(learner, sentences, seed):
    random = np.random.default_rng(seed)
    reader = NetworkReader(learner.model)

    class Reader:
        def read(self, inputs):
            return RandomScorer(len(learner.encoder.labels), random), reader.read(inputs)[1]

    for window in (2, 128):
        found = parse_spans(
            Reader(),
            learner.encoder,
            sentences,
            treebanks=[0] * len(sentences),
            max_unary=8,
            window=window,
        )
        for words, (tree, _) in zip(sentences, found, strict=True):
            assert tree.words() == [Leaf("X", word).word for word in words]
            assert all(tag in learner.encoder.tags.tags[1:] for tag in tree.tags())


@pytest.mark.parametrize("beam", [1, 4])
def test_a_batch_gives_what_its_sentences_give_alone(learner, beam):
    sentences = [tree.words() for tree in GOLD]
    together = parse(learner, sentences, beam=beam)
    apart = [parse(learner, [words], beam=beam)[0] for words in sentences]
    assert [tree for tree, _ in together] == [tree for tree, _ in apart]
    assert [one.score for _, one in together] == pytest.approx(
        [one.score for _, one in apart], abs=1e-4
    )
    assert all(one.score < 0 for _, one in together)


def test_tags_that_come_with_the_words_are_kept(learner):
    ((tree, _),) = parse(learner, [["It", "works"]], tags=[["A", "B"]])
    assert tree.tags() == ["A", "B"]


def test_a_phrase_of_a_width_that_training_never_had_can_be_built(learner):
    """Label and number of children are scored apart: with the scores of one label raised, X#k is built for any k."""
    label = learner.encoder.index["FRAG"]

    class Wide(ArrayScorer):
        """Shift while there is something to shift, then take all."""

        def scores(self, candidates):
            found = np.zeros((len(candidates), 1 + len(learner.encoder.labels)), dtype=np.float32)
            found[:, 0] = 1000
            found[:, label] = candidates.taken
            return found

    class Reader:
        def read(self, inputs):
            return Wide(), np.ones((int(inputs.lengths.sum()), 3), dtype=np.float32)

    ((tree, _),) = parse_spans(Reader(), learner.encoder, [["x"] * 40], treebanks=[0], max_unary=8)
    assert (tree.label, len(tree.children)) == ("FRAG", 40)


def test_a_very_long_sentence_is_parsed_in_bounded_steps(learner):
    ((tree, _),) = parse(learner, [["word"] * 500])
    assert len(tree.words()) == 500


def inputs_of(learner, sentences):
    return collate_inputs([learner.encoder.sentence(words) for words in sentences])


def test_a_beam_of_one_is_greedy_and_a_beam_of_all_finds_the_best(learner):
    sentences = [["Rain"], ["It", "works"], ["Look", "!"]]
    inputs = inputs_of(learner, sentences)
    scorer, _ = NetworkReader(learner.model).read(inputs)
    greedy = decode_greedy(scorer, inputs, max_unary=2)
    narrow = decode_beam(scorer, inputs, max_unary=2, beam=1)
    wide = decode_beam(scorer, inputs, max_unary=2, beam=100_000, n_best=5)
    for one, (other,), found in zip(greedy, narrow, wide, strict=True):
        assert one.steps == other.steps
        assert one.scores == pytest.approx(other.scores, abs=1e-5)
        assert found[0].score >= one.score - 1e-5
        scores = [way.score for way in found]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(way.steps) for way in found}) == 5


def test_the_probabilities_of_all_ways_of_parsing_add_up_to_one(learner):
    inputs = inputs_of(learner, [["Rain"]])
    scorer, _ = NetworkReader(learner.model).read(inputs)
    (found,) = decode_beam(scorer, inputs, max_unary=2, beam=100_000, n_best=100_000)
    assert len(found) == len(learner.encoder.labels) + len(learner.encoder.labels) ** 2
    assert sum(np.exp(way.score) for way in found) == pytest.approx(1, abs=1e-4)


def test_quotation_marks_are_tagged_as_such_by_models_that_know_these_tags_alone(learner):
    words = ["``", "x", "''"]
    ((tree, _),) = parse_spans(
        NetworkReader(learner.model), learner.encoder, [words], treebanks=[0], max_unary=8
    )
    assert set(tree.tags()) <= set(learner.encoder.tags.tags)
