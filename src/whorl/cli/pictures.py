"""Trees as SVG: one file, or a folder of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from whorl.cli.common import written_whole
from whorl.errors import TreeError

if TYPE_CHECKING:
    from whorl.engine import Parse
    from whorl.trees import Tree

__all__ = ["Pictures", "write_svg"]


def write_svg(tree: Tree, out: str | Path) -> None:
    """Draw one tree into a file, or to standard output for `-`."""
    with written_whole(out) as file:
        file.write(tree.svg())


class Pictures:
    """Draws sentences: one into a file that is named `*.svg` or to standard output, any number into a folder."""

    form = None

    def __init__(self, out: str, *, several: bool) -> None:
        self._out = out
        self._several = several
        self._folder = out != "-" and (Path(out).is_dir() or Path(out).suffix.lower() != ".svg")
        self._count = 0
        self._one: Tree | None = None

    @classmethod
    @contextmanager
    def opened(cls, out: str, *, several: bool) -> Iterator[Pictures]:
        """Pictures, of which one that is alone is written at the end."""
        pictures = cls(out, several=several)
        yield pictures
        if pictures._one is not None:
            write_svg(pictures._one, out)
        elif not pictures._folder:
            raise TreeError("there is no sentence to draw")

    def write(self, parses: Sequence[Parse]) -> None:
        """Draw a sentence; files have the numbers of sentences, empty ones too, over all sources."""
        self._count += 1
        for rank, parse in enumerate(parses, start=1):
            if self._folder:
                folder = Path(self._out)
                folder.mkdir(parents=True, exist_ok=True)
                name = f"tree-{self._count:05}" + (f"-{rank}" if self._several else "")
                write_svg(parse.tree, folder / f"{name}.svg")
            elif self._one is not None:
                raise TreeError(
                    "an SVG file holds one tree, and there are more: --out a folder for them"
                )
            else:
                self._one = parse.tree

    def flush(self) -> None:
        """Files in a folder are complete already."""
