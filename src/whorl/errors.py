"""What can go wrong, as one exception tree.

``` WhorlError                  everything below; catch this to catch all ├── TreeError
a tree that cannot be built, written or transformed as asked │   └── BracketError        bracketed
text that is not a tree; names file, line, column and reason ├── TreebankError           a treebank
folder or file that is not in the layout it was said to have ├── HeadRuleError           a head-rule
file that cannot be read ├── ParameterError          an EVALB parameter file that cannot be read ├──
EvaluationError         gold and predicted trees that cannot be compared ├── TransitionError
a transition that is unknown, or not legal in the state it was applied to ├── OracleError
a gold tree that an oracle cannot follow ├── TextError               text that cannot be read, or an
option of cutting it that is not one of its values ├── VectorError             a file of word
vectors that cannot be read ├── CorpusError             raw text that cannot be read, or is too
little to train on ├── RecipeError             a training recipe with an unknown key or a value that
does not fit ├── ModelError              a model folder that is damaged, of a newer format, or not
one at all ├── WorkerError             a process that was parsing and died └── ExperimentError
a run that failed, is missing, or belongs to another experiment ```
"""

from __future__ import annotations

__all__ = [
    "BracketError",
    "CorpusError",
    "EvaluationError",
    "ExperimentError",
    "HeadRuleError",
    "ModelError",
    "OracleError",
    "ParameterError",
    "RecipeError",
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
    """A tree that cannot be built, written or transformed as asked."""


class BracketError(TreeError):
    """Bracketed text that is not a tree.

    Attributes say where (`source`, `line` and `column`, counted from 1 in lines and characters),
    why (`reason`), and show the `text` of the offending line from the column on.
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
        """Pickle by the keyword arguments, so that worker processes can report it."""
        return _bracket_error, (self.reason, self.source, self.line, self.column, self.text)


def _bracket_error(reason: str, source: str, line: int, column: int, text: str) -> BracketError:
    return BracketError(reason, source=source, line=line, column=column, text=text)


class TreebankError(WhorlError):
    """A treebank folder or file that is not in the layout it was said to have."""


class HeadRuleError(WhorlError):
    """A head-rule file that cannot be read."""


class ParameterError(WhorlError):
    """An EVALB parameter file that cannot be read."""


class EvaluationError(WhorlError):
    """Gold and predicted trees that cannot be compared."""


class TransitionError(WhorlError):
    """A transition that is unknown, or not legal in the state it was applied to."""


class OracleError(WhorlError):
    """A gold tree that an oracle cannot follow."""


class TextError(WhorlError):
    """Text that cannot be read, or an option of cutting it that is not one of its values."""


class VectorError(WhorlError):
    """A file of word vectors that cannot be read."""


class CorpusError(WhorlError):
    """Raw text that cannot be read, or is too little to train on."""


class RecipeError(WhorlError):
    """A training recipe with an unknown key or a value that does not fit."""


class ModelError(WhorlError):
    """A model folder that is damaged, of a newer format, or not one at all."""


class WorkerError(WhorlError):
    """A process that was parsing and died."""


class ExperimentError(WhorlError):
    """A run of an experiment that failed, is missing, or belongs to another experiment."""
