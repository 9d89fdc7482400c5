"""What a tokeniser knows about a treebank's words: affixes, contractions, forms, characters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from whorl.model_folder.schema import Rule, integer, list_of, nullable, table

__all__ = ["INVENTORY", "Contraction", "Inventory"]

_LONGEST = 64  # characters of a word or an affix


@dataclass(frozen=True, slots=True)
class Contraction:
    """Two tokens written as one word.

    `cut` is the number of characters that the first of them has; 0 if each has the whole word.
    """

    cut: int
    first: str
    second: str


@dataclass(frozen=True)
class Inventory:
    """What was read off a treebank's tokens."""

    joiner: str | None = None
    """The character of a form that stands for white space; None if no token contains any."""
    suffixes: frozenset[str] = frozenset()
    """Endings, in lower case, that may be tokens."""
    prefixes: frozenset[str] = frozenset()
    contractions: Mapping[str, Contraction] = field(default_factory=dict)
    """By the word as it is written, in lower case."""
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What is written and its form in trees, or its forms before and after a word."""
    words: frozenset[str] = frozenset()
    """Tokens of several units that occur more than once: words for `learned`, phrases otherwise."""
    characters: Mapping[str, str] = field(default_factory=dict)
    """Characters that the treebank does not have, and what it has in their place."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "joiner": self.joiner,
            "suffixes": sorted(self.suffixes),
            "prefixes": sorted(self.prefixes),
            "words": sorted(self.words),
            "contractions": [
                [word, each.cut, each.first, each.second]
                for word, each in sorted(self.contractions.items())
            ],
            "forms": [[written, *forms] for written, forms in sorted(self.forms.items())],
            "characters": [list(pair) for pair in sorted(self.characters.items())],
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Inventory:
        """Restore an inventory from JSON values that follow the rule `INVENTORY`."""
        return cls(
            joiner=saved["joiner"],
            suffixes=frozenset(saved["suffixes"]),
            prefixes=frozenset(saved["prefixes"]),
            words=frozenset(saved["words"]),
            contractions={
                word: Contraction(cut, first, second)
                for word, cut, first, second in saved["contractions"]
            },
            forms={written: tuple(forms) for written, *forms in saved["forms"]},
            characters=dict(saved["characters"]),
        )


def _affix(value: Any, key: str) -> str | None:
    if isinstance(value, str) and 0 < len(value) <= _LONGEST:
        return None
    return f"{key} is {value!r:.80}, expected 1 to {_LONGEST} characters"


def _contraction(value: Any, key: str) -> str | None:
    rules = (_affix, integer(0, _LONGEST), _affix, _affix)
    if not isinstance(value, list) or len(value) != len(rules):
        return f"{key} is {value!r:.80}, expected a word, a cut and two forms"
    for rule, item in zip(rules, value, strict=True):
        if problem := rule(item, key):
            return problem
    if value[1] >= len(value[0]):
        return f"{key} is {value!r:.80}, expected a cut within the word"
    return None


def _form(value: Any, key: str) -> str | None:
    return list_of(_text, least=2, most=3)(value, key)


def _text(value: Any, key: str) -> str | None:
    if isinstance(value, str) and value and not any(map(str.isspace, value)):
        return None
    return f"{key} is {value!r:.80}, expected characters other than white space"


def _character(value: Any, key: str) -> str | None:
    if isinstance(value, str) and len(value) == 1:
        return None
    return f"{key} is {value!r:.80}, expected one character"


def _pair(value: Any, key: str) -> str | None:
    return list_of(_character, least=2, most=2)(value, key)


INVENTORY: Rule = table(
    {
        "joiner": nullable(_character),
        "suffixes": list_of(_affix),
        "prefixes": list_of(_affix),
        "words": list_of(_affix),
        "contractions": list_of(_contraction),
        "forms": list_of(_form),
        "characters": list_of(_pair),
    }
)
"""The rule for an inventory in a file."""
