"""The registry of networks: where the parts of each one are, imported on first use.

A network is one package. To add one, write the package and add an entry here; recipes and
`model.json` then accept its name. Entries are strings, so parsing with one network never imports
another.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from whorl.errors import ModelError

__all__ = ["NETWORKS", "Network", "get_network"]


@dataclass(frozen=True, slots=True)
class Network:
    """A network's name, its section of a recipe, and its parts as `module:name`."""

    name: str
    section: str
    """The name of the section in a recipe."""
    settings: str
    """The class of that section, a `whorl.training.settings.Section`; imports no PyTorch."""
    description: str
    """`check(saved, path)` raises `ModelError` for a missing or wrong key of `model.json`."""
    engine: str
    """`load(folder, description, device, convention)` returns an engine."""
    learner: str
    """`prepare(recipe, folder, listener, jobs=...)` returns a learner and the development set."""
    recipe_check: str
    """`check(recipe)` raises `RecipeError` for settings that the network does not support."""
    export: str | None = None
    """`export(folder, precision=...)` writes what parsing without PyTorch needs."""
    export_description: str | None = None
    """`describe(saved)` returns `model.json` for a folder that has the export alone."""

    def resolve(self, part: str) -> Any:
        """Import one part, such as `engine`."""
        target = getattr(self, part)
        if target is None:
            raise ModelError(f"the {self.name} network has no {part}")
        module, _, name = target.partition(":")
        return getattr(importlib.import_module(module), name)


NETWORKS = {
    network.name: network
    for network in (
        Network(
            name="stack-lstm",
            section="model",
            settings="whorl.stack_lstm.settings:StackLSTMSettings",
            description="whorl.stack_lstm.description:check_description",
            engine="whorl.stack_lstm.engine:load_engine",
            learner="whorl.stack_lstm.setup:prepare_learner",
            recipe_check="whorl.stack_lstm.setup:check_recipe",
        ),
        Network(
            name="span",
            section="span",
            settings="whorl.span.settings:SpanSettings",
            description="whorl.span.description:check_description",
            engine="whorl.span.engine:load_engine",
            learner="whorl.span.setup:prepare_learner",
            recipe_check="whorl.span.setup:check_recipe",
            export="whorl.span.export:export_runtime",
            export_description="whorl.span.description:export_description",
        ),
    )
}


def get_network(name: str) -> Network:
    """Return a network by name; `ModelError` lists the names."""
    if name not in NETWORKS:
        raise ModelError(f"unknown network {name!r}: choose one of {', '.join(NETWORKS)}")
    return NETWORKS[name]
