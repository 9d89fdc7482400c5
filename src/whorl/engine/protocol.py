"""What a parser needs from a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from whorl.constraints import Grammar, Plan
from whorl.engine.parse import Parse
from whorl.trees import Leaf

__all__ = ["Engine", "Tokens"]

Tokens: TypeAlias = Sequence[str] | Sequence[Leaf]
"""A sentence: words, which the parser tags, or leaves, whose tags are kept."""


class Engine(Protocol):
    """A trained network of any kind, ready to parse."""

    def grammar(self) -> Grammar:
        """Return what trees constraints may ask for; `ConstraintError` if it cannot obey any."""

    def parse_nbest(
        self,
        sentences: list[Tokens],
        *,
        beam: int,
        n_best: int,
        plans: Sequence[Plan | None] | None = None,
    ) -> list[list[Parse]]:
        """Return up to `n_best` parses of each sentence, best first, at least one.

        No sentence is empty. `plans` holds the constraints of each, if any sentence has some.
        """
