"""The probabilities of a tree's phrases: which phrases are uncertain, and how that is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whorl.errors import TreeError
from whorl.trees.tree import Tree

__all__ = ["UNCERTAIN", "Probabilities", "find_uncertain", "write_percent", "zip_phrases"]

UNCERTAIN = 0.8
"""Drawings mark a phrase whose probability of being right is below this.

With the model `en`, that is about every fifth phrase, and two in three of the wrong ones.
"""

Probabilities = Sequence[float | None]
"""One for each of `tree.phrases()`; None where it is unknown."""


def zip_phrases(tree: Tree, probabilities: Probabilities) -> Iterator[tuple[Tree, float | None]]:
    """Return each phrase of a tree with its probability, parents first."""
    phrases = list(tree.phrases())
    if len(phrases) != len(probabilities):
        raise TreeError(
            f"expected a probability for each of {len(phrases)} phrases, "
            f"not {len(probabilities)} probabilities"
        )
    return zip(phrases, probabilities, strict=True)


def find_uncertain(
    tree: Tree, probabilities: Probabilities | None, below: float = UNCERTAIN
) -> list[tuple[Tree, float]]:
    """Return the phrases whose probability is known and below a threshold, parents first."""
    if probabilities is None:
        return []
    return [
        (node, probability)
        for node, probability in zip_phrases(tree, probabilities)
        if probability is not None and probability < below
    ]


def write_percent(probability: float) -> str:
    """Write a probability as whole percent, rounded down: 0.799 is below 80% and must not read so.

    A rounding error of single precision makes no difference.
    """
    return f"{int(100 * probability + 1e-3)}%"
