"""Sources of trees: files, standard input, and the folders of treebanks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from whorl.errors import BracketError
from whorl.trees import (
    Layout,
    Tree,
    detect_layout,
    iter_tree_file_with_lines,
    treebank_files,
)

__all__ = ["TreeSource", "find_tree_sources"]


class TreeSource(NamedTuple):
    """A file of trees, and the argument that named it or its folder."""

    argument: str
    file: str
    layout: Layout

    def read(
        self, skipped: list[BracketError] | None, *, untagged: bool = False
    ) -> Iterator[tuple[int, Tree]]:
        """Yield the trees with their lines; malformed ones raise, or go to `skipped`."""
        return iter_tree_file_with_lines(self.file, self.layout, skipped=skipped, untagged=untagged)


def find_tree_sources(arguments: Sequence[str]) -> list[TreeSource]:
    """Return the files that the arguments stand for; without arguments, standard input."""
    return [
        TreeSource(argument, str(file), layout)
        for argument, layout in ((name, detect_layout(name)) for name in arguments or ["-"])
        for file in treebank_files(argument, layout)
    ]
