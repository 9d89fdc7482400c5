"""Output formats, by name: how trees and parsed sentences are written.

Each module holds a format, or a few that belong together. To add one, write a module here with a
subclass of `Format` that has a `name`: the API and `--format` find it by looking into this package.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from whorl.formats.base import Format, Origin

__all__ = ["Format", "Origin", "all_formats", "get_format"]


@cache
def all_formats() -> Mapping[str, type[Format]]:
    """All formats by name, in alphabetical order."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(Format.registry.items()))


def get_format(name: str) -> type[Format]:
    """Look a format up; `ValueError` lists the names that exist."""
    formats = all_formats()
    if name not in formats:
        raise ValueError(f"unknown format {name!r}: choose one of {', '.join(formats)}")
    return formats[name]
