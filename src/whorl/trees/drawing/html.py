"""Trees as HTML, for notebooks: pictures that scroll, and a line that explains them."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.trees.drawing.svg import draw_svg
from whorl.trees.tree import Tree
from whorl.trees.uncertainty import UNCERTAIN, Probabilities, find_uncertain, write_percent

__all__ = ["draw_html"]


def draw_html(
    trees: Iterable[tuple[Tree, Probabilities | None]], *, uncertain_below: float = UNCERTAIN
) -> str:
    """Draw trees, each with the probabilities of its phrases or None, one below the other.

    A line at the end says what dashes mean, if there are any.
    """
    lines = []
    any_uncertain = False
    for tree, probabilities in trees:
        svg = draw_svg(tree, probabilities=probabilities, uncertain_below=uncertain_below)
        lines.append(f'<div style="overflow-x: auto">{svg}</div>')
        any_uncertain |= bool(find_uncertain(tree, probabilities, uncertain_below))
    if any_uncertain:
        limit = write_percent(uncertain_below)
        lines.append(f"<small>Dashed: phrases less than {limit} likely to be right.</small>")
    return "\n".join(lines)
