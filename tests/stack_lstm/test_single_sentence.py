"""One sentence is decoded in NumPy as a batch is in PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.parsers import SYSTEM_NAMES, make_parser
from whorl.errors import TransitionError
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.decoding import decode
from whorl.stack_lstm.numpy_network import NumpyStackLSTM
from whorl.stack_lstm.single_sentence import decode_one
from whorl.stack_lstm.stacks import EffectTable
from whorl.stack_lstm.vocabulary import follow


@pytest.mark.parametrize("sizes", [(1, 16, 16), (2, 16, 16), (3, 16, 16), (2, 8, 20), (2, 20, 8)])
@pytest.mark.parametrize("system", SYSTEM_NAMES)
@torch.inference_mode()
def test_scores_are_those_of_a_batch_at_every_step(system, sizes):
    layers, input_dim, hidden_dim = sizes
    parser = make_parser(system, layers=layers, input_dim=input_dim, hidden_dim=hidden_dim)
    network, batched_network = NumpyStackLSTM(parser.model), BatchedStackLSTM(parser.model)
    index, symbols = parser.vocabulary.inventory.index, parser.vocabulary.symbols
    for sentence, sequence in zip(parser.sentences, parser.sequences, strict=True):
        effects = EffectTable(symbols)
        batched = batched_network.begin(
            [parser.vocabulary.sentence(sentence)], effects, shared=False
        )
        run = network.begin(parser.vocabulary.sentence(sentence))
        steps = follow(parser.vocabulary.inventory, sentence, sequence)
        for left, (_, effect), transition in zip(
            range(len(sequence) - 1, -1, -1), steps, sequence, strict=True
        ):
            assert run.scores() == pytest.approx(batched.scores()[0].numpy(), abs=1e-5)
            if left:
                number = index[transition]
                batched.advance(
                    np.array([0]), np.array([number]), np.array([effects.number(effect)])
                )
                run.advance(number, effect, 0 if effect.label is None else symbols.number(effect))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_one_sentence_is_decoded_as_in_a_batch(system, seed):
    parser = make_parser(system, seed=seed)
    network = NumpyStackLSTM(parser.model)
    single = [decode_one(network, parser.vocabulary, sentence) for sentence in parser.sentences]
    in_step = decode(
        BatchedStackLSTM(parser.model),
        parser.vocabulary,
        parser.sentences,
        choose=lambda number, state, scores: int(scores.argmax()),
    )
    assert [one.tree for one in single] == [one.tree for one in in_step]
    assert [one.transitions for one in single] == [one.transitions for one in in_step]
    assert [one.score for one in single] == pytest.approx([one.score for one in in_step], rel=1e-6)


def test_decoding_changes_nothing_in_the_network():
    parser = make_parser("nonbinary")
    network = NumpyStackLSTM(parser.model)
    first, again = (
        [decode_one(network, parser.vocabulary, sentence) for sentence in parser.sentences]
        for _ in range(2)
    )
    assert first == again


def test_a_sentence_without_words_is_refused():
    parser = make_parser("nonbinary")
    with pytest.raises(TransitionError, match="at least one word"):
        decode(BatchedStackLSTM(parser.model), parser.vocabulary, [[]])
