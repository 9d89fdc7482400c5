"""The metadata of a model package: METADATA, WHEEL and entry_points.txt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whorl import __version__
from whorl.catalogue.installed import GROUP
from whorl.model_folder.description import RELEASES
from whorl.packaging.identifiers import distribution_name, import_name

__all__ = ["Metadata", "requirement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a model package says about itself."""

    model: str
    version: str
    licence: str | None
    licence_files: Sequence[str]
    languages: Sequence[str]
    requirements: Sequence[str]
    card: str

    def files(self) -> dict[str, bytes]:
        """Return the files of the metadata folder, but for RECORD and the licences."""
        wheel = ["Wheel-Version: 1.0", f"Generator: whorl {__version__}"]
        wheel += ["Root-Is-Purelib: true", "Tag: py3-none-any"]
        entry_points = [f"[{GROUP}]", f"{self.model} = {import_name(self.model)}"]
        head = "".join(f"{line}\n" for line in self._headers())
        return {
            "METADATA": f"{head}\n{self.card}".encode(),
            "WHEEL": _text(wheel),
            "entry_points.txt": _text(entry_points),
        }

    def _headers(self) -> Iterable[str]:
        yield "Metadata-Version: 2.4"
        yield f"Name: {distribution_name(self.model)}"
        yield f"Version: {self.version}"
        languages = f" ({', '.join(self.languages)})" if self.languages else ""
        yield f"Summary: The model {self.model}{languages} for Whorl, a constituency parser."
        yield f"Keywords: {','.join(['whorl', 'parsing', 'constituency', *self.languages])}"
        if self.licence is not None:
            yield f"License-Expression: {self.licence}"
        yield from (f"License-File: {name}" for name in self.licence_files)
        yield "Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence"
        yield "Classifier: Topic :: Text Processing :: Linguistic"
        yield from (f"Requires-Dist: {requirement}" for requirement in self.requirements)
        yield "Description-Content-Type: text/markdown; charset=UTF-8"


def requirement(model_format: int) -> str:
    """Return the releases of Whorl that read a format of model folders."""
    first, end = RELEASES[model_format]
    return f"whorl>={first},<{end}"


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
