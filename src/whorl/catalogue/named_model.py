"""A model that can be loaded by name, and what its folder says about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whorl.errors import ModelError
from whorl.model_folder.description import read_description

__all__ = ["NamedModel"]


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model of an installed distribution: of Whorl itself, or of a model package.

    Nothing in the folder is read until it is asked for. `problem` says why there is nothing to
    read, for a package that was installed or removed halfway.
    """

    name: str
    folder: Path
    distribution: str
    version: str
    problem: str | None = None

    @property
    def provider(self) -> str:
        """The name and version of the distribution that the model belongs to."""
        return f"{self.distribution} {self.version}"

    @property
    def description(self) -> dict[str, Any]:
        """The content of `model.json`, checked; `ModelError` says what is wrong with it."""
        if self.problem is not None:
            raise ModelError(self.problem)
        return read_description(self.folder)

    @property
    def card(self) -> dict[str, Any]:
        """The training recipe, the figures, the languages and the licence, from `model.json`."""
        card: dict[str, Any] = self.description["card"]
        return card

    @property
    def languages(self) -> list[str]:
        """The languages that the model parses, as BCP 47 tags, so far as its folder says."""
        languages: list[str] = self.card.get("languages", [])
        return languages

    @property
    def licence(self) -> str | None:
        """The licence of the model, as an SPDX expression, if its folder says so."""
        licence: str | None = self.card.get("licence")
        return licence

    @property
    def conventions(self) -> list[str]:
        """The treebanks whose annotation the model can follow, the default first."""
        description = self.description
        names: list[str] = description.get("treebanks") or []
        default = description.get("convention")
        return sorted(names, key=lambda name: name != default)

    @property
    def readme(self) -> str | None:
        """The model card in Markdown, if there is one."""
        path = self.folder / "README.md"
        return path.read_text(encoding="utf-8") if path.exists() else None

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
