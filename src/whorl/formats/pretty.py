"""Trees as drawings for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.formats.base import Format

if TYPE_CHECKING:
    from whorl.engine import Parse
    from whorl.trees import Tree

__all__ = ["Pretty"]


class Pretty(Format):
    """Trees as drawings for a terminal."""

    name = "pretty"
    is_drawing = True
    marks_uncertain = True

    def format_tree(self, tree: Tree) -> str:
        """Draw a tree."""
        return tree.pretty(width=self.width)

    def format_parse(self, parse: Parse) -> str:
        """Draw the tree of a parse, with its uncertain phrases marked if that was asked for."""
        return (
            parse.pretty(width=self.width) if self.probabilities else self.format_tree(parse.tree)
        )
