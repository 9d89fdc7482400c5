"""Whorl: a constituency parser. Text in, phrase-structure trees out."""

import importlib
import typing

from whorl.trees import Leaf, Tree, read_tree, read_trees

if typing.TYPE_CHECKING:
    from whorl.catalogue import available_models, shipped_models
    from whorl.constraints import Constraint
    from whorl.engine import Parse
    from whorl.parser import ConstrainedInput, Parser, load
    from whorl.parser.documents import Constituent, Document, Sentence, Token

__all__ = [
    "Constituent",
    "ConstrainedInput",
    "Constraint",
    "Document",
    "Leaf",
    "Parse",
    "Parser",
    "Sentence",
    "Token",
    "Tree",
    "__version__",
    "available_models",
    "load",
    "read_tree",
    "read_trees",
    "shipped_models",
]

__version__ = "0.2.0.dev0"

_LAZY = {
    **dict.fromkeys(("Constituent", "Document", "Sentence", "Token"), "whorl.parser.documents"),
    "Constraint": "whorl.constraints",
    "Parse": "whorl.engine",
    **dict.fromkeys(("ConstrainedInput", "Parser", "load"), "whorl.parser"),
    **dict.fromkeys(("available_models", "shipped_models"), "whorl.catalogue"),
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that importing the package is quick."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
