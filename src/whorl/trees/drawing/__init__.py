"""Drawing trees as text for terminals, as SVG, as HTML for notebooks, and as LaTeX."""

from whorl.trees.drawing.html import draw_html
from whorl.trees.drawing.latex import draw_latex
from whorl.trees.drawing.svg import draw_svg
from whorl.trees.drawing.text import draw_text

__all__ = ["draw_html", "draw_latex", "draw_svg", "draw_text"]
