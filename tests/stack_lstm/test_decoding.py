"""Decoding: batches, beams, and sentences that training never saw."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from tests.parsers import SYSTEM_NAMES, make_parser
from whorl.errors import TransitionError
from whorl.oracles import static_oracle
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.decoding import decode
from whorl.transitions import SHIFT
from whorl.trees import COLLINS, Leaf, read_tree


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_a_batch_gives_what_its_sentences_give_alone(system, beam):
    parser = make_parser(system)
    network = BatchedStackLSTM(parser.model)
    sentences = 3 * parser.sentences  # so many that they go in step
    together = decode(network, parser.vocabulary, sentences, beam=beam)
    apart = [decode(network, parser.vocabulary, [sentence], beam=beam)[0] for sentence in sentences]
    assert [done.tree for done in together] == [done.tree for done in apart]
    assert [done.score for done in together] == pytest.approx(
        [done.score for done in apart], abs=1e-4
    )


@pytest.mark.parametrize("copies", [1, 3])
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_what_is_decoded_is_a_tree_over_the_words_with_its_own_log_probability(system, copies):
    parser = make_parser(system)
    sentences = copies * parser.sentences
    for sentence, done in zip(
        sentences, decode(BatchedStackLSTM(parser.model), parser.vocabulary, sentences), strict=True
    ):
        assert done.tree.leaves() == sentence
        assert parser.vocabulary.inventory.system.run(sentence, done.transitions) == done.tree
        assert done.score <= 0


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_a_wider_beam_never_finds_less_than_a_beam_of_all(system):
    parser = make_parser(system)
    sentence = parser.sentences[4]  # one word, so a beam can hold every parse
    network = BatchedStackLSTM(parser.model)
    greedy, wide = (
        decode(network, parser.vocabulary, [sentence], beam=beam)[0] for beam in (1, 500)
    )
    assert wide.score >= greedy.score - 1e-5


@pytest.mark.parametrize("system", SYSTEM_NAMES)
@pytest.mark.parametrize("words", [1, 2, 60])
def test_unseen_words_and_tags_and_lengths_are_parsed(system, words):
    parser = make_parser(system)
    sentence = [Leaf("XYZ", f"unheard-of{number}") for number in range(words)]
    done = decode(BatchedStackLSTM(parser.model), parser.vocabulary, [sentence])[0]
    assert done.tree.words() == [leaf.word for leaf in sentence]


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_a_sentence_of_two_thousand_words_is_parsed(system):
    parser = make_parser(system)
    shift = parser.vocabulary.inventory.index[SHIFT]
    with torch.no_grad():
        parser.model.out.bias[shift] += (
            100  # else the weights, which learnt nothing, build chain upon chain
        )
    sentence = [Leaf("NN", f"word{number}") for number in range(2000)]
    done = decode(BatchedStackLSTM(parser.model), parser.vocabulary, [sentence])[0]
    assert done.tree.words() == [leaf.word for leaf in sentence]
    assert sum(transition == SHIFT for transition in done.transitions) == 2000


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_gold_transitions_that_training_lacks_can_be_sampled(system):
    parser = make_parser(system)
    tree = read_tree("(NEW (X (DT a)) (NN b) (NN c) (NN d) (NN e) (NN f) (NN g) (NN h))")
    sample = parser.vocabulary.sample(tree.leaves(), static_oracle(tree, system, heads=COLLINS))
    assert (sample.targets < 0).any()
    assert (sample.symbols == 0).any()


@pytest.mark.parametrize("copies", [0, 2])
def test_a_sentence_without_words_is_refused_in_any_batch(copies):
    parser = make_parser("nonbinary")
    with pytest.raises(TransitionError, match="at least one word"):
        decode(BatchedStackLSTM(parser.model), parser.vocabulary, [*copies * parser.sentences, []])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_greedy_decoding_takes_the_best_transition_of_every_state(system, seed):
    parser = make_parser(system, seed=seed)
    network = BatchedStackLSTM(parser.model)
    greedy = decode(network, parser.vocabulary, 2 * parser.sentences)
    chosen = decode(
        network,
        parser.vocabulary,
        2 * parser.sentences,
        choose=lambda sentence, state, scores: int(scores.argmax()),
    )
    assert greedy == chosen
