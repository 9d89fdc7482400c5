"""Greedy decoding over arrays is decoding state by state."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from tests.parsers import make_parser
from whorl.errors import TransitionError
from whorl.span.states import States
from whorl.stack_lstm.batch_network import BatchedStackLSTM
from whorl.stack_lstm.decoding import decode
from whorl.stack_lstm.greedy import Legality, decode_greedy
from whorl.transitions import SHIFT, Inventory, NonBinary
from whorl.transitions.nonbinary import reduce
from whorl.trees import Leaf

reduces = st.builds(reduce, st.sampled_from("AB"), st.integers(1, 7))


@given(
    reduces=st.lists(reduces, min_size=1, max_size=6),
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    bound=st.integers(1, 3),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=60, deadline=None)
def test_the_table_holds_what_the_system_allows(reduces, lengths, bound, seed):
    random = np.random.default_rng(seed)
    system = NonBinary(["A", "B"], max_unary=bound)
    inventory = Inventory.of(system, [reduces])
    legality = Legality(inventory)
    states = States(np.array(lengths), np.zeros(len(lengths), dtype=np.int64), max_unary=bound)
    twins = [system.apply(system.initial([Leaf("X", "x")] * length), SHIFT) for length in lengths]
    while len(states):
        chosen = []
        for sentence, row in zip(
            states.sentence.tolist(), legality.rows(states).tolist(), strict=True
        ):
            twin, legal = twins[sentence], legality.table[row]
            assert legal.tolist() == [
                system.is_legal(twin, transition) for transition in inventory.transitions
            ]
            chosen.append(random.choice(np.flatnonzero(legal)))
            twins[sentence] = system.apply(twin, inventory.transitions[chosen[-1]])
        states = states.keep(states.apply(legality.taken[chosen], np.array(chosen) + 1))
    assert all(system.is_final(twin) for twin in twins)


@pytest.mark.parametrize("seed", range(5))
def test_arrays_find_what_states_find(seed):
    made = make_parser("nonbinary", seed=seed)
    decoder, inventory = BatchedStackLSTM(made.model), made.encoder.inventory
    with torch.inference_mode():
        found = decode_greedy(decoder, made.encoder, made.sentences, inventory.system)
    by_state = decode(
        decoder,
        made.encoder,
        made.sentences,
        choose=lambda number, state, scores: int(scores.argmax()),
    )
    assert [one.tree for one in found] == [one.tree for one in by_state]
    assert [[inventory.transitions[n] for n in one.transitions] for one in found] == [
        one.transitions for one in by_state
    ]
    assert [one.score for one in found] == pytest.approx([one.score for one in by_state], abs=1e-5)
    assert all(leaf.left == n for one in found for n, leaf in enumerate(one.tree.leaves()))


def test_a_sentence_of_no_words_is_refused_in_a_batch_too():
    made = make_parser("nonbinary")
    with pytest.raises(TransitionError, match="at least one word"):
        decode(BatchedStackLSTM(made.model), made.encoder, [*made.sentences, *made.sentences, []])
