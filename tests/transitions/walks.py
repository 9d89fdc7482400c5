"""Random walks through the states of a transition system."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from whorl.transitions import State, System, Transition

__all__ = ["random_step", "random_walk"]


def random_step(system: System, state: State, random: Random) -> Transition:
    """Draw a legal transition: first its name, then its label, so that labels do not dominate."""
    legal = system.legal(state)
    name = random.choice(sorted({transition.name for transition in legal}))
    return random.choice([transition for transition in legal if transition.name == name])


def random_walk(system: System, state: State, random: Random) -> Iterator[State]:
    """Yield the states from this one to a final one."""
    yield state
    while not system.is_final(state):
        state = system.apply(state, random_step(system, state, random))
        yield state
