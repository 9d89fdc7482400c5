"""The models of installed packages, found without importing anything of theirs.

A model package declares an entry point in the group `whorl.models`: a name, and the package that
holds the model folder. Every `whorl.load` looks for them, so this reads `entry_points.txt` beside
the installed packages itself; `importlib.metadata` would find the same, but takes 25 ms to import.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from whorl.catalogue.named_model import NamedModel
from whorl.model_folder.description import MODEL_JSON
from whorl.model_folder.names import canonical_name

__all__ = ["GROUP", "installed_models"]

GROUP = "whorl.models"

_METADATA_FOLDERS = (".dist-info", ".egg-info")
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)


def installed_models() -> tuple[NamedModel, ...]:
    """Return the models of installed packages, sorted by name.

    The result is kept until a folder of `sys.path` changes.
    """
    return _models(tuple(_dated(sys.path)))


def _dated(folders: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the folders and archives that exist, with the time they last changed."""
    for folder in dict.fromkeys(map(os.path.abspath, folders)):
        try:
            yield folder, os.stat(folder).st_mtime_ns
        except (OSError, ValueError):
            continue


@lru_cache(maxsize=1)
def _models(folders: tuple[tuple[str, int], ...]) -> tuple[NamedModel, ...]:
    models: dict[str, list[NamedModel]] = {}
    for folder, _ in folders:
        for metadata, entry_points in _distributions(folder):
            distribution, version = _name_and_version(metadata)
            if canonical_name(distribution) in models:
                continue  # as for modules, the first on the path counts
            models[canonical_name(distribution)] = [
                _model(name, value, metadata, distribution, version)
                for name, value in _entries(entry_points)
            ]
    every = (model for of_distribution in models.values() for model in of_distribution)
    return tuple(sorted(every, key=lambda model: (model.name, model.distribution)))


def _distributions(folder: str) -> Iterator[tuple[Path, str]]:
    """Yield the metadata folder and the entry points of each distribution with models."""
    try:
        names = sorted(os.listdir(folder))
    except NotADirectoryError:
        yield from _archived(folder)
        return
    except OSError:
        return
    for name in names:
        if name.endswith(_METADATA_FOLDERS):
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                    content = file.read()
            except OSError:
                continue
            if GROUP.encode() in content:
                yield Path(folder, name), content.decode("utf-8", "replace")


def _archived(archive: str) -> Iterator[tuple[Path, str]]:
    """Yield the same for a zip archive, from which Python can import but nobody can load."""
    import zipfile

    try:
        with zipfile.ZipFile(archive) as file:
            for name in file.namelist():
                folder, _, last = name.partition("/")
                if folder.endswith(_METADATA_FOLDERS) and last == "entry_points.txt":
                    content = file.read(name)
                    if GROUP.encode() in content:
                        yield Path(archive, folder), content.decode("utf-8", "replace")
    except (OSError, zipfile.BadZipFile):
        return


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the group in the text of an `entry_points.txt`."""
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
        elif section == GROUP and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield canonical_name(name.strip()), value.strip()


def _name_and_version(metadata: Path) -> tuple[str, str]:
    """Return the name and version of a distribution, from the name of its metadata folder."""
    name, _, version = metadata.stem.partition("-")
    if not version:  # as setuptools names it in a source folder
        try:
            text = (metadata / "PKG-INFO").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            text = ""
        match = re.search(r"^Version: *(\S+)", text, re.MULTILINE)
        version = match[1] if match else "(unknown version)"
    return name.replace("_", "-"), version.partition("-")[0]


def _model(name: str, value: str, metadata: Path, distribution: str, version: str) -> NamedModel:
    """Return a model with its folder, or with what is wrong."""
    site = metadata.parent
    folder = site.joinpath(*value.split("."))
    problem = None
    if not _MODULE.fullmatch(value):
        problem = f"in {value!r}, expected the name of a package"
    elif site.is_file():
        problem = (
            f"inside the archive {site}, where models cannot be read: "
            f"install it with pip install {site}"
        )
    else:
        if not folder.is_dir():
            folder = _imported_from(value) or folder
        if not (folder / MODEL_JSON).is_file():
            problem = (
                f"but {folder / MODEL_JSON} is missing: install it again with pip install "
                f"--force-reinstall {distribution}, or remove it with pip uninstall {distribution}"
            )
    if problem is not None:
        problem = f"{distribution} {version} provides the model {name!r} {problem}"
    return NamedModel(name, folder, distribution, version, problem)


def _imported_from(module: str) -> Path | None:
    """Return the folder that Python would import a package from, as for an editable install.

    Only the first part of the name is looked up, which imports nothing.
    """
    first, *rest = module.split(".")
    try:
        spec = find_spec(first)
    except (ImportError, ValueError, AttributeError):
        return None
    for location in (spec and spec.submodule_search_locations) or ():
        folder = Path(location, *rest)
        if folder.is_dir():
            return folder
    return None
