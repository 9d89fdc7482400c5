"""Regular expressions matched in time linear in the text, for those that `re` may not finish.

The search backtracks as `re` does, but never tries the same place of the expression at the same
place of the text twice: what failed once fails again. Back-references, conditions, and atomic or
possessive groups do not work like that, and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from whorl.search.regex_trees import Items

__all__ = ["LinearRegex", "UnsupportedError"]

_MOST_STEPS = 5_000
# Of steps and places in the text together: a second or two.
_MOST_PAIRS = 2_000_000
_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
_PLACES = {
    "AT_BEGINNING": "^",
    "AT_BEGINNING_STRING": r"\A",
    "AT_BOUNDARY": r"\b",
    "AT_NON_BOUNDARY": r"\B",
    "AT_END": "$",
    "AT_END_STRING": r"\Z",
}
_REASONS = {
    "ASSERT": "it looks ahead or back",
    "ASSERT_NOT": "it looks ahead or back",
    "ATOMIC_GROUP": "it has an atomic group",
    "GROUPREF": "it has a back-reference",
    "GROUPREF_EXISTS": "it has a condition on a group",
    "POSSESSIVE_REPEAT": "it has a possessive repetition",
}
_FLAGS = int(re.ASCII | re.IGNORECASE | re.MULTILINE | re.DOTALL)


class UnsupportedError(Exception):
    """An expression that cannot be matched in linear time."""


class _Character(NamedTuple):
    fits: Callable[[str], bool]


class _Place(NamedTuple):
    """A condition on the place in the text, such as `^`."""

    holds: Callable[[str, int], bool]


class _Split(NamedTuple):
    """Go on at one of these steps, the first if possible."""

    targets: list[int]


class _Mark(NamedTuple):
    """Remember the place: the beginning or end of a group."""

    number: int


_Step: TypeAlias = _Character | _Place | _Split | _Mark | None


class LinearRegex:
    """A compiled expression; None among the steps is the end."""

    def __init__(self, items: Items, flags: int) -> None:
        self._steps: list[_Step] = []
        self._add_all(items, flags & _FLAGS)
        self._add(None)

    def search(self, text: str, start: int = 0) -> dict[int, tuple[int, int]] | None:
        """Return where the groups of the first match are, 0 for all of it; None without a match."""
        if len(self._steps) * (len(text) + 1) > _MOST_PAIRS:
            raise UnsupportedError("it is long")
        seen: set[tuple[int, int]] = set()
        for place in range(start, len(text) + 1):
            marks = self._match(text, place, seen)
            if marks is not None:
                groups = {number // 2 for number in marks if number % 2}
                return {group: (marks[2 * group], marks[2 * group + 1]) for group in groups}
        return None

    def _match(self, text: str, start: int, seen: set[tuple[int, int]]) -> dict[int, int] | None:
        # Marks are a linked list, so that alternatives share them.
        pending: list[tuple[int, int, Any]] = [(0, start, (0, start, None))]
        while pending:
            at, place, marks = pending.pop()
            if (at, place) in seen:
                continue
            seen.add((at, place))
            step = self._steps[at]
            if step is None:
                return _unlink((1, place, marks))
            if isinstance(step, _Character):
                if place < len(text) and step.fits(text[place]):
                    pending.append((at + 1, place + 1, marks))
            elif isinstance(step, _Place):
                if step.holds(text, place):
                    pending.append((at + 1, place, marks))
            elif isinstance(step, _Mark):
                pending.append((at + 1, place, (step.number, place, marks)))
            else:
                pending.extend((target, place, marks) for target in reversed(step.targets))
        return None

    # Compilation

    def _add(self, step: _Step) -> None:
        if len(self._steps) >= _MOST_STEPS:
            raise UnsupportedError("it repeats too much")
        self._steps.append(step)

    def _add_all(self, items: Any, flags: int) -> None:
        for operation, arguments in items:
            self._add_one(str(operation), arguments, flags)

    def _add_one(self, operation: str, arguments: Any, flags: int) -> None:
        if operation in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, body = arguments
            self._add_repeat(least, most, body, flags, greedy=operation == "MAX_REPEAT")
        elif operation == "BRANCH":
            self._add_branches(arguments[1], flags)
        elif operation == "SUBPATTERN":
            group, on, off, body = arguments
            if group is not None:
                self._add(_Mark(2 * group))
            self._add_all(body, (flags | (on & _FLAGS)) & ~off)
            if group is not None:
                self._add(_Mark(2 * group + 1))
        elif operation == "AT":
            self._add(_place(_PLACES[str(arguments)], flags))
        else:
            self._add(_character(operation, arguments, flags))

    def _add_repeat(self, least: int, most: int, body: Any, flags: int, *, greedy: bool) -> None:
        for _ in range(least):
            self._add_all(body, flags)
        splits = []
        endless = most >= _MOST_STEPS
        for _ in range(1 if endless else most - least):
            split = _Split([])
            splits.append((split, len(self._steps)))
            self._add(split)
            self._add_all(body, flags)
            if endless:
                self._add(_Split([splits[0][1]]))
        for split, at in splits:
            further = [at + 1, len(self._steps)]
            split.targets.extend(further if greedy else further[::-1])

    def _add_branches(self, branches: Sequence[Any], flags: int) -> None:
        split = _Split([])
        self._add(split)
        exits = []
        for branch in branches:
            split.targets.append(len(self._steps))
            self._add_all(branch, flags)
            exits.append(_Split([]))
            self._add(exits[-1])
        for leave in exits:
            leave.targets.append(len(self._steps))


def _place(source: str, flags: int) -> _Place:
    compiled = re.compile(source, flags)
    return _Place(lambda text, place: compiled.match(text, place) is not None)


def _character(operation: str, arguments: Any, flags: int) -> _Character:
    """Leave the question whether a character fits to `re`, and remember the answer."""
    compiled = re.compile(_character_source(operation, arguments), flags)
    known: dict[str, bool] = {}

    def fits(character: str) -> bool:
        answer = known.get(character)
        if answer is None:
            answer = known[character] = compiled.match(character) is not None
        return answer

    return _Character(fits)


def _character_source(operation: str, arguments: Any) -> str:
    if operation == "LITERAL":
        return re.escape(chr(arguments))
    if operation == "NOT_LITERAL":
        return f"[^{re.escape(chr(arguments))}]"
    if operation == "ANY":
        return "."
    if operation == "IN":
        return f"[{''.join(_set_source(str(kind), value) for kind, value in arguments)}]"
    raise UnsupportedError(_REASONS.get(operation, f"it has {operation}"))


def _set_source(kind: str, value: Any) -> str:
    if kind == "NEGATE":
        return "^"
    if kind == "LITERAL":
        return re.escape(chr(value))
    if kind == "RANGE":
        return "-".join(re.escape(chr(end)) for end in value)
    return _CATEGORIES[str(value)]


def _unlink(marks: Any) -> dict[int, int]:
    """Return the last place of each mark."""
    places: dict[int, int] = {}
    while marks is not None:
        number, place, marks = marks
        places.setdefault(number, place)
    return places
