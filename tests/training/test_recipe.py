"""Recipes: their sections, those of networks among them, and what is written is read again."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest

from whorl.errors import RecipeError
from whorl.networks import NETWORKS, Network, get_network
from whorl.span.settings import SpanSettings
from whorl.stack_lstm.settings import StackLSTMSettings
from whorl.training.recipe import ModelSettings, Recipe
from whorl.training.settings import Section


@dataclass(frozen=True, slots=True)
class ToySettings(Section):
    size: int = 3


TOY = Network(
    name="toy",
    section="toy",
    settings=f"{__name__}:ToySettings",
    description="",
    engine="",
    learner="",
    recipe_check="",
)


def test_every_network_has_a_section_of_its_own_class():
    recipe = Recipe()
    assert list(recipe.sections()) == ["data", "model", "span", "training", "treebank"]
    assert type(recipe.model) is StackLSTMSettings
    assert recipe.section(ModelSettings) is recipe.model
    assert recipe.section(SpanSettings) == SpanSettings()


def test_a_registered_network_adds_a_section(monkeypatch):
    monkeypatch.setitem(sys.modules, __name__, sys.modules[ToySettings.__module__])
    monkeypatch.setitem(NETWORKS, "toy", TOY)
    recipe = Recipe().override(["toy.size=7", "span.lstm_dim=9", "model.layers=1"])
    assert recipe.section(ToySettings) == ToySettings(7)
    assert recipe.to_dict()["toy"] == {"size": 7}
    assert recipe.differences(Recipe().to_dict()) == ["model.layers", "span.lstm_dim", "toy.size"]
    assert Recipe.from_dict(recipe.to_dict()) == recipe


def test_a_recipe_is_read_back_from_its_tables():
    recipe = Recipe.from_dict(
        {
            "data": {"train": "t", "splice": ["NML", "NX"]},
            "model": {"network": "span", "hidden_dim": 64},
            "span": {"lstm_dim": 8},
            "training": {"seed": 2**63 - 1},
            "treebank": [{"name": "a", "exclude": ["x*"]}, {"name": "b"}],
        }
    )
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    assert hash(Recipe.from_dict(recipe.to_dict())) == hash(recipe)
    assert recipe.with_section("span", SpanSettings()).section(SpanSettings).lstm_dim == 256


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("model.network=tree", "network must be one of stack-lstm, span, not 'tree'"),
        ("model.system=arc-eager", "must be one of nonbinary, binary, topdown, inorder"),
        ("model.layers=0", r"model\.layers must be at least 1 and at most 1000, not 0"),
        ("model.dropout=1", r"model\.dropout must be at least 0 and below 1, not 1"),
        ("span.dropout=1.5", r"span\.dropout must be at least 0 and below 1, not 1.5"),
        ("training.seed=9223372036854775808", r"training\.seed must be at least 0 and at most"),
        ("treebank.masc.weight=2", r"unknown treebank 'masc'.*there is no \[\[treebank\]\]"),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it(override, message):
    with pytest.raises(RecipeError, match=message):
        Recipe().override([override])


def test_a_section_that_no_network_has_is_an_error():
    with pytest.raises(RecipeError, match="no network has a section ToySettings"):
        Recipe().section(ToySettings)


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("part", ["settings", "description", "engine", "learner", "recipe_check"])
def test_every_part_in_the_registry_exists(network, part):
    pytest.importorskip("torch")
    assert callable(get_network(network).resolve(part))


def test_reading_a_recipe_imports_no_network():
    code = (
        "import sys; from whorl.training.recipe import Recipe; Recipe().to_dict(); "
        "names = [n for n in sys.modules if n.startswith(('whorl.span.', 'whorl.stack_lstm.'))]; "
        "assert sorted(names) == ['whorl.span.settings', 'whorl.stack_lstm.settings'], names; "
        "assert not {'torch', 'numpy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
