"""A compiled edit: a pattern, and the operations to carry out wherever it matches."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter

from whorl.errors import EditError, SearchError, TimeLimitError
from whorl.search.editing.draft import Draft, RefusedError, build_tree, draft_nodes, tabulate
from whorl.search.editing.parser import parse_operations
from whorl.search.heads import STANFORD, HeadTable
from whorl.search.pattern import Match, Pattern
from whorl.search.table import NodeTable
from whorl.trees.tree import Node

__all__ = ["Deadline", "Edit", "compile_edit"]

_LEAST_BOUND = 1000
_CHANGES_PER_NODE = 5


class Deadline:
    """When the edits of one tree must be done."""

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self._end = None if limit is None else perf_counter() + limit

    def left(self) -> float | None:
        """Return the seconds that are left, or None without a limit."""
        return None if self._end is None else self._end - perf_counter()


class Edit:
    """Operations that are carried out as long as a pattern matches.

    `pattern` is the compiled pattern, `operations` are the operations as they were written.
    """

    def __init__(self, pattern: Pattern, operations: Iterable[str]) -> None:
        self.pattern = pattern
        self.operations = tuple(operations)
        if not self.operations:
            raise SearchError(
                f"no operation for the pattern {pattern.source}; expected at least one, such as "
                "'prune n'"
            )
        parsed = parse_operations(self.operations, pattern.names, pattern.variables)
        self._steps = tuple(zip(self.operations, parsed, strict=True))

    def __repr__(self) -> str:
        return f"<Edit {self.pattern.source}: {'; '.join(self.operations)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return Edit, (self.pattern, self.operations)

    def apply(
        self, tree: Node, *, max_changes: int | None = None, time_limit: float | None = None
    ) -> Node | None:
        """Return the edited tree, or None if no tree is left.

        The operations are carried out for the first match; then the search starts again, until
        nothing matches. A tree without a match is returned itself. More changes than `max_changes`
        raise an `EditError`; by default, these are 1,000, or five for each node if that is more.
        More than `time_limit` seconds raise a `TimeLimitError`.
        """
        return self.apply_until(tree, Deadline(time_limit), max_changes=max_changes)

    def apply_until(
        self, tree: Node, deadline: Deadline, *, max_changes: int | None = None
    ) -> Node | None:
        """Do the same before a deadline, which several edits may share."""
        match = self._first(tree, deadline)
        if match is None:
            return tree
        table = match.node.table
        nodes = draft_nodes(table)
        most = max_changes
        if most is None:
            most = max(_LEAST_BOUND, _CHANGES_PER_NODE * table.size)
        changes = 0
        while match is not None:
            if changes >= most:
                raise self._endless(f"the pattern still matches after {most:,} changes", tree)
            changes += 1
            names = {name: nodes[node.number] for name, node in match.names.items()}
            draft = Draft(nodes[0], names, match.variables, table.labels)
            self._change(draft, tree)
            if draft.root is None:
                return None
            before = table
            table, nodes = tabulate(draft.root)
            if table.labels == before.labels and table.arities == before.arities:
                raise self._endless("the operations change nothing where the pattern matches", tree)
            match = self._first(table, deadline)
        return build_tree(table, tree.left)

    def _first(self, tree: Node | NodeTable, deadline: Deadline) -> Match | None:
        left = deadline.left()
        try:
            if left is None or left > 0:
                return self.pattern.first(tree, time_limit=left)
        except TimeLimitError:
            pass
        raise TimeLimitError(
            f"the edit took more than {deadline.limit:g} s on one tree: {self.pattern.source}; "
            "expected a simpler pattern, a smaller tree or a higher time limit"
        )

    def _change(self, draft: Draft, tree: Node) -> None:
        for text, operation in self._steps:
            try:
                operation.apply(draft)
            except RefusedError as refusal:
                raise EditError(
                    refusal.reason,
                    pattern=self.pattern.source,
                    tree=repr(tree),
                    operation=text,
                    position=refusal.position,
                ) from None
            if draft.root is None:
                return

    def _endless(self, reason: str, tree: Node) -> EditError:
        return EditError(
            f"{reason}, so the edit may never end; expected a pattern that does not match what "
            "the operations make",
            pattern=self.pattern.source,
            tree=repr(tree),
        )


def compile_edit(
    pattern: str | Pattern, operations: str | Iterable[str], heads: HeadTable = STANFORD
) -> Edit:
    """Compile a Tregex pattern and Tsurgeon operations, such as `relabel n S`.

    A string may hold several operations, one a line. A pattern that is not valid raises a
    `PatternError`, an operation that is not valid an `OperationError`. `heads` are the rules
    behind `<#`, as in `compile`.
    """
    if isinstance(pattern, str):
        pattern = Pattern(pattern, heads=heads)
    if isinstance(operations, str):
        operations = [line for line in operations.splitlines() if line.strip()]
    return Edit(pattern, operations)
