"""Trees in brackets, one a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.formats.base import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whorl.engine import Parse
    from whorl.trees import Tree

__all__ = ["Brackets"]


class Brackets(Format):
    """One tree per line, an empty line for an empty sentence.

    With n-best parses, each line is a log-probability, a tab and a tree, and an empty line ends the
    sentence.
    """

    name = "brackets"

    def format_tree(self, tree: Tree) -> str:
        """Format a tree on one line."""
        return str(tree)

    def format_parses(self, parses: Sequence[Parse]) -> str:
        """Format the best tree, or all trees with their log-probabilities."""
        if self.n_best:
            lines = [f"{parse.log_probability:.4f}\t{parse.tree}\n" for parse in parses]
            return "".join(lines) + "\n"
        return f"{parses[0].tree}\n" if parses else "\n"
