"""Rules for JSON values: what a key of a file may hold, checked before anything uses it.

A rule takes a value and its key and returns what is wrong with it, or None. `check` raises a
`ModelError` that names the file, the key, the offending value and what was expected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from reprlib import Repr
from typing import Any, TypeAlias

from whorl.errors import ModelError

__all__ = [
    "BOOLEAN",
    "FILE_NAME",
    "FRACTION",
    "LABEL",
    "NUMBER",
    "TEXT",
    "Rule",
    "check",
    "integer",
    "list_of",
    "nullable",
    "one_of",
    "table",
]

Rule: TypeAlias = Callable[[Any, str], str | None]

_LARGEST = 2**31 - 1
_FILE_NAME = re.compile(r"\w[\w.-]{0,127}", re.ASCII)
_NOT_IN_LABELS = re.compile(r"[\s()\ud800-\udfff]")
_REPR = Repr()
_REPR.maxstring = 60


def check(value: Any, rule: Rule, source: Path) -> None:
    """Raise `ModelError` if the content of a file breaks a rule."""
    problem = rule(value, "")
    if problem is not None:
        raise ModelError(f"{source}: {problem}")


def _mismatch(value: Any, key: str, expected: str) -> str:
    return f"{key or 'the content'} is {_REPR.repr(value)}, expected {expected}"


def _rule(expected: str, accepts: Callable[[Any], bool]) -> Rule:
    return lambda value, key: None if accepts(value) else _mismatch(value, key, expected)


BOOLEAN = _rule("true or false", lambda value: isinstance(value, bool))
TEXT = _rule("a string", lambda value: isinstance(value, str))
LABEL = _rule(
    "a label without white space and brackets",
    lambda value: isinstance(value, str) and not _NOT_IN_LABELS.search(value),
)
FILE_NAME = _rule(
    "the name of a file in the model folder",
    lambda value: isinstance(value, str) and _FILE_NAME.fullmatch(value) is not None,
)
NUMBER = _rule(
    "a finite number",
    lambda value: type(value) is int or (type(value) is float and math.isfinite(value)),
)
FRACTION = _rule(
    "a number of at least 0 and less than 1",
    lambda value: type(value) in (int, float) and 0 <= value < 1,
)


def integer(low: int = 0, high: int = _LARGEST) -> Rule:
    """Accept whole numbers within these bounds."""
    return _rule(
        f"an integer from {low} to {high}",
        lambda value: type(value) is int and low <= value <= high,
    )


def one_of(*values: str) -> Rule:
    """Accept some strings only."""
    return _rule(f"one of {', '.join(values)}", lambda value: value in values)


def nullable(rule: Rule) -> Rule:
    """Accept null, and whatever the rule accepts."""
    return lambda value, key: None if value is None else rule(value, key)


def list_of(rule: Rule, *, least: int = 0, most: int = _LARGEST, unique: bool = False) -> Rule:
    """Accept lists whose items all follow the rule."""

    def check_list(value: Any, key: str) -> str | None:
        if not isinstance(value, list) or not least <= len(value) <= most:
            return _mismatch(value, key, f"a list{_size(least, most)}")
        for place, item in enumerate(value):
            if problem := rule(item, f"{key}[{place}]"):
                return problem
        if unique and len(set(value)) < len(value):
            twice = next(item for item in value if value.count(item) > 1)
            return f"{key} has {_REPR.repr(twice)} more than once, expected distinct items"
        return None

    return check_list


def _size(least: int, most: int) -> str:
    if least == most:
        return f" of {least} items"
    return f" of {least} or more items" if least else ""


def table(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None) -> Rule:
    """Accept objects that have the required keys; keys without a rule may hold anything."""
    rules = {**required, **(optional or {})}

    def check_table(value: Any, key: str) -> str | None:
        if not isinstance(value, dict):
            return _mismatch(value, key, "an object with named values")
        prefix = f"{key}." if key else ""
        for name, rule in rules.items():
            if name in value:
                if problem := rule(value[name], f"{prefix}{name}"):
                    return problem
            elif name in required:
                return f"{prefix}{name} is missing"
        return None

    return check_table
