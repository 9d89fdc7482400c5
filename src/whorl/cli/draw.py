"""`whorl draw`: trees as text, SVG or LaTeX."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.common import (
    OnError,
    OnErrorOption,
    TreesArgument,
    guarded,
    report_skipped,
    written_whole,
)
from whorl.cli.pictures import write_svg
from whorl.errors import TreeError

if TYPE_CHECKING:
    from whorl.trees import Tree

__all__ = ["draw"]

_COLUMNS = 100  # where there is no terminal to ask


class Format(str, Enum):
    """What to draw as."""

    text = "text"
    svg = "svg"
    latex = "latex"


@guarded
def draw(
    trees: TreesArgument = "-",
    *,
    form: Annotated[Format, typer.Option("--format", "-f", help="What to draw as.")] = Format.text,
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            help="A file, or for SVG a folder for one file a tree; standard output else.",
        ),
    ] = "-",
    number: Annotated[
        int | None, typer.Option("--number", "-n", min=1, help="Only this tree; the first is 1.")
    ] = None,
    width: Annotated[
        int | None,
        typer.Option(
            "--width", min=1, help="Columns for text; those of the terminal unless given."
        ),
    ] = None,
    on_error: OnErrorOption = OnError.stop,
) -> None:
    """Draw trees: as text for a terminal, as SVG, or as LaTeX for tikz-qtree."""
    from whorl.trees import iter_trees

    skipped = on_error.collector()
    chosen = _chosen(iter_trees(trees, skipped=skipped), number)
    if form is Format.svg:
        _draw_svgs(chosen, out, number or 1)
    elif form is Format.latex:
        _write_all((tree.latex() for tree in chosen), out)
    else:
        columns = width or (shutil.get_terminal_size().columns if sys.stdout.isatty() else _COLUMNS)
        _write_all((tree.pretty(width=columns) for tree in chosen), out)
    report_skipped(skipped)


def _chosen(trees: Iterator[Tree], number: int | None) -> Iterator[Tree]:
    """All trees, or the one with this number."""
    if number is None:
        yield from trees
        return
    count = 0
    for count, tree in enumerate(islice(trees, number), start=1):
        if count == number:
            yield tree
    if count < number:
        raise TreeError(
            f"no tree number {number}: there {'is' if count == 1 else 'are'} only {count}"
        )


def _write_all(drawings: Iterable[str], out: str) -> None:
    with written_whole(out) as file:
        for number, drawing in enumerate(drawings):
            file.write(("\n" if number else "") + drawing + "\n")


def _draw_svgs(trees: Iterator[Tree], out: str, first: int) -> None:
    """One tree to a file or standard output; any number to a folder, each in a file named by its number."""
    start = list(islice(trees, 2))
    if not start:
        raise TreeError("no tree to draw")
    if _is_folder(out, several=len(start) > 1):
        Path(out).mkdir(parents=True, exist_ok=True)
        for number, tree in enumerate(chain(start, trees), start=first):
            write_svg(tree, Path(out) / f"tree-{number:05}.svg")
    elif len(start) > 1:
        raise TreeError(
            "an SVG file holds one tree, and there are more; choose one with --number, or --out a folder"
        )
    else:
        write_svg(start[0], out)


def _is_folder(out: str, *, several: bool) -> bool:
    if out == "-":
        return False
    return Path(out).is_dir() or out.endswith("/") or (several and not Path(out).suffix)
