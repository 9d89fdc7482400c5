"""Recipes: everything that a training run depends on, from a commented TOML file and overrides."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from whorl.errors import RecipeError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["PATHS", "Data", "Model", "Recipe", "Training"]

_SYSTEMS = ("nonbinary", "binary", "topdown", "inorder")
_CHOICES: dict[str, tuple[str, ...]] = {
    "system": _SYSTEMS,
    "tags": ("jackknife", "gold", "column"),
    "oracle": ("static", "dynamic"),
    "loss": ("zero-cost", "taken"),
    "optimiser": ("sgd", "adam"),
}


@dataclass(frozen=True, slots=True)
class Data:
    """What to train on; `test` is for experiments, which parse it once a run is done.

    `train_tags`, `dev_tags` and `test_tags` are files of tagged sentences, for the tags of another tagger. Jackknifed
    tags and the tagger depend on the trees, the vectors, `folds` and `tagger_seed` alone, and are kept in the folder
    `tagging`, which runs may share; in a run's own folder where it is empty.
    """

    train: str = ""
    dev: str = ""
    test: str = ""
    vectors: str = ""
    tags: str = "jackknife"
    train_tags: str = ""
    dev_tags: str = ""
    test_tags: str = ""
    folds: int = 10
    tagger_seed: int = 1
    tagging: str = ""


PATHS = ("train", "dev", "test", "vectors", "train_tags", "dev_tags", "test_tags", "tagging")
"""The keys of `Data` that name files and folders."""


@dataclass(frozen=True, slots=True)
class Model:
    """The network; the sizes are those of the paper's Table 1."""

    system: str = "nonbinary"
    heads: str = "english"
    word_dim: int = 32
    tag_dim: int = 12
    transition_dim: int = 16
    input_dim: int = 128
    hidden_dim: int = 128
    layers: int = 2
    dropout: float = 0.2


@dataclass(frozen=True, slots=True)
class Training:
    """How to train; learning rate, decay and L2 are those of Table 1, the clipping that of the authors' toolkit.

    `regular` is the probability β of following a wrong transition that scores best, `aggressive` the margin α under
    which the best wrong one is followed although the right one scores higher (§7.2); 0 turns either off. So many
    sentences as `explore` says are rolled out with the same weights before they are learned from.
    """

    oracle: str = "static"
    loss: str = "zero-cost"
    regular: float = 0.1
    aggressive: float = 0.0
    explore: int = 256
    optimiser: str = "sgd"
    rate: float = 0.1
    decay: float = 0.05
    l2: float = 1e-6
    clip: float = 10.0
    batch: int = 16
    epochs: int = 40
    patience: int = 10
    unknown: float = 0.5
    seed: int = 1
    device: str = "cpu"


T = TypeVar("T", Data, Model, Training)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A training run: its data, its network, its settings."""

    data: Data = field(default_factory=Data)
    model: Model = field(default_factory=Model)
    training: Training = field(default_factory=Training)

    @classmethod
    def read(cls, path: str | Path) -> Recipe:
        """Read a TOML file; paths in it are relative to its folder."""
        path = Path(path)
        try:
            tables = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise RecipeError(f"cannot read the recipe {path}: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise RecipeError(f"{path}: not a TOML file: {error}") from error
        recipe = cls.from_dict(tables, source=str(path))
        named = {key: name for key in PATHS if (name := getattr(recipe.data, key))}
        beside: dict[str, Any] = {key: str(path.parent / name) for key, name in named.items()}
        return replace(recipe, data=replace(recipe.data, **beside))

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, source: str = "recipe") -> Recipe:
        """Make a recipe of nested tables; what is not given keeps its default."""
        sections = {"data": Data, "model": Model, "training": Training}
        for name in tables:
            if name not in sections:
                raise RecipeError(f"{source}: unknown section [{name}]: expected one of {', '.join(sections)}")
        return cls(
            data=_filled(Data(), tables.get("data", {}), f"{source}: data"),
            model=_filled(Model(), tables.get("model", {}), f"{source}: model"),
            training=_filled(Training(), tables.get("training", {}), f"{source}: training"),
        )

    def override(self, settings: Iterable[str]) -> Recipe:
        """Apply settings written `section.key=value`."""
        recipe = self
        for setting in settings:
            key, equals, text = setting.partition("=")
            section, dot, name = key.partition(".")
            if not (equals and dot):
                raise RecipeError(f"expected section.key=value, such as model.hidden_dim=128, not {setting!r}")
            if section not in ("data", "model", "training"):
                raise RecipeError(f"{setting!r}: unknown section {section!r}: expected data, model or training")
            filled = _filled(getattr(recipe, section), {name: text}, f"{setting!r}")
            recipe = replace(recipe, **{section: filled})
        return recipe

    def to_dict(self) -> dict[str, Any]:
        """Nested tables, for a file."""
        return asdict(self)

    def differences(self, other: Recipe) -> list[str]:
        """The keys, as `section.key`, whose values are not the same in both."""
        ours, theirs = self.to_dict(), other.to_dict()
        return [
            f"{section}.{key}"
            for section in ours
            for key in ours[section]
            if ours[section][key] != theirs[section][key]
        ]


def _filled(section: T, values: Mapping[str, Any], source: str) -> T:
    known = {item.name: type(getattr(section, item.name)) for item in fields(section)}
    converted = {}
    for name, value in values.items():
        if name not in known:
            raise RecipeError(f"{source}: unknown key {name!r}: expected one of {', '.join(known)}")
        converted[name] = _converted(name, value, known[name], source)
    return replace(section, **converted)


def _converted(name: str, value: Any, kind: type, source: str) -> Any:
    try:
        if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
            raise ValueError
        found = kind(value)
        if kind is int and isinstance(value, float) and found != value:
            raise ValueError
    except (TypeError, ValueError) as error:
        raise RecipeError(f"{source}: {name} must be a {kind.__name__}, not {value!r}") from error
    if name in _CHOICES and found not in _CHOICES[name]:
        raise RecipeError(f"{source}: {name} must be one of {', '.join(_CHOICES[name])}, not {value!r}")
    if kind is not str and found < 0:
        raise RecipeError(f"{source}: {name} must not be negative, but is {value!r}")
    return found
