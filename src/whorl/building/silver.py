"""Silver trees for a build: raw text that parsers have labelled, and how sure they must be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from whorl.building.request import BuildRequest
from whorl.errors import TreebankError
from whorl.training.silver import read_scores
from whorl.trees import treebank_files

__all__ = ["SilverTrees", "read_silver"]

_KEPT = 2 / 3
"""The share of the silver trees that is learnt from: the most confident ones."""


class SilverTrees(NamedTuple):
    """The silver trees in the convention of one treebank."""

    name: str
    """Of the treebank; the only one may go without."""
    path: str
    least: float
    """The confidence that a tree must have."""
    trees: int
    """How many have it."""
    all_trees: int

    def with_least(self, least: float) -> SilverTrees:
        """Return what another threshold leaves of the same trees."""
        if least == self.least:
            return self
        scores = _read_confidences(self.path)
        return self._replace(least=least, trees=_count(scores, least))


def read_silver(request: BuildRequest) -> list[SilverTrees]:
    """Read the confidences of the silver trees, and choose the lowest that is good enough."""
    return [_choose(name, path) for name, path in request.silver]


def _choose(name: str, path: str) -> SilverTrees:
    scores = _read_confidences(path)
    least = sorted(scores)[int((1 - _KEPT) * len(scores))]
    least = int(least * 1000) / 1000  # rounded down: these trees are kept
    return SilverTrees(name, path, least, _count(scores, least), len(scores))


def _count(scores: Sequence[float], least: float) -> int:
    return sum(score >= least for score in scores)


def _read_confidences(path: str) -> list[float]:
    scores: list[float] = []
    for file in treebank_files(path):
        if not file.with_suffix(".scores").exists():
            raise TreebankError(
                f"{file}: silver trees need their confidences in {file.stem}.scores beside them, "
                "as whorl label writes them; give trees without confidences to --train"
            )
        scores += read_scores(file.with_suffix(".scores"))
    if not scores:
        raise TreebankError(f"{path}: no silver trees: all of its files are empty")
    return scores
