"""A parsed pattern: nodes, and conditions on them.

`S < NP !< SBAR` is a node with a label, and a condition: every one of two relations to further
nodes. How often a part matches depends on a node alone, unless the part refers to a name or shares
a variable with another part. So it is computed for a whole tree at once, from the words of the
pattern up. For a part that `depends` on what others matched, the result is an upper bound: every
node that can match is among the nodes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence

from whorl.search.context import Context
from whorl.search.labels import LabelTest
from whorl.search.relations import Relation, Tally

__all__ = ["Condition", "Either", "Every", "NodePattern", "Related"]


class NodePattern:
    """A node of a pattern: what its label is, its name, and a condition.

    Instead of a label, it may be a back-reference (`same_as`) or a link (`like`) to a named node.
    `groups` are pairs of a group of the regular expression and a variable.
    """

    __slots__ = ("basic", "condition", "groups", "label", "like", "name", "same_as")

    def __init__(
        self,
        label: LabelTest | None,
        *,
        name: str | None = None,
        same_as: str | None = None,
        like: str | None = None,
        basic: bool = False,
        groups: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.label = label
        self.name = name
        self.same_as = same_as
        self.like = like
        self.basic = basic
        self.groups = tuple(groups)
        self.condition: Condition | None = None

    @property
    def captures(self) -> bool:
        """Whether a match of this node binds names or variables."""
        inside = self.condition is not None and self.condition.captures
        return bool(self.name or self.groups) or inside

    def depends(self, shared: Collection[str]) -> bool:
        """Return whether this node refers to a name or one of the shared variables."""
        return (
            self.same_as is not None
            or self.like is not None
            or any(variable in shared for _, variable in self.groups)
        )

    def candidates(self, context: Context) -> Collection[int]:
        """Return the nodes of a tree that the label fits, in order."""
        if self.label is None:
            return context.table.everything
        return self.label.nodes(context)

    def tally(self, context: Context) -> Tally:
        """Return how often each node of a tree matches, without those that do not."""
        known = context.memo.get(self)
        if known is None:
            context.timer.check()
            nodes = self.candidates(context)
            if self.condition is None or not nodes:
                known = dict.fromkeys(nodes, 1)
            else:
                known = self.condition.tally(context, nodes)
            context.memo[self] = known
        return known


class Condition(ABC):
    """What must hold of a node."""

    __slots__ = ("captures", "depends", "negated", "optional")

    def __init__(self) -> None:
        self.negated = False
        self.optional = False
        # Set by `settle`: whether it binds anything, and whether it refers to what is bound.
        self.captures = False
        self.depends = False

    def tally(self, context: Context, nodes: Collection[int]) -> Tally:
        """Return how often the condition holds of each node, without those of which it does not."""
        if self.negated:
            if self.depends:
                return dict.fromkeys(nodes, 1)
            failing = self._tally(context, nodes)
            return {node: 1 for node in nodes if node not in failing}
        if self.optional:
            return self._tally_optional(context, nodes)
        return self._tally(context, nodes)

    @abstractmethod
    def _tally(self, context: Context, nodes: Collection[int]) -> Tally:
        """Do the same without negation and option."""

    def _tally_optional(self, context: Context, nodes: Collection[int]) -> Tally:
        """An optional group gives all its matches, or one if there are none."""
        tally = self._tally(context, nodes)
        return {node: tally.get(node, 1) for node in nodes}

    @abstractmethod
    def settle(self, shared: Collection[str]) -> None:
        """Set `captures` and `depends`, given the variables that occur more than once."""


class Related(Condition):
    """A relation to a further node: `< NP`."""

    __slots__ = ("relation", "target")

    def __init__(self, relation: Relation, target: NodePattern) -> None:
        super().__init__()
        self.relation = relation
        self.target = target

    def _tally(self, context: Context, nodes: Collection[int]) -> Tally:
        targets = self.target.tally(context)
        return self.relation.tally(context, nodes, targets) if targets else {}

    def _tally_optional(self, context: Context, nodes: Collection[int]) -> Tally:
        """An optional relation gives the first match alone, or one without it."""
        return dict.fromkeys(nodes, 1)

    def settle(self, shared: Collection[str]) -> None:
        """See `Condition`."""
        inside = self.target.condition
        if inside is not None:
            inside.settle(shared)
        self.depends = self.target.depends(shared) or (inside is not None and inside.depends)
        self.captures = self.target.captures and not self.negated


class _Group(Condition):
    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Condition]) -> None:
        super().__init__()
        self.parts = tuple(parts)

    def settle(self, shared: Collection[str]) -> None:
        """See `Condition`."""
        for part in self.parts:
            part.settle(shared)
        self.depends = any(part.depends for part in self.parts)
        self.captures = not self.negated and any(part.captures for part in self.parts)


class Every(_Group):
    """All of some conditions; every combination of their matches counts."""

    __slots__ = ()

    def _tally(self, context: Context, nodes: Collection[int]) -> Tally:
        first, *others = self.parts
        tally = first.tally(context, nodes)
        for part in others:
            if not tally:
                break
            counts = part.tally(context, tally)
            tally = {node: tally[node] * count for node, count in counts.items()}
        return tally


class Either(_Group):
    """Any of some conditions; the matches of all count."""

    __slots__ = ()

    def _tally(self, context: Context, nodes: Collection[int]) -> Tally:
        tallies = [part.tally(context, nodes) for part in self.parts]
        return {
            node: total for node in nodes if (total := sum(tally.get(node, 0) for tally in tallies))
        }
