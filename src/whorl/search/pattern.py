"""Compiled patterns, their matches, and the nodes of matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, cast

from whorl.errors import SearchError
from whorl.search.conditions import NodePattern
from whorl.search.context import Context
from whorl.search.enumeration import Enumeration, State
from whorl.search.heads import STANFORD, HeadTable
from whorl.search.limits import Timer
from whorl.search.parser import parse
from whorl.search.relations import Tally
from whorl.search.table import NodeTable, table_of
from whorl.trees import Leaf, Node, Tree

__all__ = ["Match", "Pattern", "TreeNode", "compile"]

Searchable: TypeAlias = Node | NodeTable


class TreeNode(NamedTuple):
    """A node of a tree, words included.

    `number` counts the nodes from 0, parents first, left to right.
    """

    table: NodeTable
    number: int

    @property
    def label(self) -> str:
        """The label, the tag, or the word as in a file: `-LRB-` for `(`."""
        return self.table.labels[self.number]

    @property
    def is_word(self) -> bool:
        """Whether this is a word, not a tag or phrase."""
        return not self.table.arities[self.number]

    @property
    def tree(self) -> Node:
        """The phrase, or the leaf; the leaf of a word too, since words are no trees."""
        return cast("Node", self.table.sources[self.number])

    @property
    def left(self) -> int:
        """The position of the first word."""
        return self.table.left + self.table.lefts[self.number]

    @property
    def right(self) -> int:
        """The position after the last word."""
        return self.table.left + self.table.rights[self.number]

    @property
    def span(self) -> tuple[int, int]:
        """The words `[left, right)`."""
        return self.left, self.right

    def __repr__(self) -> str:
        return f"<TreeNode {self.number}: {self.label!r} over {self.span}>"

    def __str__(self) -> str:
        return self.label if self.is_word else str(self.tree)


class Match:
    """One way in which a pattern matches a node.

    `names` has the named nodes, `variables` the strings that groups of regular expressions
    captured; those of an alternative or option that was not used are missing. `tree_number` counts
    the trees of a search from 0.
    """

    __slots__ = ("names", "node", "tree_number", "variables")

    def __init__(
        self,
        node: TreeNode,
        names: Mapping[str, TreeNode],
        variables: Mapping[str, str],
        tree_number: int = 0,
    ) -> None:
        self.node = node
        self.names = names
        self.variables = variables
        self.tree_number = tree_number

    @property
    def tree(self) -> Node:
        """The whole tree."""
        return TreeNode(self.node.table, 0).tree

    @property
    def span(self) -> tuple[int, int]:
        """The words `[left, right)` of the node."""
        return self.node.span

    def __getitem__(self, name: str) -> TreeNode:
        """Return the node with a name."""
        return self.names[name]

    def __repr__(self) -> str:
        return (
            f"<Match {self.node!r} {dict(self.names)!r}>"
            if self.names
            else f"<Match {self.node!r}>"
        )

    def __str__(self) -> str:
        return str(self.node)


_NOTHING: Mapping[str, object] = MappingProxyType({})
_NO_NAMES = cast("Mapping[str, TreeNode]", _NOTHING)
_NO_VARIABLES = cast("Mapping[str, str]", _NOTHING)


class _Alternative:
    """One of the alternatives at the root of a pattern."""

    def __init__(self, root: NodePattern, shared: frozenset[str]) -> None:
        inside = root.condition
        self._root = root
        self.depends = root.depends(shared) or (inside is not None and inside.depends)
        self.enumeration = Enumeration(root) if self.depends or root.captures else None

    def tally(self, context: Context) -> Tally:
        """Return how often each node matches; if it `depends`, at most."""
        return self._root.tally(context)

    def nodes(self, context: Context) -> Iterable[int]:
        """Return the nodes that match."""
        tally = self.tally(context)
        if not self.depends or self.enumeration is None:
            return tally
        return [node for node in tally if any(True for _ in self._matches(context, node))]

    def count(self, context: Context) -> int:
        """Return the number of matches."""
        tally = self.tally(context)
        if not self.depends or self.enumeration is None:
            return sum(tally.values())
        return sum(1 for node in tally for _ in self._matches(context, node))

    def _matches(self, context: Context, node: int) -> Iterable[State]:
        return self.enumeration.matches_at(context, node) if self.enumeration else ()


class Pattern:
    """A compiled pattern.

    `names` and `variables` are those that it may bind, in order. `heads` are the rules behind `<#`.
    """

    def __init__(self, source: str, *, heads: HeadTable = STANFORD) -> None:
        parsed = parse(source)
        self.source = source
        self.heads = heads
        self.names = parsed.names
        self.variables = parsed.variables
        self._alternatives = [_Alternative(root, parsed.shared) for root in parsed.alternatives]

    def __repr__(self) -> str:
        return f"<Pattern {self.source}>"

    def __reduce__(self) -> tuple[object, ...]:
        return compile, (self.source, self.heads)

    def finditer(self, tree: Searchable, *, time_limit: float | None = None) -> Iterator[Match]:
        """Yield every match in a tree, as Tregex counts and orders them.

        A node counts once for every way in which it matches. A search that takes longer than
        `time_limit` seconds raises a `TimeLimitError`.
        """
        return self.search((tree,), time_limit=time_limit)

    def search(
        self, trees: Iterable[Searchable], *, time_limit: float | None = None
    ) -> Iterator[Match]:
        """Yield every match in some trees, as `finditer` does; the limit is for each tree."""
        for number, tree in enumerate(trees):
            context = self._context(tree, time_limit)
            tallies = [alternative.tally(context) for alternative in self._alternatives]
            for node in _union(tallies):
                for alternative, tally in zip(self._alternatives, tallies, strict=True):
                    if node in tally:
                        yield from self._matches_at(
                            TreeNode(context.table, node), alternative, context, number
                        )

    def _matches_at(
        self, node: TreeNode, alternative: _Alternative, context: Context, tree_number: int
    ) -> Iterator[Match]:
        if alternative.enumeration is None:
            match = Match(node, _NO_NAMES, _NO_VARIABLES, tree_number)
            yield from repeat(match, alternative.tally(context)[node.number])
            return
        for state in alternative.enumeration.matches_at(context, node.number):
            names = {name: TreeNode(node.table, state.names[name]) for name in state.names}
            context.timer.pause()
            yield Match(node, names, dict(state.variables), tree_number)
            context.timer.resume()

    def first(self, tree: Searchable, *, time_limit: float | None = None) -> Match | None:
        """Return the first match in a tree, or None."""
        return next(self.finditer(tree, time_limit=time_limit), None)

    def nodes(self, tree: Searchable, *, time_limit: float | None = None) -> list[TreeNode]:
        """Return the different nodes of a tree that match, in order."""
        context = self._context(tree, time_limit)
        numbers = [alternative.nodes(context) for alternative in self._alternatives]
        return [TreeNode(context.table, node) for node in _union(numbers)]

    def count(self, tree: Searchable, *, time_limit: float | None = None) -> int:
        """Return the number of matches in a tree, without going through them where possible."""
        context = self._context(tree, time_limit)
        return sum(alternative.count(context) for alternative in self._alternatives)

    def _context(self, tree: Searchable, time_limit: float | None) -> Context:
        if isinstance(tree, Tree | Leaf):
            table = table_of(tree)
        elif isinstance(tree, NodeTable):
            table = tree
        else:
            kind = type(tree).__name__
            raise SearchError(f"cannot search {kind}: expected a Tree, Leaf or NodeTable: {tree!r}")
        return Context(table, self.heads, Timer(time_limit, self.source))


def _union(groups: Sequence[Iterable[int]]) -> Iterable[int]:
    """Return the nodes of some ascending groups, in order and once."""
    if len(groups) == 1:
        return groups[0]
    return sorted(set().union(*groups))


def compile(pattern: str, heads: HeadTable = STANFORD) -> Pattern:
    """Compile a Tregex pattern; one that is not valid raises a `PatternError`.

    `heads` are the rules behind `<#` and its relatives: those of Stanford Tregex, or for example
    `whorl.trees.head_rules("chinese")`.
    """
    return Pattern(pattern, heads=heads)
