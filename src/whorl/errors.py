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
├── OracleError         a gold tree that an oracle cannot follow
├── TextError           text that cannot be read, or an invalid segmentation option
├── VectorError         a file of word vectors that cannot be read
├── CorpusError         raw text that cannot be read, or too little of it to train on
├── RecipeError         a training recipe with an unknown key or an invalid value
├── ModelError          a model folder that is damaged, of a newer format, or none at all
├── WorkerError         a parsing process that died
├── SpacyError          a spaCy pipeline or document that Whorl cannot work with
│   ├── MissingParseError        a document, or a part of it, that has not been parsed
│   ├── StaleParseError          a document that was changed after it was parsed
│   └── NonConstituentException  a span that is no constituent; the name is benepar's
└── ExperimentError     a run that failed, is missing, or belongs to another experiment
```
"""

from __future__ import annotations

__all__ = [
    "BracketError",
    "CorpusError",
    "EvaluationError",
    "ExperimentError",
    "HeadRuleError",
    "MissingParseError",
    "ModelError",
    "NonConstituentException",
    "OracleError",
    "ParameterError",
    "RecipeError",
    "SpacyError",
    "StaleParseError",
    "TextError",
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


class OracleError(WhorlError):
    """A gold tree that an oracle cannot follow."""


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


class WorkerError(WhorlError):
    """A parsing process that died."""


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
