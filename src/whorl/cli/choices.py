"""The values of options that reading and writing share with the commands; quick to import."""

from __future__ import annotations

from enum import Enum

__all__ = ["Errors", "Format", "Hyphens", "Input", "Newline"]


class Input(str, Enum):
    """What the input is made of."""

    text = "text"
    tokens = "tokens"
    tagged = "tagged"
    trees = "trees"


class Format(str, Enum):
    """What trees are written as."""

    brackets = "brackets"
    pretty = "pretty"
    json = "json"
    jsonl = "jsonl"
    conll = "conll"
    svg = "svg"


class Errors(str, Enum):
    """What becomes of bytes that are not UTF-8."""

    forgiving = "replace"
    strict = "strict"


class Newline(str, Enum):
    """What a line break in text is."""

    space = "space"
    paragraph = "paragraph"
    sentence = "sentence"


class Hyphens(str, Enum):
    """What becomes of hyphenated words."""

    keep = "keep"
    cut = "split"
