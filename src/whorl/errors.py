"""The exception tree.

```
WhorlError              base of all; catch this to catch everything below
├── TreeError           a tree that cannot be built, written or transformed
│   └── BracketError    bracketed text that is not a tree; names file, line, column and reason
├── TreebankError       a treebank file or folder that is not in its layout
├── HeadRuleError       a head-rule file that cannot be read
├── ParameterError      an EVALB parameter file that cannot be read
├── EvaluationError     gold and predicted trees that cannot be compared
├── TransitionError     an unknown transition, or one that is not legal in its state
├── ConstraintError     constraints that are malformed, or that no tree can satisfy together
├── OracleError         a gold tree that an oracle cannot follow
├── SearchError         a search that failed
│   ├── PatternError    a search pattern that is not one; shows the pattern and a caret
│   ├── OperationError  an operation of an edit that is not one; shows it with a caret
│   ├── EditScriptError a script of edits that cannot be read; names file and line
│   ├── EditError       an edit that a tree does not allow, or that never ends
│   └── TimeLimitError  a search that took longer on one tree than its time limit
├── TextError           text that cannot be read, or an invalid segmentation option
├── VectorError         a file of word vectors that cannot be read
├── CorpusError         raw text that cannot be read, or too little of it to train on
├── RecipeError         a training recipe with an unknown key or an invalid value
├── ModelError          a model folder that is damaged, of a newer format, or none at all
├── PackageError         a model that cannot be made into a package
├── WorkerError         a worker process that died
├── MissingPackageError an optional package that is not installed; an ImportError too
├── SpacyError          a spaCy pipeline or document that Whorl cannot work with
│   ├── MissingParseError        a document, or a part of it, that has not been parsed
│   ├── StaleParseError          a document that was changed after it was parsed
│   └── NonConstituentException  a span that is no constituent; the name is benepar's
└── ExperimentError     a run that failed, is missing, or belongs to another experiment
```
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unicodedata import east_asian_width

__all__ = [
    "BracketError",
    "ConstraintError",
    "CorpusError",
    "EditError",
    "EditScriptError",
    "EvaluationError",
    "ExperimentError",
    "HeadRuleError",
    "MissingPackageError",
    "MissingParseError",
    "ModelError",
    "NonConstituentException",
    "OperationError",
    "OracleError",
    "PackageError",
    "ParameterError",
    "PatternError",
    "RecipeError",
    "SearchError",
    "SpacyError",
    "StaleParseError",
    "TextError",
    "TimeLimitError",
    "TransitionError",
    "TreeError",
    "TreebankError",
    "VectorError",
    "WhorlError",
    "WorkerError",
]


class WhorlError(Exception):
    """Base of every error that Whorl raises on purpose."""


class TreeError(WhorlError):
    """A tree that cannot be built, written or transformed."""


class BracketError(TreeError):
    """Bracketed text that is not a tree.

    `source`, `line` and `column` say where (lines and characters count from 1), `reason` says why,
    and `text` is the offending line from that column on.
    """

    def __init__(self, reason: str, *, source: str, line: int, column: int, text: str = "") -> None:
        self.reason = reason
        self.source = source
        self.line = line
        self.column = column
        self.text = text
        near = f", near {text!r}" if text else ""
        super().__init__(f"{source}:{line}:{column}: {reason}{near}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by keyword arguments, so that worker processes can report the error."""
        return _bracket_error, (self.reason, self.source, self.line, self.column, self.text)


def _bracket_error(reason: str, source: str, line: int, column: int, text: str) -> BracketError:
    return BracketError(reason, source=source, line=line, column=column, text=text)


class TreebankError(WhorlError):
    """A treebank file or folder that is not in its layout."""


class HeadRuleError(WhorlError):
    """A head-rule file that cannot be read."""


class ParameterError(WhorlError):
    """An EVALB parameter file that cannot be read."""


class EvaluationError(WhorlError):
    """Gold and predicted trees that cannot be compared."""


class TransitionError(WhorlError):
    """An unknown transition, or one that is not legal in its state."""


class ConstraintError(WhorlError):
    """Constraints that are malformed, or that no tree can satisfy together.

    `constraints` are those at fault, as few as possible: two that contradict each other, or one.
    `reason` says why, and `source` which input they belong to, if that is known.
    """

    def __init__(self, reason: str, constraints: Iterable[Any] = (), source: str = "") -> None:
        self.reason = reason
        self.constraints = tuple(constraints)
        self.source = source
        super().__init__(f"{source}: {reason}" if source else reason)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by arguments, so that worker processes can report the error."""
        return type(self), (self.reason, self.constraints, self.source)


class OracleError(WhorlError):
    """A gold tree that an oracle cannot follow."""


class SearchError(WhorlError):
    """A search that failed."""


class PatternError(SearchError):
    """A search pattern that is not one.

    `reason` says what is wrong and what was expected, `position` is the character of `pattern`
    where that shows, from 0.
    """

    def __init__(self, reason: str, *, pattern: str, position: int) -> None:
        self.reason = reason
        self.pattern = pattern
        self.position = position
        super().__init__(f"{reason}\n{_pointed_at(pattern, position)}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by keyword arguments, so that worker processes can report the error."""
        return _pattern_error, (self.reason, self.pattern, self.position)


def _pattern_error(reason: str, pattern: str, position: int) -> PatternError:
    return PatternError(reason, pattern=pattern, position=position)


class OperationError(SearchError):
    """An operation of an edit that is not one.

    `reason` says what is wrong and what was expected, `position` is the character of `operation`
    where that shows, from 0.
    """

    def __init__(self, reason: str, *, operation: str, position: int) -> None:
        self.reason = reason
        self.operation = operation
        self.position = position
        super().__init__(f"{reason}\n{_pointed_at(operation, position)}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by keyword arguments, so that worker processes can report the error."""
        return _operation_error, (self.reason, self.operation, self.position)


def _operation_error(reason: str, operation: str, position: int) -> OperationError:
    return OperationError(reason, operation=operation, position=position)


class EditScriptError(SearchError):
    """A script of edits that cannot be read; `line` counts from 1, `reason` says why."""

    def __init__(self, reason: str, *, source: str, line: int) -> None:
        self.reason = reason
        self.source = source
        self.line = line
        super().__init__(f"{source}:{line}: {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by keyword arguments, so that worker processes can report the error."""
        return _edit_script_error, (self.reason, self.source, self.line)


def _edit_script_error(reason: str, source: str, line: int) -> EditScriptError:
    return EditScriptError(reason, source=source, line=line)


class EditError(SearchError):
    """An edit that a tree does not allow, or that never ends.

    `reason` says why and what was expected, `tree` is the tree as it was before the edit, and
    `pattern` is what matched. If one operation failed, `operation` is that operation and
    `position` the character to which the reason refers.
    """

    def __init__(
        self,
        reason: str,
        *,
        pattern: str,
        tree: str,
        operation: str = "",
        position: int = 0,
    ) -> None:
        self.reason = reason
        self.pattern = pattern
        self.tree = tree
        self.operation = operation
        self.position = position
        shown = f"\n{_pointed_at(operation, position)}" if operation else ""
        super().__init__(f"{reason}{shown}\n  pattern: {pattern}\n  tree: {tree}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by keyword arguments, so that worker processes can report the error."""
        return _edit_error, (self.reason, self.pattern, self.tree, self.operation, self.position)


def _edit_error(reason: str, pattern: str, tree: str, operation: str, position: int) -> EditError:
    return EditError(reason, pattern=pattern, tree=tree, operation=operation, position=position)


def _pointed_at(pattern: str, position: int, *, around: int = 60) -> str:
    """Show the pattern near a position, with a caret below it."""
    start, end = max(0, position - around), position + around
    before, after = pattern[start:position], pattern[position:end]
    if start:
        before = f"...{before}"
    if end < len(pattern):
        after = f"{after}..."
    before, after = (
        "".join(character if character.isprintable() else " " for character in text)
        for text in (before, after)
    )
    columns = sum(2 if east_asian_width(character) in "WF" else 1 for character in before)
    return f"  {before}{after}\n  {' ' * columns}^"


class TimeLimitError(SearchError):
    """A search that took longer on one tree than its time limit."""


class TextError(WhorlError):
    """Text that cannot be read, or an invalid segmentation option."""


class VectorError(WhorlError):
    """A file of word vectors that cannot be read."""


class CorpusError(WhorlError):
    """Raw text that cannot be read, or too little of it to train on."""


class RecipeError(WhorlError):
    """A training recipe with an unknown key or an invalid value."""


class ModelError(WhorlError):
    """A model folder that is damaged, of a newer format, or none at all."""


class PackageError(WhorlError):
    """A model that cannot be made into a package."""


class WorkerError(WhorlError):
    """A worker process that died."""


class MissingPackageError(WhorlError, ImportError):
    """An optional package that is not installed; names the command that installs it."""


class ExperimentError(WhorlError):
    """A run of an experiment that failed, is missing, or belongs to another experiment."""


class SpacyError(WhorlError):
    """A spaCy pipeline or document that Whorl cannot work with."""


class MissingParseError(SpacyError):
    """A spaCy document, or a part of it, that has not been parsed."""


class StaleParseError(SpacyError):
    """A spaCy document whose tokens or sentences were changed after it was parsed."""


class NonConstituentException(SpacyError):
    """A span that is not a constituent of its sentence's tree."""
