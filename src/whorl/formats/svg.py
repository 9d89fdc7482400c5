"""Trees as SVG pictures, one file per tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.formats.base import Format

if TYPE_CHECKING:
    from whorl.engine import Parse
    from whorl.trees import Tree

__all__ = ["Svg"]


class Svg(Format):
    """Trees as SVG pictures, one file per tree."""

    name = "svg"
    is_drawing = True
    marks_uncertain = True
    file_suffix = ".svg"

    def format_tree(self, tree: Tree) -> str:
        """Draw a tree."""
        return tree.svg()

    def format_parse(self, parse: Parse) -> str:
        """Draw the tree of a parse, with its uncertain phrases marked if that was asked for."""
        return parse.svg() if self.probabilities else self.format_tree(parse.tree)
