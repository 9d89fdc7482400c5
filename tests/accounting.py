"""What a reader that skips malformed trees must return, by the brackets and its errors alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from whorl.errors import BracketError
from whorl.trees import Tree, format_tree

__all__ = ["check_nothing_lost"]

_TOKEN = re.compile(r"[()]|[^ \t\r\n\f\v()]+")
_COLUMN_ONE = re.compile(r"^\(", re.MULTILINE)


def check_nothing_lost(text: str, trees: Sequence[Tree], skipped: Sequence[BracketError]) -> None:
    """Fail unless every tree outside the skipped stretches came back, token for token and in order.

    The text falls into stretches that begin at a `(` in column one. Each is named by one error at
    most, and only that error excuses losing the tree it lies in with the rest of the stretch.
    """
    starts = sorted({0, *(match.start() for match in _COLUMN_ONE.finditer(text))})
    faults = _faults_by_stretch(text, starts, skipped)
    expected: list[list[str]] = []
    tree: list[str] = []
    depth = 0
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        fault = faults.get(number)
        for match in _TOKEN.finditer(text, start, end if fault is None else fault):
            tree.append(match.group())
            depth += {"(": 1, ")": -1}.get(match.group(), 0)
            if depth == 0:
                expected.append(tree)
                tree = []
        if fault is not None:
            tree, depth = [], 0
    assert not tree, f"lost without an error: {tree[:9]}"
    returned = [_TOKEN.findall(format_tree(tree)) for tree in trees]
    assert returned == expected


def _faults_by_stretch(
    text: str, starts: list[int], skipped: Sequence[BracketError]
) -> dict[int, int]:
    line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
    faults: dict[int, int] = {}
    for error in skipped:
        at = line_starts[error.line - 1] + error.column - 1
        stretch = bisect_right(starts, at) - 1
        assert stretch not in faults, f"two errors in one stretch: {error}"
        assert text.startswith(error.text, at)
        faults[stretch] = at
    return faults
