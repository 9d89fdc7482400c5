"""Tables as text: aligned columns, and Markdown."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["align_columns", "markdown_table"]

Row = Sequence[str]


def align_columns(rows: Sequence[Row], *, numbers: bool = True) -> list[str]:
    """Return lines of aligned columns, two spaces apart.

    The first column is flush left. The others hold numbers and are flush right, or, without
    `numbers`, text.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [first.ljust(widths[0])]
        for cell, width in zip(others, widths[1:], strict=True):
            cells.append(cell.rjust(width) if numbers else cell.ljust(width))
        lines.append("  ".join(cells).rstrip())
    return lines


def markdown_table(header: Row, rows: Sequence[Row]) -> str:
    """Return a Markdown table whose first column is text and whose others are numbers."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))
