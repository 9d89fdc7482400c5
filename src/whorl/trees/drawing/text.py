"""Trees as text with Unicode box-drawing characters."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from whorl.trees.drawing.placement import NO_NOTES, Box, Notes, Placement, place, with_note
from whorl.trees.tree import Leaf, Node, Tree
from whorl.trees.uncertainty import UNCERTAIN, Probabilities, find_uncertain, write_percent

__all__ = ["display_width", "draw_text"]

_GAP = 2
# Levels of lines shown at the left of a sideways drawing; those further up are counted.
_SHOWN = 60
# What continues below a branch.
_RAIL = {"": "", "├─ ": "│  ", "├╌ ": "│  ", "└─ ": "   ", "└╌ ": "   "}


def draw_text(
    tree: Tree,
    *,
    width: int = 100,
    probabilities: Probabilities | None = None,
    uncertain_below: float = UNCERTAIN,
) -> str:
    """Draw a tree from the root down if that fits into `width` columns, else left to right.

    Given `probabilities` of its phrases, uncertain ones have theirs behind the label, and dashed
    lines to their children.
    """
    notes = {
        id(node): write_percent(probability)
        for node, probability in find_uncertain(tree, probabilities, uncertain_below)
    }
    # A word takes at least one column.
    if tree.right - tree.left <= width:
        placement = place(tree, display_width, gap=_GAP, snap=2, notes=notes)
        if placement.width <= width:
            return _draw_down(placement)
    return _draw_sideways(tree, notes)


def display_width(text: str) -> int:
    """Return the terminal columns of a text: two for wide East Asian characters, none for marks."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


@lru_cache(maxsize=1 << 14)
def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _draw_down(placement: Placement) -> str:
    rows: list[list[tuple[int, str]]] = [[] for _ in range(2 * placement.levels - 1)]
    below: list[list[int]] = [[] for _ in placement.boxes]
    for box in placement.boxes:
        if box.parent >= 0:
            below[box.parent].append(box.centre)
        _write(rows[2 * box.depth], box.centre, box.label)
        if type(box.node) is Leaf:
            rows[2 * box.depth + 1].append((box.centre, "│"))
            _write(rows[2 * box.depth + 2], box.centre, box.node.word)
    for box, centres in zip(placement.boxes, below, strict=True):
        if centres:
            rows[2 * box.depth + 1].append((centres[0], _branches(box, centres)))
    return "\n".join(map(_joined, rows))


def _write(row: list[tuple[int, str]], centre: int, text: str) -> None:
    row.append((centre - display_width(text) // 2, text))


def _branches(box: Box, centres: list[int]) -> str:
    if len(centres) == 1:
        return "╎" if box.note else "│"
    start = centres[0]
    line = ["╌" if box.note else "─"] * (centres[-1] - start + 1)
    for centre in centres[1:-1]:
        line[centre - start] = "┬"
    line[0], line[-1] = "┌", "┐"
    at = box.centre - start
    line[at] = "┼" if line[at] == "┬" else "┴"
    return "".join(line)


def _joined(row: list[tuple[int, str]]) -> str:
    parts: list[str] = []
    column = 0
    for start, text in sorted(row):
        parts.append(" " * (start - column) + text)
        column = start + display_width(text)
    return "".join(parts)


def _draw_sideways(tree: Tree, notes: Notes = NO_NOTES) -> str:
    """Draw one node per line, children indented below; an only child stays on its parent's line."""
    lines: list[str] = []
    # Nodes, each with the lines from further up, the branch to it, and its depth.
    pending: list[tuple[Node, str, str, int]] = [(tree, "", "", 0)]
    while pending:
        node, rails, branch, depth = pending.pop()
        text, last = _run(node, notes)
        above = f"⋯{depth - _SHOWN} more⋯ " if depth > _SHOWN else ""
        lines.append(above + rails + branch + text)
        inner = (rails + _RAIL[branch])[-3 * _SHOWN :]
        dash = "╌" if id(last) in notes else "─"
        branches = [f"├{dash} "] * (len(last.children) - 1) + [f"└{dash} "]
        pending.extend(
            (child, inner, to_child, depth + 1)
            for child, to_child in zip(last.children[::-1], branches[::-1], strict=False)
        )
    return "\n".join(lines)


def _run(node: Node, notes: Notes) -> tuple[str, Node]:
    """Return the text of a node and its chain of only children, and the last of them."""
    parts = [with_note(node.label or "()", notes.get(id(node), ""))]
    while type(node) is Tree and len(node.children) == 1:
        dash = " ╌ " if id(node) in notes else " ─ "
        node = node.children[0]
        parts += [dash, with_note(node.label, notes.get(id(node), ""))]
    text = "".join(parts)
    return (f"{text} {node.word}", node) if type(node) is Leaf else (text, node)
