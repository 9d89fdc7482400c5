"""Whorl in spaCy, for what `nlp.add_pipe("whorl")` does not do; that needs no import.

The module has the component's class, its exceptions, and functions that bring trees from elsewhere
into documents, or read them from saved documents without a pipeline.
"""

from whorl.errors import (
    MissingParseError,
    NonConstituentException,
    SpacyError,
    StaleParseError,
)
from whorl.extras import missing_package

try:
    from whorl.integrations.spacy.attributes import register_attributes
    from whorl.integrations.spacy.component import WhorlComponent
    from whorl.integrations.spacy.reference import doc_from_trees, set_trees
    from whorl.integrations.spacy.scoring import score_trees
except ModuleNotFoundError as error:
    if error.name != "spacy":
        raise
    raise missing_package("spacy") from error

__all__ = [
    "MissingParseError",
    "NonConstituentException",
    "SpacyError",
    "StaleParseError",
    "WhorlComponent",
    "doc_from_trees",
    "register_attributes",
    "score_trees",
    "set_trees",
]
