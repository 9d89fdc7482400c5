"""From trees to edited trees, in bounded memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whorl.cli.common import OnError, note, open_output, report_skipped
from whorl.cli.hits import Place, errors_at
from whorl.cli.searching import report_failures
from whorl.cli.tree_sources import find_tree_sources
from whorl.errors import BracketError, SearchError
from whorl.trees import normalise_root, write_trees

if TYPE_CHECKING:
    from whorl.search import EditScript
    from whorl.trees import Node, Tree

__all__ = ["Editor", "edit_trees"]


@dataclass(slots=True)
class Editor:
    """Edits one tree after another, and counts.

    With `skips`, a tree whose edit fails stays as it is, and the error goes to `errors`.
    """

    script: EditScript
    root: str | None = None
    time_limit: float | None = None
    max_changes: int | None = None
    skips: bool = False
    trees: int = 0
    changed: int = 0
    removed: int = 0
    errors: list[SearchError] = field(default_factory=list)

    def edit(self, tree: Tree, place: Place) -> Node | None:
        """Return the edited tree, or None if nothing is left of it."""
        self.trees += 1
        rooted = tree if self.root is None else normalise_root(tree, self.root)
        try:
            with errors_at(place):
                edited = self.script.apply(
                    rooted, max_changes=self.max_changes, time_limit=self.time_limit
                )
        except SearchError as error:
            if not self.skips:
                raise
            self.errors.append(error)
            return rooted
        self.removed += edited is None
        self.changed += edited is not None and edited != tree
        return edited


def edit_trees(
    arguments: Sequence[str],
    editor: Editor,
    *,
    on_error: OnError,
    untagged: bool = False,
    out: str = "-",
) -> None:
    """Write the edited trees, one per line; `out` may be one of the files that are read."""
    skipped = on_error.collector()
    with open_output(out) as file:
        write_trees(_edited(arguments, editor, skipped, untagged), file, untagged=True)
        file.flush()
    report_skipped(skipped)
    report_failures(editor.errors, "left {} unchanged, in which the edit failed")
    gone = f", and nothing is left of {editor.removed}" if editor.removed else ""
    if out != "-" or not sys.stdout.isatty():
        note(f"changed {editor.changed} of {editor.trees} trees{gone}")


def _edited(
    arguments: Sequence[str], editor: Editor, skipped: list[BracketError] | None, untagged: bool
) -> Iterator[Node]:
    for source in find_tree_sources(arguments):
        trees = source.read(skipped, untagged=untagged)
        for number, (line, tree) in enumerate(trees, start=1):
            edited = editor.edit(tree, Place(source.file, line, number))
            if edited is not None:
                yield edited
