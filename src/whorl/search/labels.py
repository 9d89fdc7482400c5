"""Descriptions of labels: `NP|VP`, `/^NN/`, `@NP`, `!NP`, `__`, `_ROOT_`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whorl.search.context import Context
    from whorl.search.regexes import Regex

__all__ = ["AnyLabel", "LabelList", "LabelRegex", "LabelTest", "RootLabel", "basic_category"]

_ANNOTATION = "-=|#^~_["
_MARK = re.compile(f"[{re.escape(_ANNOTATION)}]")


@lru_cache(maxsize=1 << 14)
def basic_category(label: str) -> str:
    """Cut a label before its annotations: `NP-SBJ`, `NP=2` and `NP^S` are `NP`.

    A first character is never cut off, and if it is a mark, neither is its next occurrence:
    `-LRB-` stays whole.
    """
    opening = label[0] if label[:1] and label[0] in _ANNOTATION else ""
    for match in _MARK.finditer(label, 1):
        at, mark = match.start(), match.group()
        if opening and mark == opening and at > 1:
            opening = ""
        elif label[at + 1 : at + 2] != mark:
            return label[:at]
    return label


class LabelTest(ABC):
    """What a node's label must be; with `basic`, its basic category; with `negated`, must not."""

    __slots__ = ("basic", "negated")

    def __init__(self, *, negated: bool = False, basic: bool = False) -> None:
        self.negated = negated
        self.basic = basic

    @abstractmethod
    def accepts(self, label: str) -> bool:
        """Return whether a label, or basic category, fits, apart from negation."""

    def nodes(self, context: Context) -> list[int]:
        """Return the nodes of a tree that fit, in order."""
        lists = [
            nodes
            for label, nodes in self._labels(context).items()
            if self.accepts(label) is not self.negated
        ]
        return _merge(lists)

    def _labels(self, context: Context) -> dict[str, list[int]]:
        return context.table.by_category if self.basic else context.table.by_label


class AnyLabel(LabelTest):
    """`__`: every node."""

    __slots__ = ()

    def accepts(self, label: str) -> bool:
        """Accept everything."""
        return True

    def nodes(self, context: Context) -> list[int]:
        """Return all nodes."""
        return [] if self.negated else list(range(context.table.size))


class RootLabel(LabelTest):
    """`_ROOT_`: the root of the tree."""

    __slots__ = ()

    def accepts(self, label: str) -> bool:
        """Accept everything."""
        return True

    def nodes(self, context: Context) -> list[int]:
        """Return the root."""
        return list(range(1, context.table.size)) if self.negated else [0]


class LabelList(LabelTest):
    """`NP|VP`: one of some labels."""

    __slots__ = ("labels",)

    def __init__(
        self, labels: frozenset[str], *, negated: bool = False, basic: bool = False
    ) -> None:
        super().__init__(negated=negated, basic=basic)
        self.labels = labels

    def accepts(self, label: str) -> bool:
        """Accept the labels of the list."""
        return label in self.labels

    def nodes(self, context: Context) -> list[int]:
        """Look the labels up."""
        if self.negated:
            return super().nodes(context)
        known = self._labels(context)
        return _merge([known[label] for label in self.labels if label in known])


class LabelRegex(LabelTest):
    """`/^NN/`: a regular expression that is found in the label."""

    __slots__ = ("regex",)

    def __init__(self, regex: Regex, *, negated: bool = False, basic: bool = False) -> None:
        super().__init__(negated=negated, basic=basic)
        self.regex = regex

    def accepts(self, label: str) -> bool:
        """Accept labels in which the expression is found."""
        return self.regex.found_in(label)

    def nodes(self, context: Context) -> list[int]:
        """Try the different labels; many long words may take a while."""
        lists = []
        for label, nodes in self._labels(context).items():
            context.timer.check()
            if self.accepts(label) is not self.negated:
                lists.append(nodes)
        return _merge(lists)


def _merge(lists: list[list[int]]) -> list[int]:
    if not lists:
        return []
    if len(lists) == 1:
        return lists[0]
    return sorted(node for nodes in lists for node in nodes)
