"""The positions of the nodes of a drawing: each subtree has a block to itself, so nothing overlaps.

A phrase is midway between its first and last child, one level above them; a word is one level below
its tag. All lengths are whole numbers: terminal columns or pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from whorl.trees.tree import Leaf, Node, Tree

__all__ = ["NO_NOTES", "Box", "Notes", "Placement", "place", "with_note"]

Notes: TypeAlias = Mapping[int, str]
"""What is written behind the labels of some phrases, by the `id` of the phrase."""

NO_NOTES: Notes = MappingProxyType({})


@dataclass(slots=True)
class Box:
    """A node in a drawing; `parent` is the number of the box above, -1 for the root."""

    node: Node
    depth: int
    parent: int
    label: str
    """What is shown of the node: its label or tag, and behind it its note if it has one."""
    note: str = ""
    centre: int = 0


@dataclass(frozen=True, slots=True)
class Placement:
    """The boxes, parents first and left to right, and the size of the drawing, words included."""

    boxes: list[Box]
    width: int
    levels: int


def place(
    tree: Tree,
    width_of: Callable[[str], int],
    *,
    gap: int,
    snap: int,
    notes: Notes = NO_NOTES,
) -> Placement:
    """Place the nodes of a tree at least `gap` apart; `width_of` measures labels and words.

    A phrase whose middle is within `snap` of a child's is put straight above that child.
    """
    boxes = _boxes(tree, notes)
    below: list[list[int]] = [[] for _ in boxes]
    for number, box in enumerate(boxes[1:], start=1):
        below[box.parent].append(number)
    lefts, widths = _measure(boxes, below, width_of, gap, snap)
    for number, box in enumerate(boxes[1:], start=1):
        lefts[number] += lefts[box.parent]
    for number, box in enumerate(boxes):
        box.centre += lefts[number]
    levels = max(box.depth + (2 if type(box.node) is Leaf else 1) for box in boxes)
    return Placement(boxes, widths[0], levels)


def with_note(label: str, note: str) -> str:
    """Return a label with a note behind it, if there is one."""
    return f"{label} {note}" if note else label


def _boxes(tree: Tree, notes: Notes) -> list[Box]:
    boxes: list[Box] = []
    pending: list[tuple[Node, int, int]] = [(tree, 0, -1)]
    while pending:
        node, depth, parent = pending.pop()
        pending.extend((child, depth + 1, len(boxes)) for child in node.children[::-1])
        note = notes.get(id(node), "") if notes else ""
        boxes.append(Box(node, depth, parent, with_note(node.label, note), note))
    return boxes


def _measure(
    boxes: list[Box], below: list[list[int]], width_of: Callable[[str], int], gap: int, snap: int
) -> tuple[list[int], list[int]]:
    """Return each block's left edge within the one above, and its width; set the centres."""
    lefts, widths = [0] * len(boxes), [0] * len(boxes)
    for number in range(len(boxes) - 1, -1, -1):
        box = boxes[number]
        own = width_of(box.label)
        if type(box.node) is Leaf:
            widths[number] = max(own, width_of(box.node.word))
            box.centre = widths[number] // 2
            continue
        edge = -gap
        for child in below[number]:
            lefts[child] = edge + gap
            edge = lefts[child] + widths[child]
        centre = _middle([lefts[child] + boxes[child].centre for child in below[number]], snap)
        shift = max(0, own // 2 - centre)
        if shift:
            for child in below[number]:
                lefts[child] += shift
        box.centre = centre + shift
        widths[number] = max(edge + shift, box.centre - own // 2 + own)
    return lefts, widths


def _middle(centres: list[int], snap: int) -> int:
    middle = (centres[0] + centres[-1]) // 2
    nearest = min(centres, key=lambda centre: abs(centre - middle))
    inner = len(centres) > 2 and centres[0] < nearest < centres[-1]
    return nearest if inner and abs(nearest - middle) <= snap else middle
