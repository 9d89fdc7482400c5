"""Drawing trees as text for terminals, as SVG, and as LaTeX."""

from whorl.trees.drawing.latex import draw_latex
from whorl.trees.drawing.svg import draw_svg
from whorl.trees.drawing.text import draw_text

__all__ = ["draw_latex", "draw_svg", "draw_text"]
