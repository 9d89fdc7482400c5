"""Optional packages, which are imported on use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from whorl.errors import MissingPackageError

__all__ = ["import_extra", "missing_package"]

# Each package by the name it is imported by: what people call it, and the extra that installs it.
_EXTRAS = {
    "nltk": ("NLTK", "nltk"),
    "pandas": ("pandas", "pandas"),
    "pyarrow": ("PyArrow", "arrow"),
    "ray": ("Ray", "ray"),
    "spacy": ("spaCy", "spacy"),
}


def import_extra(module: str) -> Any:
    """Import a module of an optional package; `MissingPackageError` says how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # the package is there, but something that it needs is not
        raise missing_package(package) from error


def missing_package(package: str) -> MissingPackageError:
    """Return the error that says how to install an optional package."""
    name, extra = _EXTRAS[package]
    return MissingPackageError(
        f"this needs {name}, which is not installed: pip install 'whorl[{extra}]'", name=package
    )
