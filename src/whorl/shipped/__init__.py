"""The models in the package: a model folder each beside this file, by their names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.model_folder.description import read_description

__all__ = ["DEFAULT", "ShippedModel", "find_model", "shipped_models"]

DEFAULT = "en"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """A model of the package."""

    name: str
    folder: Path

    @property
    def card(self) -> dict[str, Any]:
        """What `model.json` says about the model: what it was made from, and its figures."""
        card: dict[str, Any] = read_description(self.folder)["card"]
        return card

    @property
    def readme(self) -> str | None:
        """The card for people, in Markdown, if there is one."""
        path = self.folder / "README.md"
        return path.read_text(encoding="utf-8") if path.exists() else None

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def shipped_models(folder: Path = _HERE) -> list[ShippedModel]:
    """The models in the package, by name."""
    return [
        ShippedModel(path.parent.name, path.parent) for path in sorted(folder.glob("*/model.json"))
    ]


def find_model(name_or_path: str | Path, folder: Path = _HERE) -> Path:
    """The folder of a model of the package, or the one at a path; a name goes before a folder of the same name here."""
    models = {model.name: model.folder for model in shipped_models(folder)}
    if isinstance(name_or_path, str) and name_or_path in models:
        return models[name_or_path]
    if Path(name_or_path).is_dir():
        return Path(name_or_path)
    names = (
        f"the models in the package are {', '.join(models)}"
        if models
        else "this package has no models in it"
    )
    raise ModelError(
        f"there is no model {str(name_or_path)!r}: {names}, and no folder has that path"
    )
