"""The paper's tables of a transition sequence (Figures 4 and 6).

Columns: transition, stack, buffer, added subtree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from whorl.transitions.base import Item, OpenPhrase, State, System, Transition
from whorl.trees import Leaf, Tree

__all__ = ["Row", "table"]


class Row(NamedTuple):
    """One line of a table: a transition and the state after it."""

    transition: str
    stack: str
    buffer: str
    added: str


def table(system: System, leaves: Sequence[Leaf], transitions: Iterable[Transition]) -> list[Row]:
    """Tabulate the states that a sequence passes through, as the paper prints them."""
    state = system.initial(leaves)
    rows = [Row("", _stack(state), _buffer(state), "")]
    for transition in transitions:
        before, state = state, system.apply(state, transition)
        rows.append(Row(str(transition), _stack(state), _buffer(state), _added(before, state)))
    return rows


def _stack(state: State) -> str:
    return _listed([] if state.finished else [_name(item) for item in reversed(state.items())])


def _buffer(state: State) -> str:
    words = [leaf.word for leaf in state.leaves[state.buffer :]]
    return f"[ {words[0]}, ... , {words[-1]} ]" if len(words) > 2 else _listed(words)


def _added(before: State, after: State) -> str:
    if after.stack is None or after.finished or after.buffer > before.buffer:
        return ""
    top = after.stack.item
    return f"{top.label} → {' '.join(map(_name, top.children))}" if isinstance(top, Tree) else ""


def _listed(names: Sequence[str]) -> str:
    return f"[ {', '.join(names)} ]" if names else "[ ]"


def _name(item: Item) -> str:
    if isinstance(item, OpenPhrase):
        return f"({item.label}"
    return item.word if isinstance(item, Leaf) else item.label
