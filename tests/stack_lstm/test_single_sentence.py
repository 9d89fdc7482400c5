"""One sentence by itself, in NumPy, is decoded as in a batch, in PyTorch."""

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
    made = make_parser(system, layers=layers, input_dim=input_dim, hidden_dim=hidden_dim)
    alone, decoder = NumpyStackLSTM(made.model), BatchedStackLSTM(made.model)
    index, symbols = made.encoder.inventory.index, made.encoder.symbols
    for sentence, sequence in zip(made.sentences, made.sequences, strict=True):
        effects = EffectTable(symbols)
        batched = decoder.begin([made.encoder.sentence(sentence)], effects, shared=False)
        single = alone.begin(made.encoder.sentence(sentence))
        steps = follow(made.encoder.inventory, sentence, sequence)
        for left, (_, effect), transition in zip(
            range(len(sequence) - 1, -1, -1), steps, sequence, strict=True
        ):
            assert single.scores() == pytest.approx(batched.scores()[0].numpy(), abs=1e-5)
            if left:
                number = index[transition]
                batched.advance(
                    np.array([0]), np.array([number]), np.array([effects.number(effect)])
                )
                single.advance(
                    number, effect, 0 if effect.label is None else symbols.number(effect)
                )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_alone_finds_what_states_in_step_find(system, seed):
    made = make_parser(system, seed=seed)
    transitions = made.encoder.inventory.transitions
    alone = NumpyStackLSTM(made.model)
    found = [decode_one(alone, made.encoder, sentence) for sentence in made.sentences]
    in_step = decode(
        BatchedStackLSTM(made.model),
        made.encoder,
        made.sentences,
        choose=lambda number, state, scores: int(scores.argmax()),
    )
    assert [one.tree for one in found] == [one.tree for one in in_step]
    assert [[transitions[n] for n in one.transitions] for one in found] == [
        one.transitions for one in in_step
    ]
    assert [one.score for one in found] == pytest.approx([one.score for one in in_step], rel=1e-6)


def test_decoding_changes_nothing_in_the_network():
    made = make_parser("nonbinary")
    alone = NumpyStackLSTM(made.model)
    first, again = (
        [decode_one(alone, made.encoder, sentence) for sentence in made.sentences] for _ in range(2)
    )
    assert first == again


def test_a_sentence_of_no_words_is_refused_alone_too():
    made = make_parser("nonbinary")
    with pytest.raises(TransitionError, match="at least one word"):
        decode(BatchedStackLSTM(made.model), made.encoder, [[]])
