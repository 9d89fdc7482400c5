"""Transition systems behind one protocol, one module each, and their system-neutral effects."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.errors import TransitionError
from whorl.transitions.base import (
    FINISH,
    MAX_UNARY,
    SHIFT,
    OpenPhrase,
    Stack,
    State,
    System,
    Transition,
)
from whorl.transitions.binary import Binary
from whorl.transitions.effects import Effect, Kind, Marker
from whorl.transitions.inorder import InOrder
from whorl.transitions.inventory import Inventory
from whorl.transitions.nonbinary import NonBinary
from whorl.transitions.topdown import MAX_OPEN, TopDown

__all__ = [
    "FINISH",
    "MAX_OPEN",
    "MAX_UNARY",
    "SHIFT",
    "SYSTEMS",
    "Binary",
    "Effect",
    "InOrder",
    "Inventory",
    "Kind",
    "Marker",
    "NonBinary",
    "OpenPhrase",
    "Stack",
    "State",
    "System",
    "TopDown",
    "Transition",
    "make_system",
]

SYSTEMS: dict[str, type[System]] = {
    system.name: system for system in (NonBinary, Binary, TopDown, InOrder)
}
"""Every transition system by name. Recipes, model folders and the command line read their names
here."""


def make_system(name: str, labels: Iterable[str] = ()) -> System:
    """Return the transition system of that name over those phrase labels."""
    if name not in SYSTEMS:
        raise TransitionError(
            f"unknown transition system {name!r}: expected one of {', '.join(SYSTEMS)}"
        )
    return SYSTEMS[name](labels)
