"""Files that hold one tree each, such as pictures: a single one, or a folder of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from whorl.cli.common import open_output
from whorl.errors import TreeError

__all__ = ["TreeFiles", "open_tree_files"]


@contextmanager
def open_tree_files(
    out: str,
    suffix: str,
    *,
    is_folder: bool | None,
    replace_all: bool = True,
    advice: str = "give --out a folder",
) -> Iterator[TreeFiles]:
    """Open a file or standard output for one tree, or a folder for any number of them.

    If `is_folder` is None, `out` becomes a folder when a second tree arrives and the name has no
    suffix. Files reach the folder together once all are complete. With `replace_all`, those of an
    earlier run are then removed: files named as `tree-00001.svg` or `tree-00001-2.svg`, no others.
    """
    files = TreeFiles(out, suffix, is_folder=is_folder, replace_all=replace_all, advice=advice)
    try:
        yield files
        files.finish()
    finally:
        files.clean_up()


class TreeFiles:
    """The files of one run; see `open_tree_files`."""

    def __init__(
        self, out: str, suffix: str, *, is_folder: bool | None, replace_all: bool, advice: str
    ) -> None:
        self._out = out
        self._suffix = suffix
        self._is_folder = is_folder
        self._replace_all = replace_all
        self._advice = advice
        self._folder = Path(out)
        self._partial = self._folder / f".trees.{os.getpid()}.partial"
        self._is_new_folder = False
        self._first: tuple[str, str] | None = None  # a name and a drawing that may stay alone

    def write(self, drawing: str, number: int, rank: int | None = None) -> None:
        """Add a tree by its number and, of several parses, its rank."""
        name = f"tree-{number:05}{'' if rank is None else f'-{rank}'}{self._suffix}"
        if self._is_folder:
            self._add(name, drawing)
        elif self._first is None:
            self._first = (name, drawing)
        elif self._is_folder is None and self._out != "-" and not self._folder.suffix:
            self._is_folder = True
            self._add(*self._first)
            self._add(name, drawing)
        else:
            raise TreeError(
                f"one {self._suffix} file holds one tree, and there are more: {self._advice}"
            )

    def finish(self) -> None:
        """Put the files into their places."""
        if self._is_folder:
            self._fill_folder()
        elif self._first is None:
            raise TreeError("no tree to draw")
        else:
            with open_output(self._out) as file:
                file.write(self._first[1])

    def clean_up(self) -> None:
        """Remove what a failed run left behind."""
        if self._partial.exists():
            for path in self._partial.iterdir():
                path.unlink()
            self._partial.rmdir()
        if self._is_new_folder:
            with suppress(OSError):  # it is not empty, as it should be
                self._folder.rmdir()

    def _add(self, name: str, drawing: str) -> None:
        if not self._partial.exists():
            self._is_new_folder = not self._folder.exists()
            self._partial.mkdir(parents=True)
        (self._partial / name).write_text(drawing, encoding="utf-8", newline="\n")

    def _fill_folder(self) -> None:
        stale = list(self._stale_files()) if self._replace_all and self._folder.exists() else []
        if self._partial.exists():
            for path in self._partial.iterdir():
                path.replace(self._folder / path.name)
        for path in stale:
            path.unlink()

    def _stale_files(self) -> Iterator[Path]:
        """Yield the files of earlier runs that this run does not replace."""
        named_by_us = re.compile(rf"tree-\d{{5,}}(-\d+)?{re.escape(self._suffix)}")
        for path in self._folder.iterdir():
            if (
                named_by_us.fullmatch(path.name)
                and not (self._partial / path.name).exists()
                and path.is_file()
                and not path.is_symlink()
            ):
                yield path
