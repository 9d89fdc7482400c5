"""EVALB's parameter files: which labels are deleted, and which are equivalent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whorl.errors import ParameterError
from whorl.escapes import unescape_brackets

__all__ = ["COLLINS", "Parameters"]


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """The settings of one evaluation, under names close to EVALB's own keywords.

    Attributes:
        debug: DEBUG; read and kept, but without effect.
        max_error: MAX_ERROR; as in EVALB, this many errors plus one are allowed, the next stops.
        cutoff: CUTOFF_LEN; sentences of at most this many words have their own summary.
        labelled: LABELED; whether labels count, or only spans.
        delete: DELETE_LABEL; words with such a tag and brackets with such a label are ignored.
        delete_for_length: DELETE_LABEL_FOR_LENGTH; such tags do not count in the length.
        quote: QUOTE_LABEL; tags whose quotation marks may be put back to make lengths equal.
        equal_labels: EQ_LABEL; pairs of labels or tags that match. The relation is not transitive.
        equal_words: EQ_WORD; pairs of words that match, with real brackets.
    """

    debug: int = 0
    max_error: int = 10
    cutoff: int = 40
    labelled: bool = True
    delete: frozenset[str] = frozenset()
    delete_for_length: frozenset[str] = frozenset()
    quote: frozenset[str] = frozenset()
    equal_labels: frozenset[tuple[str, str]] = frozenset()
    equal_words: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def read(cls, path: str | Path) -> Parameters:
        """Read a parameter file; missing keywords have EVALB's defaults."""
        source = str(path)
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise ParameterError(f"cannot read {source}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise ParameterError(f"cannot read {source}: not UTF-8: {error.reason}") from error
        return cls.parse(text, source=source)

    @classmethod
    def parse(cls, text: str, *, source: str = "<string>") -> Parameters:
        """Read the text of a parameter file."""
        values: dict[str, Any] = {}
        for number, line in enumerate(text.split("\n"), start=1):
            # EVALB ignores lines of one or two characters.
            if line.startswith("#") or len(line.rstrip()) < 3:
                continue
            try:
                _set(values, line.rstrip())
            except ValueError as error:
                raise ParameterError(
                    f"{source}:{number}: {line.rstrip()!r}: expected {error}"
                ) from None
        return cls(**values)

    def same_label(self, a: str, b: str) -> bool:
        """Return whether two labels, or two tags, match."""
        return a == b or (a, b) in self.equal_labels or (b, a) in self.equal_labels

    def same_word(self, a: str, b: str) -> bool:
        """Return whether two words match."""
        return a == b or (a, b) in self.equal_words or (b, a) in self.equal_words

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values under the attributes' names."""
        return {
            name: sorted(map(list, value) if name.startswith("equal") else value)
            if isinstance(value, frozenset)
            else value
            for name, value in vars(self).items()
        }


def _set(values: dict[str, Any], line: str) -> None:
    """Add one line to the values; a ValueError says what was expected instead."""
    keyword, *arguments = line.split()
    if keyword not in _KEYWORDS or line[0].isspace():
        raise ValueError(f"one of {', '.join(_KEYWORDS)} at the start of the line")
    name, convert = _KEYWORDS[keyword]
    value = convert(arguments)
    if convert in _LISTED:
        values[name] = values.get(name, frozenset()) | {value}
    else:
        values[name] = value


def _one(arguments: list[str], what: str) -> str:
    if len(arguments) != 1:
        raise ValueError(f"{what}, found {len(arguments)} values")
    return arguments[0]


def _number(arguments: list[str]) -> int:
    try:
        return int(_one(arguments, "one whole number"))
    except ValueError as error:
        raise ValueError("one whole number") from error


def _switch(arguments: list[str]) -> bool:
    if arguments not in (["0"], ["1"]):
        raise ValueError("0 or 1")
    return arguments == ["1"]


def _label(arguments: list[str]) -> str:
    return _one(arguments, "one label")


def _pair(arguments: Iterable[str], what: str) -> tuple[str, str]:
    pair = tuple(arguments)
    if len(pair) != 2:
        raise ValueError(f"two {what}, found {len(pair)}")
    return pair


def _labels(arguments: list[str]) -> tuple[str, str]:
    return _pair(arguments, "labels")


def _words(arguments: list[str]) -> tuple[str, str]:
    return _pair(map(unescape_brackets, arguments), "words")


_LISTED: tuple[Callable[[list[str]], object], ...] = (_label, _labels, _words)
_KEYWORDS: dict[str, tuple[str, Callable[[list[str]], object]]] = {
    "DEBUG": ("debug", _number),
    "MAX_ERROR": ("max_error", _number),
    "CUTOFF_LEN": ("cutoff", _number),
    "LABELED": ("labelled", _switch),
    "DELETE_LABEL": ("delete", _label),
    "DELETE_LABEL_FOR_LENGTH": ("delete_for_length", _label),
    "QUOTE_LABEL": ("quote", _label),
    "EQ_LABEL": ("equal_labels", _labels),
    "EQ_WORD": ("equal_words", _words),
}

COLLINS = Parameters(
    delete=frozenset(("TOP", "-NONE-", ",", ":", "``", "''", ".")),
    delete_for_length=frozenset(("-NONE-",)),
    equal_labels=frozenset((("ADVP", "PRT"),)),
)
"""The settings of `COLLINS.prm`, under which results on the Penn Treebank are published."""
