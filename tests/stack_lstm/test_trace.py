"""The traces of sequences."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from tests.parsers import SYSTEM_NAMES
from whorl.oracles import static_oracle
from whorl.stack_lstm.trace import Composition, trace
from whorl.transitions import make_system
from whorl.trees import COLLINS, read_tree

SENTENCE = (
    "(S (NP (DT The) (JJ public)) (VP (VBZ is) (ADVP (RB still)) (ADJP (JJ cautious))) (. .))"
)


@pytest.mark.parametrize("system", SYSTEM_NAMES)
def test_a_trace_knows_every_composition_and_every_state(system):
    tree = read_tree(SENTENCE)
    machine = make_system(system)
    state = machine.initial(tree.leaves())
    effects, sizes = [], []
    for transition in static_oracle(tree, system, heads=COLLINS):
        effects.append(machine.effect(state, transition))
        sizes.append(state.size)
        state = machine.apply(state, transition)
    result = trace(6, effects)
    built = [element for element in result.created if isinstance(element, Composition)]
    children = [child for phrase in built for child in phrase.children]
    assert len(children) == len(set(children))
    assert [result.depths[top] for top in result.tops] == sizes
    assert len(built) == (7 if system == "binary" else 5)
    if system == "binary":  # the head comes first: `public` is word 1
        assert built[0].children == (1, 0)
