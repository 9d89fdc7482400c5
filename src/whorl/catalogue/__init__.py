"""Models by name: those in the package, and those of installed packages."""

from whorl.catalogue.lookup import (
    DEFAULT,
    available_models,
    find_model,
    find_named,
    is_packaged,
    models_named,
    shipped_models,
)
from whorl.catalogue.named_model import NamedModel

__all__ = [
    "DEFAULT",
    "NamedModel",
    "available_models",
    "find_model",
    "find_named",
    "is_packaged",
    "models_named",
    "shipped_models",
]
