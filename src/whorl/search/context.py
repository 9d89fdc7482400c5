"""What a search knows while it runs on one tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.search.limits import Timer
from whorl.search.table import NodeTable

if TYPE_CHECKING:
    from whorl.search.heads import HeadTable
    from whorl.search.labels import LabelTest

__all__ = ["Context"]


class Context:
    """One tree as arrays, the table of heads, the timer, and what was computed before."""

    __slots__ = ("_head_table", "_inside", "memo", "table", "timer")

    def __init__(self, table: NodeTable, head_table: HeadTable, timer: Timer) -> None:
        self.table = table
        self.timer = timer
        self.memo: dict[object, dict[int, int]] = {}
        self._head_table = head_table
        self._inside: dict[LabelTest, frozenset[int]] = {}

    def heads(self) -> list[int]:
        """Return the head child of each node, -1 for those without children."""
        return self.table.heads(self._head_table)

    def inside(self, test: LabelTest) -> frozenset[int]:
        """Return the nodes that an unbroken chain may pass through."""
        nodes = self._inside.get(test)
        if nodes is None:
            nodes = self._inside[test] = frozenset(test.nodes(self))
        return nodes
