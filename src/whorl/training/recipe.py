"""Recipes: everything that a training run depends on, from a commented TOML file and overrides."""

from __future__ import annotations

import json
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

__all__ = ["Data", "Model", "Recipe", "Source", "Span", "Training"]

_SYSTEMS = ("nonbinary", "binary", "topdown", "inorder")
_CHOICES: dict[str, tuple[str, ...]] = {
    "network": ("stack-lstm", "span"),
    "system": _SYSTEMS,
    "tags": ("jackknife", "gold"),
    "oracle": ("static", "dynamic"),
    "loss": ("zero-cost", "taken"),
    "optimiser": ("sgd", "adam", "adamw"),
    "schedule": ("inverse", "linear"),
    "precision": ("float32", "bfloat16"),
}


@dataclass(frozen=True, slots=True)
class Data:
    """What to train on: one treebank, or, for the `span` network, a mix of sources.

    `splice` are labels of phrases that are taken out of all trees, so that their children move up. `convention` names
    the source whose way of annotating a model follows unless told otherwise; none is a mean of all.
    """

    train: str = ""
    dev: str = ""
    vectors: str = ""
    tags: str = "jackknife"
    folds: int = 10
    splice: tuple[str, ...] = ()
    convention: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One treebank of a mix.

    An epoch has `weight` times its sentences: half of them, another half each time, or each of them twice. Documents
    that match a pattern of `exclude`, or that the file `exclude_file` lists, stay out; which document a tree is of says
    the file beside the trees that ends in `.docs`, line by line.
    """

    name: str = ""
    train: str = ""
    dev: str = ""
    weight: float = 1.0
    exclude: tuple[str, ...] = ()
    exclude_file: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """The `span` network. A size of 0 leaves a part out.

    `encoder` is the folder of a transformer of ours, of which the first `encoder_layers` are taken (0: all), or
    `huggingface` names one for the `transformers` library; a BiLSTM comes over it, unless it has 0 layers.
    """

    word_dim: int = 64
    character_dim: int = 64
    lstm_dim: int = 256
    lstm_layers: int = 2
    hidden_dim: int = 128
    dropout: float = 0.33
    encoder: str = ""
    encoder_layers: int = 0
    huggingface: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """The network, and the sizes of the stack-LSTM, which are those of the paper's Table 1."""

    network: str = "stack-lstm"
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

    The rate falls with each epoch (`inverse`: rate / (1 + decay * epoch)), or with each batch, after `warmup` batches,
    to nothing at the end (`linear`). A transformer under the `span` network has a rate of its own.
    """

    oracle: str = "static"
    loss: str = "zero-cost"
    regular: float = 0.1
    aggressive: float = 0.0
    explore: int = 256
    optimiser: str = "sgd"
    rate: float = 0.1
    encoder_rate: float = 1e-4
    schedule: str = "inverse"
    decay: float = 0.05
    warmup: int = 0
    l2: float = 1e-6
    clip: float = 20.0
    batch: int = 16
    epochs: int = 40
    patience: int = 10
    unknown: float = 0.5
    generic: float = 0.15  # how often a sentence of a mix is taken for one of no treebank in particular
    tag_weight: float = 1.0  # of the tags' loss beside the transitions'
    precision: str = "float32"  # of the matrix products on a GPU
    seed: int = 1
    device: str = "cpu"


T = TypeVar("T", Data, Source, Model, Span, Training)


_SECTIONS = ("data", "model", "span", "training")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A training run: its data, its network, its settings; for a mix of treebanks, where they come from."""

    data: Data = field(default_factory=Data)
    model: Model = field(default_factory=Model)
    span: Span = field(default_factory=Span)
    training: Training = field(default_factory=Training)
    treebank: tuple[Source, ...] = ()

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
        return replace(
            recipe,
            data=_placed(recipe.data, path.parent, "train", "dev", "vectors"),
            span=_placed(recipe.span, path.parent, "encoder"),
            treebank=tuple(_placed(one, path.parent, "train", "dev", "exclude_file") for one in recipe.treebank),
        )

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, source: str = "recipe") -> Recipe:
        """Make a recipe of nested tables; what is not given keeps its default."""
        for name in tables:
            if name not in (*_SECTIONS, "treebank"):
                known = ", ".join((*_SECTIONS, "treebank"))
                raise RecipeError(f"{source}: unknown section [{name}]: expected one of {known}")
        mixed = tables.get("treebank", ())
        if not isinstance(mixed, (list, tuple)):
            raise RecipeError(f"{source}: treebanks are written [[treebank]], one table each")
        blank = cls()
        sections = {
            name: _filled(getattr(blank, name), tables.get(name, {}), f"{source}: {name}") for name in _SECTIONS
        }
        sources = tuple(_filled(Source(), table, f"{source}: treebank") for table in mixed)
        return cls(**sections, treebank=sources)

    def override(self, settings: Iterable[str]) -> Recipe:
        """Apply settings written `section.key=value`."""
        recipe = self
        for setting in settings:
            key, equals, text = setting.partition("=")
            section, dot, name = key.partition(".")
            if not (equals and dot):
                raise RecipeError(f"expected section.key=value, such as model.hidden_dim=128, not {setting!r}")
            if section not in _SECTIONS:
                raise RecipeError(f"{setting!r}: unknown section {section!r}: expected one of {', '.join(_SECTIONS)}")
            filled = _filled(getattr(recipe, section), {name: text}, f"{setting!r}")
            recipe = replace(recipe, **{section: filled})
        return recipe

    def to_dict(self) -> dict[str, Any]:
        """Nested tables, for a file: what JSON would give back."""
        tables: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return tables


def _placed(section: T, folder: Path, *names: str) -> T:
    """A section whose paths are relative to a folder."""
    given = {name: getattr(section, name) for name in names}
    placed: dict[str, Any] = {name: str(folder / value) for name, value in given.items() if value}
    return replace(section, **placed)


def _filled(section: T, values: Mapping[str, Any], source: str) -> T:
    known = {item.name: type(getattr(section, item.name)) for item in fields(section)}
    converted = {}
    for name, value in values.items():
        if name not in known:
            raise RecipeError(f"{source}: unknown key {name!r}: expected one of {', '.join(known)}")
        converted[name] = _converted(name, value, known[name], source)
    return replace(section, **converted)


def _converted(name: str, value: Any, kind: type, source: str) -> Any:
    if kind is tuple:
        return _names(name, value, source)
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


def _names(name: str, value: Any, source: str) -> tuple[str, ...]:
    """A list of names; on a command line, separated by commas."""
    found = [part for part in value.split(",") if part] if isinstance(value, str) else value
    if not isinstance(found, (list, tuple)) or not all(isinstance(part, str) for part in found):
        raise RecipeError(f"{source}: {name} must be a list of names, not {value!r}")
    return tuple(found)
