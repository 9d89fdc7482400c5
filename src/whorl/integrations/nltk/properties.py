"""The properties that callers of NLTK's `CoreNLPParser` pass, as far as Whorl can obey them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from whorl.errors import TextError
from whorl.text import Newline

__all__ = ["Properties", "TextProperties"]

Properties: TypeAlias = Mapping[str, object] | bool | None
"""Properties by name. A bool is what `StanfordParser` takes in their place, `verbose`."""

_WHITESPACE = "tokenize.whitespace"
_ONE_SENTENCE = "ssplit.isOneSentence"
_LINES = "ssplit.eolonly"
_BREAKS = "ssplit.newlineIsSentenceBreak"
_OBEYED = (_WHITESPACE, _ONE_SENTENCE, _LINES, _BREAKS)
_BREAK_VALUES: dict[str, Newline] = {"always": "paragraph", "two": "space"}
# They say how CoreNLP works and answers, not what the trees are.
_WITHOUT_EFFECT = ("annotators", "outputFormat", "timeout")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextProperties:
    """What is a word and a sentence."""

    whitespace: bool = False
    """Whether white space alone separates words."""
    one_sentence: bool = False
    """Whether the whole text is one sentence."""
    newline: Newline = "space"

    @classmethod
    def read(cls, properties: Properties) -> TextProperties:
        """Read CoreNLP's properties; `TextError` names one that Whorl cannot obey."""
        if properties is None or isinstance(properties, bool):
            return cls()
        for name in properties:
            if name not in _OBEYED and name not in _WITHOUT_EFFECT:
                raise TextError(
                    f"Whorl has no equivalent of CoreNLP's property {name!r}: "
                    f"it obeys {', '.join(_OBEYED)}"
                )
        return cls(
            whitespace=_flag(properties, _WHITESPACE),
            one_sentence=_flag(properties, _ONE_SENTENCE),
            newline="sentence" if _flag(properties, _LINES) else _newline(properties),
        )


def _flag(properties: Mapping[str, object], name: str) -> bool:
    value = str(properties.get(name, "false")).lower()
    if value not in ("true", "false"):
        raise TextError(f"the property {name!r} must be true or false, not {value!r}")
    return value == "true"


def _newline(properties: Mapping[str, object]) -> Newline:
    value = str(properties.get(_BREAKS, "two")).lower()
    if value not in _BREAK_VALUES:
        raise TextError(
            f"the property {_BREAKS!r} must be {' or '.join(_BREAK_VALUES)}, not {value!r}: "
            "for Whorl, an empty line always ends a sentence"
        )
    return _BREAK_VALUES[value]
