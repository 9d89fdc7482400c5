"""Trees as SVG: a self-contained picture in the colour of the surrounding text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from whorl.trees.drawing.placement import Box, place
from whorl.trees.drawing.text import display_width
from whorl.trees.tree import Leaf, Tree
from whorl.trees.uncertainty import (
    UNCERTAIN,
    Probabilities,
    find_uncertain,
    write_percent,
    zip_phrases,
)

__all__ = ["draw_svg"]

_SIZE = 15  # pixels of the font
_LEVEL = 50  # from one level to the next
_WORD_LEVEL = 28  # from a tag to its word
_GAP = 16
_MARGIN = 12
_ASCENT, _DESCENT = 14, 8  # the clearance of lines from a baseline
_FLAT = 130  # the farthest that a child may be to the side for straight lines
_CORNER = 5
_NOTE_SIZE = 11  # pixels of the font of probabilities
_DESCRIBED = 8  # of a longer phrase, a description has the first and the last words only
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


def draw_svg(
    tree: Tree,
    *,
    probabilities: Probabilities | None = None,
    uncertain_below: float = UNCERTAIN,
) -> str:
    """Draw a tree as an SVG document, titled with the sentence for screen readers.

    Given `probabilities` of its phrases, uncertain ones are in light italics with their probability
    behind the label and dashed lines to their children, and the description of the picture lists
    them. The probability of every phrase is a tooltip.
    """
    uncertain = find_uncertain(tree, probabilities, uncertain_below)
    notes = {id(node): write_percent(probability) for node, probability in uncertain}
    tooltips = {} if probabilities is None else dict(_tooltips(tree, probabilities))
    placement = place(tree, _text_width, gap=_GAP, snap=_CORNER, notes=notes)
    words = [box for box in placement.boxes if type(box.node) is Leaf]
    phrases = [box for box in placement.boxes if type(box.node) is Tree]
    width = placement.width + 2 * _MARGIN
    height = max(_baseline(box.depth) for box in words) + _WORD_LEVEL + _DESCENT + _MARGIN
    title = _xml(" ".join(tree.words()))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{title}" font-family="{_FONT}" font-size="{_SIZE}" '
        'text-anchor="middle" fill="currentColor">',
        f"<title>{title}</title>",
        *([f"<desc>{_xml(_describe(tree, uncertain))}</desc>"] if uncertain else []),
        *_lines(placement.boxes),
        '<g font-weight="600">',
        *(_label(box, tooltips) for box in phrases),
        '</g><g fill-opacity="0.65">',
        *(_text(box.centre, _baseline(box.depth), box.label) for box in words),
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


def _tooltips(tree: Tree, probabilities: Probabilities) -> Iterator[tuple[int, str]]:
    """Yield the tooltip of each phrase whose probability is known."""
    for node, probability in zip_phrases(tree, probabilities):
        if probability is not None:
            yield id(node), f"{node.label or 'root'}: probability {probability:.3f}"


def _describe(tree: Tree, uncertain: list[tuple[Tree, float]]) -> str:
    """List the uncertain phrases for those who cannot see them."""
    words = tree.words()
    listed = []
    for node, probability in uncertain:
        left, right = node.left - tree.left, node.right - tree.left
        if right - left <= _DESCRIBED:
            shown = words[left:right]
        else:
            shown = [*words[left : left + _DESCRIBED - 2], "…", words[right - 1]]
        listed.append(f"{node.label} “{' '.join(shown)}” {write_percent(probability)}")
    return f"Uncertain: {', '.join(listed)}"


def _label(box: Box, tooltips: Mapping[int, str]) -> str:
    """Return the label of a phrase, with its note and its tooltip if it has them."""
    if not box.note:
        text = _text(box.centre, _baseline(box.depth), box.label)
    else:
        text = (
            f'<text x="{box.centre + _MARGIN}" y="{_baseline(box.depth)}" font-weight="400" '
            f'font-style="italic" fill-opacity="0.75">{_xml(box.node.label)} '
            f'<tspan font-size="{_NOTE_SIZE}" font-style="normal">{box.note}</tspan></text>'
        )
    tooltip = tooltips.get(id(box.node))
    return text if tooltip is None else f"<g><title>{_xml(tooltip)}</title>{text}</g>"


def _baseline(depth: int) -> int:
    return _MARGIN + _ASCENT + depth * _LEVEL


def _lines(boxes: list[Box]) -> Iterator[str]:
    """Yield the lines from phrases to their children, then the dashed ones of uncertain phrases.

    Lines are straight, or square if those were nearly flat.
    """
    flattest = max((abs(box.centre - boxes[box.parent].centre) for box in boxes[1:]), default=0)
    line = _straight if flattest <= _FLAT else _square
    solid: list[str] = []
    dashed: list[str] = []
    for box in boxes[1:]:
        above = boxes[box.parent]
        top, bottom = _baseline(above.depth) + _DESCENT, _baseline(box.depth) - _ASCENT - 2
        edges = dashed if above.note else solid
        edges.append(line(above.centre + _MARGIN, top, box.centre + _MARGIN, bottom))
    for edges, style in (
        (solid, 'stroke-opacity="0.45"'),
        (dashed, 'stroke-opacity="0.6" stroke-dasharray="4 3"'),
    ):
        if edges:
            yield f'<path d="{"".join(edges)}" fill="none" stroke="currentColor" {style}/>'


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
