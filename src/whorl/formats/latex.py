"""Trees as LaTeX, for tikz-qtree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.formats.base import Format

if TYPE_CHECKING:
    from whorl.trees import Tree

__all__ = ["Latex"]


class Latex(Format):
    """Trees as LaTeX, for tikz-qtree."""

    name = "latex"
    is_drawing = True
    comment = "% "

    def format_tree(self, tree: Tree) -> str:
        """Draw a tree."""
        return tree.latex()
