"""Colours on terminals: when to use them, and brackets with some nodes in colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from whorl.cli.streams import escape_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from whorl.search import TreeNode

__all__ = ["Colour", "paint", "paint_tree"]


class Colour(str, Enum):
    """When to use colours."""

    auto = "auto"
    always = "always"
    never = "never"

    def is_on(self, out: str) -> bool:
        """Return whether to colour what goes to `out`.

        By default, if that is a terminal and the environment does not ask for none: see
        https://no-color.org.
        """
        if self is Colour.auto:
            is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
            return out == "-" and sys.stdout.isatty() and not is_plain
        return self is Colour.always


def paint(text: str, style: str) -> str:
    """Return a text in a style, the parameters of an SGR sequence; control characters escaped."""
    shown = escape_controls(text)
    return f"\x1b[{style}m{shown}\x1b[0m" if style and shown else shown


def paint_tree(root: TreeNode, styles: Mapping[int, str]) -> str:
    """Write a tree in brackets with some nodes, by their numbers, and all below them in styles."""
    runs = groupby(_pieces(root, styles), key=lambda piece: piece[1])
    return "".join(paint("".join(text for text, _ in run), style) for style, run in runs)


def _pieces(root: TreeNode, styles: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """Yield the brackets of a tree in pieces, each with its style."""
    table = root.table
    path: list[tuple[int, str, str]] = []  # of each open node: its end, style, closing bracket
    for node in range(root.number, table.ends[root.number]):
        above = path[-1][1] if path else ""
        style = styles.get(node, above)
        if path:
            yield " ", above
        label, is_word = table.labels[node], not table.arities[node]
        yield (label if is_word else f"({label}"), style
        path.append((table.ends[node], style, "" if is_word else ")"))
        while path and path[-1][0] == node + 1:
            _, style, closing = path.pop()
            yield closing, style
