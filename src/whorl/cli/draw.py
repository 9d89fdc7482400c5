"""`whorl draw`: trees as text, SVG or LaTeX.

Annotations are evaluated here, not postponed: Typer would evaluate them one by one, which is slow.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whorl.cli.choices import format_option
from whorl.cli.common import (
    OnError,
    OnErrorOption,
    TreesArgument,
    guarded,
    open_output,
    report_skipped,
    terminal_width,
)
from whorl.errors import TreeError
from whorl.formats import all_formats, get_format

if TYPE_CHECKING:
    from whorl.trees import Tree

__all__ = ["draw"]

_DRAWINGS = [name for name, form in all_formats().items() if form.is_drawing]
_TEXT = "text"  # another name of the format `pretty`


@guarded
def draw(
    trees: TreesArgument = "-",
    *,
    format_name: Annotated[str, format_option([_TEXT, *_DRAWINGS])] = _TEXT,
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            help="A file, or for SVG a folder with one file per tree; standard output by default.",
        ),
    ] = "-",
    number: Annotated[
        int | None, typer.Option("--number", "-n", min=1, help="Only this tree; the first is 1.")
    ] = None,
    width: Annotated[
        int | None,
        typer.Option("--width", min=1, help="Columns for text; by default those of the terminal."),
    ] = None,
    on_error: OnErrorOption = OnError.stop,
) -> None:
    """Draw trees: as text for a terminal, as SVG, or as LaTeX for tikz-qtree."""
    from whorl.trees import iter_trees

    skipped = on_error.collector()
    selected = _select(iter_trees(trees, skipped=skipped), number)
    drawing_format = get_format("pretty" if format_name == _TEXT else format_name)(
        width=width or terminal_width(out)
    )
    drawings = map(drawing_format.format_tree, selected)
    if drawing_format.file_suffix is None:
        _write_stream(drawings, out)
    else:
        _write_files(drawings, out, drawing_format.file_suffix, number)
    report_skipped(skipped)


def _select(trees: "Iterator[Tree]", number: int | None) -> "Iterator[Tree]":
    """Yield all trees, or the one with this number."""
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


def _write_stream(drawings: Iterable[str], out: str) -> None:
    """Write drawings with an empty line between them."""
    with open_output(out) as file:
        for index, drawing in enumerate(drawings):
            file.write(("\n" if index else "") + drawing + "\n")


def _write_files(drawings: Iterable[str], out: str, suffix: str, number: int | None) -> None:
    """Write one drawing to a file or standard output, or any number to a folder."""
    from whorl.cli.tree_files import open_tree_files

    is_folder = (Path(out).is_dir() or out.endswith("/")) if out != "-" else False
    with open_tree_files(
        out,
        suffix,
        is_folder=is_folder or None,
        replace_all=number is None,
        advice="choose one with --number, or give --out a folder",
    ) as files:
        for tree_number, drawing in enumerate(drawings, start=number or 1):
            files.write(drawing, tree_number)
