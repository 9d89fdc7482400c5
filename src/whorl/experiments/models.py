"""The trained parsers of an experiment, for what must be measured and not only counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from whorl.errors import ExperimentError
from whorl.experiments.plans import Setting
from whorl.experiments.request import Found
from whorl.parser import Parser, Tokens
from whorl.training.recipe import Recipe
from whorl.trees import Tree, iter_trees, read_treebank

__all__ = ["Trained", "trained"]


@dataclass(frozen=True, slots=True)
class Trained:
    """A parser, the recipe it came from, the test trees and what it made of them, tags and all."""

    parser: Parser
    recipe: Recipe
    gold: list[Tree]
    parsed: list[Tree]

    @property
    def sentences(self) -> list[Tokens]:
        """The test sentences with the tags that the parser was given."""
        return [tree.leaves() for tree in self.parsed]

    def parse_in_batches(self, batch: int) -> None:
        """Parse the test sentences, for timing."""
        deque(self.parser.pipe(self.sentences, batch_size=batch), maxlen=0)


def trained(found: Found, settings: Iterable[Setting]) -> dict[str, Trained]:
    """The parsers of these settings by system, of the first seed, on the CPU."""
    base, folder = found.request.base, found.request.runs
    gold = list(read_treebank(base.data.test))
    models = {}
    for setting in found.having(settings):
        run = setting.run(base, found.request.seeds[0])
        place = folder / run.name
        if not (place / "model.json").exists():
            raise ExperimentError(
                f"{place} has a result but no model to measure: copy its model.json and weights too"
            )
        parsed = list(iter_trees(place / "test.brackets"))
        if len(parsed) != len(gold):
            raise ExperimentError(
                f"{place}/test.brackets has {len(parsed)} trees, expected {len(gold)}"
            )
        models[setting.system] = Trained(Parser.load(place), run.recipe, gold, parsed)
    return models
