"""Parameters, made ready for scoring many sentences: each label is worked out once."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from whorl.evaluation.parameters import Parameters

__all__ = ["Rules", "rules_of", "trimmed"]

_TAIL = re.compile(r"[-=]")


def trimmed(label: str) -> str:
    """A label without its functions and indices: what stands before the first `-` or `=`."""
    return _TAIL.split(label, maxsplit=1)[0]


class Rules:
    """What scoring asks of the parameters, in the form that answers fastest.

    `keys` gives, for a label as it stands in a tree, the label to match by, or None where brackets of that
    label are left out. Where EQ_LABEL is an equivalence, as in every file we know of, equal labels share one
    key, which is equal to itself alone; where it is not, keys are the trimmed labels, and `equals` gives the partners.
    """

    def __init__(self, params: Parameters) -> None:
        self.params = params
        self.representatives = _representatives(params)
        self.keys = _Keys(self)
        self._partners = _partners(params) if self.representatives is None else {}

    def equals(self, key: str) -> Collection[str]:
        """The keys that match this one, itself among them."""
        return self._partners.get(key) or (key,)


class _Keys(dict[str, str | None]):
    """The keys of the labels met so far, filled on demand."""

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
    """One label to stand for each class of equal labels, or None where the pairs are not an equivalence."""
    if not params.labelled:
        return {}
    partners = _partners(params)
    if any(partners[a] != partners[b] for a, b in params.equal_labels):
        return None
    return {label: min(equal) for label, equal in partners.items()}


def _partners(params: Parameters) -> dict[str, set[str]]:
    """The labels that EQ_LABEL names, each with those that it makes equal to it, itself among them."""
    partners: dict[str, set[str]] = {}
    for a, b in params.equal_labels:
        partners.setdefault(a, {a}).add(b)
        partners.setdefault(b, {b}).add(a)
    return partners


@lru_cache(maxsize=32)
def rules_of(params: Parameters) -> Rules:
    """The rules for these parameters, made once."""
    return Rules(params)
