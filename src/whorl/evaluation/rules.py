"""Parameters prepared for scoring many sentences: each label is resolved once."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from whorl.evaluation.parameters import Parameters

__all__ = ["Rules", "rules_of", "trimmed"]

_TAIL = re.compile(r"[-=]")


def trimmed(label: str) -> str:
    """Cut a label before the first `-` or `=`: function tags and indices go."""
    return _TAIL.split(label, maxsplit=1)[0]


class Rules:
    """The parameters in the form that is fastest for scoring.

    `keys` maps the label of a node to the key that it matches by, or to None if brackets of that
    label are deleted. If EQ_LABEL is an equivalence, as in every file we know of, equal labels
    share one key that matches nothing else. If not, keys are the trimmed labels, and `equals`
    returns the keys that match.
    """

    def __init__(self, params: Parameters) -> None:
        self.params = params
        self.representatives = _representatives(params)
        self.keys = _Keys(self)
        self._partners = _partners(params) if self.representatives is None else {}

    def equals(self, key: str) -> Collection[str]:
        """Return the keys that match this one, itself included."""
        return self._partners.get(key) or (key,)


class _Keys(dict[str, str | None]):
    """The keys of labels, computed on demand."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __missing__(self, label: str) -> str | None:
        rules = self._rules
        base = trimmed(label)
        key: str | None
        if any(rules.params.same_label(base, deleted) for deleted in rules.params.delete):
            key = None
        elif not rules.params.labelled:
            key = ""
        else:
            key = (rules.representatives or {}).get(base, base)
        self[label] = key
        return key


def _representatives(params: Parameters) -> dict[str, str] | None:
    """Map equal labels to one of them, or return None if EQ_LABEL is not an equivalence."""
    if not params.labelled:
        return {}
    partners = _partners(params)
    if any(partners[a] != partners[b] for a, b in params.equal_labels):
        return None
    return {label: min(equal) for label, equal in partners.items()}


def _partners(params: Parameters) -> dict[str, set[str]]:
    """Map each label in EQ_LABEL to those that it matches, itself included."""
    partners: dict[str, set[str]] = {}
    for a, b in params.equal_labels:
        partners.setdefault(a, {a}).add(b)
        partners.setdefault(b, {b}).add(a)
    return partners


@lru_cache(maxsize=32)
def rules_of(params: Parameters) -> Rules:
    """Return the rules for these parameters from a cache."""
    return Rules(params)
