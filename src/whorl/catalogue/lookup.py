"""From the name of a model, or a path, to its folder."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from whorl import __version__
from whorl.catalogue.installed import installed_models
from whorl.catalogue.named_model import NamedModel
from whorl.errors import ModelError
from whorl.model_folder.names import canonical_name
from whorl.shipped import SHIPPED

__all__ = [
    "DEFAULT",
    "available_models",
    "find_model",
    "find_named",
    "is_packaged",
    "models_named",
    "shipped_models",
]

DEFAULT = "en"


def shipped_models(folder: Path = SHIPPED) -> list[NamedModel]:
    """Return the models in the package, sorted by name."""
    return [
        NamedModel(path.parent.name, path.parent, "whorl", __version__)
        for path in sorted(folder.glob("*/model.json"))
    ]


def available_models() -> list[NamedModel]:
    """Return the models that have a name: those in the package, then those of other packages."""
    return [*shipped_models(), *installed_models()]


def models_named(name: str) -> list[NamedModel]:
    """Return the models of a name; more than one cannot be told apart."""
    wanted = canonical_name(name)
    return [model for model in available_models() if model.name == wanted]


def is_packaged(folder: Path) -> bool:
    """Tell whether a model folder belongs to an installed package, whose files must not change."""
    return folder.resolve() in {model.folder.resolve() for model in available_models()}


def find_model(name_or_path: str | Path) -> Path:
    """Return the folder of a model by name, or the one at a path; names take precedence.

    A name that no model has, a name that several packages provide, and a package that is damaged
    are each a `ModelError`.
    """
    if isinstance(name_or_path, str) and (models := models_named(name_or_path)):
        return _only(models).folder
    path = Path(name_or_path)
    if path.is_dir():
        return path
    if path.suffix == ".whl" and path.is_file():
        raise ModelError(f"{path} is a wheel: install it, and load the model by its name")
    if path.is_file():
        raise ModelError(f"{path} is a file: a model is a folder")
    raise ModelError(_unknown(str(name_or_path), ", and there is no such folder"))


def find_named(name: str) -> NamedModel:
    """Return the model of a name; `ModelError` as from `find_model`."""
    models = models_named(name)
    if not models:
        raise ModelError(_unknown(name))
    return _only(models)


def _only(models: Sequence[NamedModel]) -> NamedModel:
    """Return the model of a name, or raise `ModelError` if there is not one folder of it."""
    first, *others = models
    if others:
        providers = " and ".join(f"{model.provider} ({model.folder})" for model in models)
        raise ModelError(
            f"the model {first.name!r} is ambiguous, since {providers} provide it: uninstall "
            "one, or load a folder by its path"
        )
    if first.problem is not None:
        raise ModelError(first.problem)
    return first


def _unknown(name: str, more: str = "") -> str:
    names = list(dict.fromkeys(model.name for model in available_models()))
    known = f"the models are {', '.join(names)}" if names else "no model is installed"
    if not SHIPPED.is_dir():
        known += f", and those of Whorl itself cannot be read inside an archive ({SHIPPED})"
    close = get_close_matches(canonical_name(name), names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"no model {name!r}: {known}{more}{hint}"
