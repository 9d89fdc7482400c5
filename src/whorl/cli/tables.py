"""Tables on standard output: drawn on a terminal, plain columns elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from whorl.cli.streams import escape_controls, raw_stream
from whorl.reporting.tables import align_columns

__all__ = ["show_table"]


def show_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = True
) -> None:
    """Print a table whose first column is text and whose others are numbers, or text as well."""
    if sys.stdout.isatty():
        _draw_table(title, header, rows, numbers=numbers)
        return
    print(title)
    for line in align_columns([header, *rows], numbers=numbers):
        print(f"  {line}")


def _draw_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=escape_controls(title), title_justify="left")
    for column, name in enumerate(header):
        table.add_column(name, justify="right" if column and numbers else "left")
    for row in rows:
        table.add_row(*(Text(escape_controls(cell)) for cell in row))
    Console(file=raw_stream(sys.stdout)).print(table)
