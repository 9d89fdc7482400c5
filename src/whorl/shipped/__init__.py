"""The models in the package, by name: the folders beside this file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.model_folder.description import read_description

__all__ = ["DEFAULT", "ShippedModel", "find_model", "is_shipped", "shipped_models"]

DEFAULT = "en"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ShippedModel:
    """A model in the package."""

    name: str
    folder: Path

    @property
    def card(self) -> dict[str, Any]:
        """The training recipe and the figures, from `model.json`."""
        card: dict[str, Any] = read_description(self.folder)["card"]
        return card

    @property
    def readme(self) -> str | None:
        """The model card in Markdown, if there is one."""
        path = self.folder / "README.md"
        return path.read_text(encoding="utf-8") if path.exists() else None

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def shipped_models(folder: Path = _HERE) -> list[ShippedModel]:
    """Return the models in the package, sorted by name."""
    return [
        ShippedModel(path.parent.name, path.parent) for path in sorted(folder.glob("*/model.json"))
    ]


def find_model(name_or_path: str | Path, folder: Path = _HERE) -> Path:
    """Return the folder of a packaged model, or the one at a path; names take precedence."""
    models = {model.name: model.folder for model in shipped_models(folder)}
    if isinstance(name_or_path, str) and name_or_path in models:
        return models[name_or_path]
    if Path(name_or_path).is_dir():
        return Path(name_or_path)
    names = f"the package has {', '.join(models)}" if models else "the package has no models"
    raise ModelError(f"no model {str(name_or_path)!r}: {names}, and there is no such folder")


def is_shipped(folder: Path) -> bool:
    """Tell whether a model folder is part of the package."""
    return folder.resolve().parent == _HERE.resolve()
