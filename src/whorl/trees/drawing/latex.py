r"""Trees as LaTeX, for the package `tikz-qtree`."""

from __future__ import annotations

import re

from whorl.trees.tree import Leaf, Node, Tree

__all__ = ["draw_latex"]

_PLAIN = re.compile(r"\w+")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
}
_TRANSLATION = str.maketrans(_SPECIAL)


def draw_latex(tree: Tree) -> str:
    r"""Write a tree as `\Tree [.S ... ]` for `tikz-qtree`; it goes into a `tikzpicture`.

    Text beyond ASCII stays: XeLaTeX and LuaLaTeX set it, given a font that has it.
    """
    parts = [r"\Tree"]
    pending: list[Node | None] = [tree]  # None closes the phrase that is open
    while pending:
        node = pending.pop()
        if node is None:
            parts.append("]")
        elif type(node) is Leaf:
            parts.append(f"[.{_escape(node.tag)} {_escape(node.word)} ]")
        else:
            parts.append(f"[.{_escape(node.label)}")
            pending.append(None)
            pending.extend(node.children[::-1])
    return " ".join(parts)


def _escape(text: str) -> str:
    """Return a label or word as one argument, in braces unless it is only letters and digits."""
    plain = _PLAIN.fullmatch(text) and "_" not in text
    return text if plain else "{" + text.translate(_TRANSLATION) + "}"
