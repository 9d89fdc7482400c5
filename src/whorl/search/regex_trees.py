"""What Python's `re` makes of a regular expression, and how long it may take to match.

`re` tries one way after another, and some expressions have exponentially many: `(a+)+$` takes
minutes on a word of forty letters. The number of ways is estimated here from the tree that the
parser of `re` gives.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, TypeAlias

__all__ = ["Items", "parse_regex", "ways"]

# The parser of `re` is no public module, but has kept its form since Python 3.5.
_parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

Items: TypeAlias = list[tuple[str, Any]]
"""Parts in sequence: the name of an operation, such as `MAX_REPEAT`, and its arguments."""

_MOST = 10**15


def parse_regex(source: str, flags: int) -> tuple[Items, int]:
    """Return the parts of an expression, and its flags together with those inside it."""
    parsed = _parser.parse(source, flags)
    return _named(parsed), parsed.state.flags


def _named(parsed: Any) -> Items:
    return [(str(operation), arguments) for operation, arguments in parsed]


def ways(items: Any, length: int) -> int:
    """Return a bound on the ways in which parts can match in a text of this length."""
    total = 1
    for operation, arguments in items:
        total = min(_MOST, total * _ways_of_one(str(operation), arguments, length))
    return total


def _ways_of_one(operation: str, arguments: Any, length: int) -> int:
    if operation == "BRANCH":
        return sum(ways(branch, length) for branch in arguments[1])
    if operation.endswith("_REPEAT"):
        least, most, body = arguments
        return _ways_to_repeat(least, min(most, max(least, length)), ways(body, length))
    if operation == "SUBPATTERN":
        return ways(arguments[-1], length)
    if operation in ("ASSERT", "ASSERT_NOT"):
        return ways(arguments[1], length)
    if operation == "ATOMIC_GROUP":
        return ways(arguments, length)
    if operation == "GROUPREF_EXISTS":
        return sum(ways(branch, length) for branch in arguments[1:] if branch is not None)
    return 1


def _ways_to_repeat(least: int, most: int, once: int) -> int:
    if once == 1:
        return most - least + 1
    total = 0
    for count in range(least, most + 1):
        total += once**count if count < 64 else _MOST
        if total >= _MOST:
            return _MOST
    return total
