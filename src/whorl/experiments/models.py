"""The trained parsers of an experiment, for measurements that results do not include."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from whorl.errors import ExperimentError
from whorl.experiments.plans import Setting
from whorl.experiments.request import ExperimentResults
from whorl.parser import Parser, Tokens
from whorl.training.recipe import Recipe
from whorl.trees import Tree, iter_trees, read_treebank

__all__ = ["TrainedParser", "load_trained"]


@dataclass(frozen=True, slots=True)
class TrainedParser:
    """A parser, its recipe, the gold test trees, and the trees it parsed them to."""

    parser: Parser
    recipe: Recipe
    gold: list[Tree]
    parsed: list[Tree]

    @property
    def sentences(self) -> list[Tokens]:
        """The test sentences, with the tags that the parser used."""
        return [tree.leaves() for tree in self.parsed]

    def parse_in_batches(self, batch: int) -> None:
        """Parse the test sentences, for timing."""
        deque(self.parser.pipe(self.sentences, batch_size=batch), maxlen=0)


def load_trained(
    results: ExperimentResults, settings: Iterable[Setting]
) -> dict[str, TrainedParser]:
    """Load the parsers of these settings and the first seed on the CPU, by system."""
    base, folder = results.request.base, results.request.runs
    gold = list(read_treebank(base.data.test))
    models = {}
    for setting in results.available(settings):
        run = setting.run(base, results.request.seeds[0])
        place = folder / run.name
        if not (place / "model.json").exists():
            raise ExperimentError(
                f"{place} has a result but no model to measure: copy model.json and weights too"
            )
        parsed = list(iter_trees(place / "test.brackets"))
        if len(parsed) != len(gold):
            raise ExperimentError(
                f"{place}/test.brackets has {len(parsed)} trees, expected {len(gold)}"
            )
        models[setting.system] = TrainedParser(Parser.load(place), run.recipe, gold, parsed)
    return models
