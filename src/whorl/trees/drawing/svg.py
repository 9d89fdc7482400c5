"""Trees as SVG: a self-contained picture in the colour of the surrounding text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from whorl.trees.drawing.placement import Box, place
from whorl.trees.drawing.text import display_width
from whorl.trees.tree import Leaf, Tree

__all__ = ["draw_svg"]

_SIZE = 15  # pixels of the font
_LEVEL = 50  # from one level to the next
_WORD_LEVEL = 28  # from a tag to its word
_GAP = 16
_MARGIN = 12
_ASCENT, _DESCENT = 14, 8  # the clearance of lines from a baseline
_FLAT = 130  # the farthest that a child may be to the side for straight lines
_CORNER = 5
_FONT = "Helvetica, Arial, 'Noto Sans', 'Liberation Sans', 'Noto Sans CJK JP', sans-serif"
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})

# Widths in thousandths of the font size, on the safe side for browsers' sans-serif fonts.
_NARROW, _SLIM, _MIDDLE, _CAPITAL, _BROAD = 300, 380, 570, 720, 900
_WIDTHS = {
    **dict.fromkeys("ijl|!',.:;I`", _NARROW),
    **dict.fromkeys('frt()[]{}/\\-" ', _SLIM),
    **dict.fromkeys("mwMW@%—", _BROAD),
}


def draw_svg(tree: Tree) -> str:
    """Draw a tree as an SVG document, titled with the sentence for screen readers."""
    placement = place(tree, _text_width, gap=_GAP, snap=_CORNER)
    words = [box for box in placement.boxes if type(box.node) is Leaf]
    width = placement.width + 2 * _MARGIN
    height = max(_baseline(box.depth) for box in words) + _WORD_LEVEL + _DESCENT + _MARGIN
    title = _xml(" ".join(tree.words()))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{title}" font-family="{_FONT}" font-size="{_SIZE}" '
        'text-anchor="middle" fill="currentColor">',
        f"<title>{title}</title>",
        f'<path d="{"".join(_edges(placement.boxes))}" fill="none" stroke="currentColor" '
        'stroke-opacity="0.45"/>',
        '<g font-weight="600">',
        *(
            _text(box.centre, _baseline(box.depth), box.node.label)
            for box in placement.boxes
            if type(box.node) is Tree
        ),
        '</g><g fill-opacity="0.65">',
        *(_text(box.centre, _baseline(box.depth), box.node.label) for box in words),
        "</g><g>",
        *(
            _text(box.centre, _baseline(box.depth) + _WORD_LEVEL, box.node.word)
            for box in placement.boxes
            if type(box.node) is Leaf
        ),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _baseline(depth: int) -> int:
    return _MARGIN + _ASCENT + depth * _LEVEL


def _edges(boxes: list[Box]) -> Iterator[str]:
    """Yield the lines from phrases to children: straight, or square if those were nearly flat."""
    flattest = max((abs(box.centre - boxes[box.parent].centre) for box in boxes[1:]), default=0)
    line = _straight if flattest <= _FLAT else _square
    for box in boxes[1:]:
        above = boxes[box.parent]
        top, bottom = _baseline(above.depth) + _DESCENT, _baseline(box.depth) - _ASCENT - 2
        yield line(above.centre + _MARGIN, top, box.centre + _MARGIN, bottom)


def _straight(x: int, top: int, to_x: int, bottom: int) -> str:
    return f"M{x} {top}L{to_x} {bottom}"


def _square(x: int, top: int, to_x: int, bottom: int) -> str:
    """Draw a line down, across and down, with a rounded corner above the child."""
    middle = (top + bottom) // 2
    across = to_x - x
    if abs(across) <= _CORNER:
        return _straight(x, top, to_x, bottom)
    before = to_x - _CORNER if across > 0 else to_x + _CORNER
    return f"M{x} {top}V{middle}H{before}Q{to_x} {middle} {to_x} {middle + _CORNER}V{bottom}"


def _text(centre: int, baseline: int, text: str) -> str:
    return f'<text x="{centre + _MARGIN}" y="{baseline}">{_xml(text)}</text>'


def _xml(text: str) -> str:
    """Escape a text for XML and replace the characters that XML forbids."""
    return _NOT_XML.sub("\ufffd", text).translate(_ENTITIES)


@lru_cache(maxsize=1 << 14)
def _text_width(text: str) -> int:
    """Return the width of a text in pixels, rounded up."""
    return math.ceil(sum(map(_character_width, text)) * _SIZE / 1000)


def _character_width(character: str) -> int:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    columns = display_width(character)
    if columns != 1:
        return 500 * columns
    return _CAPITAL if character.isupper() else _MIDDLE
