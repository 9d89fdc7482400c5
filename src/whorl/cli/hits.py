"""What `whorl search` finds in one tree, and where the tree stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from whorl.errors import SearchError, TimeLimitError
from whorl.search import Match, Pattern, TreeNode
from whorl.search.table import table_of
from whorl.trees import normalise_root

if TYPE_CHECKING:
    from whorl.parser.documents import Sentence
    from whorl.trees import Tree

__all__ = ["Hit", "Place", "Query", "Unit", "errors_at"]


class Unit(str, Enum):
    """What counts as one result."""

    match = "match"
    node = "node"
    tree = "tree"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tree stands."""

    source: str | None
    """The file, `-` for standard input, None for an argument."""
    line: int | None
    number: int
    """The number of the tree in its source, from 1."""
    sentence: Sentence | None = None
    """The sentence in its text, if it was parsed."""

    def __str__(self) -> str:
        name = {None: "the argument", "-": "standard input"}.get(self.source, self.source)
        return f"{name}:{'' if self.line is None else f'{self.line}:'} tree {self.number}"


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: a match, or a whole tree with the nodes that match."""

    pattern: str
    """The name of the pattern."""
    root: TreeNode
    nodes: tuple[TreeNode, ...]
    match: Match | None = None
    """The match; None for a whole tree."""


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for. It can be pickled, so that worker processes can search what they parse.

    With `invert`, a result is a tree in which a pattern does not match. `root`, if given, becomes
    the label of the root. `time_limit` is in seconds for each tree and pattern.
    """

    patterns: Mapping[str, Pattern]
    unit: Unit = Unit.match
    invert: bool = False
    root: str | None = None
    time_limit: float | None = None

    def hits(self, tree: Tree, place: Place) -> Iterator[Hit]:
        """Yield the results in a tree, pattern by pattern."""
        rooted = self._rooted(tree)
        top = TreeNode(table_of(rooted), 0)
        for name, pattern in self.patterns.items():
            with errors_at(place):
                yield from self._hits_of(name, pattern, rooted, top)

    def counts(self, tree: Tree, place: Place) -> list[int]:
        """Return the number of results of each pattern."""
        rooted = self._rooted(tree)
        with errors_at(place):
            return [self._count(pattern, rooted) for pattern in self.patterns.values()]

    def _rooted(self, tree: Tree) -> Tree:
        return tree if self.root is None else normalise_root(tree, self.root)

    def _hits_of(self, name: str, pattern: Pattern, tree: Tree, top: TreeNode) -> Iterator[Hit]:
        if self.unit is Unit.tree:
            nodes = pattern.nodes(tree, time_limit=self.time_limit)
            if bool(nodes) is not self.invert:
                yield Hit(name, top, tuple(nodes))
            return
        for match in self._matches(pattern, tree):
            yield Hit(name, top, (match.node,), match)

    def _matches(self, pattern: Pattern, tree: Tree) -> Iterator[Match]:
        if self.unit is Unit.match:
            yield from pattern.finditer(tree, time_limit=self.time_limit)
        elif not pattern.names and not pattern.variables:
            for node in pattern.nodes(tree, time_limit=self.time_limit):
                yield Match(node, {}, {})
        else:
            last = None
            for match in pattern.finditer(tree, time_limit=self.time_limit):
                if match.node.number != last:
                    yield match
                last = match.node.number

    def _count(self, pattern: Pattern, tree: Tree) -> int:
        if self.unit is Unit.match:
            return pattern.count(tree, time_limit=self.time_limit)
        nodes = pattern.nodes(tree, time_limit=self.time_limit)
        return len(nodes) if self.unit is Unit.node else int(bool(nodes) is not self.invert)


@contextmanager
def errors_at(place: Place) -> Iterator[None]:
    """Name the tree in errors of a search."""
    try:
        yield
    except TimeLimitError as error:
        raise TimeLimitError(f"{place}: {error}") from None
    except SearchError as error:
        raise SearchError(f"{place}: {error}") from None
