"""What a parser asks of a network that is ready to parse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from whorl.engine.parse import Parse
from whorl.trees import Leaf

__all__ = ["Engine", "Tokens"]

Tokens: TypeAlias = Sequence[str] | Sequence[Leaf]
"""A sentence's words, which the parser tags, or leaves, which bring their tags."""


class Engine(Protocol):
    """A trained network of any kind, ready to parse."""

    def parse_nbest(self, sentences: list[Tokens], *, beam: int, n_best: int) -> list[list[Parse]]:
        """The best trees of each sentence, best first, at least one; no sentence is empty."""
