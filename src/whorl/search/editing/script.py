r"""Files of edits in the format of Tsurgeon.

A pattern on one or more lines, an empty line, its operations, one a line, an empty line, the next
pattern. `%` begins a comment, `\%` is a percent sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from whorl.errors import EditScriptError, OperationError, PatternError, SearchError
from whorl.search.editing.edit import Deadline, Edit, compile_edit
from whorl.search.heads import STANFORD, HeadTable
from whorl.trees.tree import Node

__all__ = ["EditScript"]

_COMMENT = re.compile(r"(?<!\\)%.*")


class EditScript:
    """Edits that are applied one after the other to every tree."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self.edits = tuple(edits)

    def __repr__(self) -> str:
        return f"<EditScript of {len(self.edits)} edits>"

    def __iter__(self) -> Iterator[Edit]:
        return iter(self.edits)

    def __len__(self) -> int:
        return len(self.edits)

    @classmethod
    def read(cls, path: str | Path, heads: HeadTable = STANFORD) -> EditScript:
        """Read a script file; an error names the file and the line."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise SearchError(f"cannot read {path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise SearchError(f"{path}: not UTF-8, at byte {error.start}") from error
        return cls.parse(text, source=str(path), heads=heads)

    @classmethod
    def parse(
        cls, text: str, *, source: str = "<string>", heads: HeadTable = STANFORD
    ) -> EditScript:
        """Read the text of a script; `source` names it in errors."""
        edits = [_compile(block, source, heads) for block in _blocks(text, source)]
        if not edits:
            raise SearchError(
                f"{source}: no edits; expected a pattern, an empty line, and operations"
            )
        return cls(edits)

    def apply(
        self, tree: Node, *, max_changes: int | None = None, time_limit: float | None = None
    ) -> Node | None:
        """Return the edited tree, or None if no tree is left.

        `max_changes` bounds the changes by each edit, as in `Edit.apply`; `time_limit` is for all
        of them together.
        """
        deadline = Deadline(time_limit)
        edited: Node | None = tree
        for edit in self.edits:
            if edited is None:
                break
            edited = edit.apply_until(edited, deadline, max_changes=max_changes)
        return edited


class _Line(NamedTuple):
    """A line without its comment, and its number from 1."""

    text: str
    number: int
    had_comment: bool


class _Block(NamedTuple):
    pattern: list[_Line]
    operations: list[_Line]


def _blocks(text: str, source: str) -> Iterator[_Block]:
    """Yield the lines of each pattern with those of its operations."""
    groups = list(_groups(text))
    for pattern, operations in zip(groups[::2], [*groups[1::2], []], strict=False):
        if not operations:
            raise EditScriptError(
                "the pattern has no operations; expected an empty line after it, and then "
                "operations, one a line",
                source=source,
                line=pattern[0].number,
            )
        yield _Block(pattern, operations)


def _groups(text: str) -> Iterator[list[_Line]]:
    """Yield the lines between empty ones; a line with nothing but a comment is not empty."""
    group: list[_Line] = []
    for number, line in enumerate(text.splitlines(), start=1):
        code = _COMMENT.sub("", line)
        if code.strip():
            group.append(_Line(code.replace("\\%", "%"), number, code != line))
        elif not line.strip() and group:
            yield group
            group = []
    if group:
        yield group


def _compile(block: _Block, source: str, heads: HeadTable) -> Edit:
    pattern = " ".join(line.text for line in block.pattern)
    operations = [line.text for line in block.operations]
    try:
        return compile_edit(pattern, operations, heads)
    except PatternError as error:
        hint = ""
        if any(line.had_comment for line in block.pattern):
            hint = r" (in a script, % begins a comment, and \% is a percent sign)"
        raise EditScriptError(
            f"{error}{hint}", source=source, line=_line_at(block.pattern, error.position)
        ) from error
    except OperationError as error:
        numbers = [line.number for line in block.operations if line.text == error.operation]
        raise EditScriptError(str(error), source=source, line=numbers[0]) from error


def _line_at(lines: list[_Line], position: int) -> int:
    """Return the number of the line in which a character of the joined lines stands."""
    for line in lines:
        position -= len(line.text) + 1
        if position < 0:
            return line.number
    return lines[-1].number
