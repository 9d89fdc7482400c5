"""Trees as drawings for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.formats.base import Format

if TYPE_CHECKING:
    from whorl.trees import Tree

__all__ = ["Pretty"]


class Pretty(Format):
    """Trees as drawings for a terminal."""

    name = "pretty"
    is_drawing = True

    def format_tree(self, tree: Tree) -> str:
        """Draw a tree."""
        return tree.pretty(width=self.width)
