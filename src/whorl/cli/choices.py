"""Values of options that several commands share; quick to import."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

import typer

__all__ = ["Errors", "Hyphens", "Input", "Newline", "format_option"]


def format_option(names: Sequence[str]) -> Any:
    """Return the option `--format` with these values."""

    def check(name: str) -> str:
        if name not in names:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(names)}.")
        return name

    return typer.Option(
        "--format", "-f", metavar=f"[{'|'.join(names)}]", callback=check, help="Output format."
    )


class Input(str, Enum):
    """What the input consists of."""

    text = "text"
    tokens = "tokens"
    tagged = "tagged"
    trees = "trees"
    json = "json"


class Errors(str, Enum):
    """What happens to bytes that are not UTF-8."""

    replacing = "replace"
    strict = "strict"


class Newline(str, Enum):
    """What a line break in text means."""

    space = "space"
    paragraph = "paragraph"
    sentence = "sentence"


class Hyphens(str, Enum):
    """What happens to hyphenated words."""

    keep = "keep"
    splitting = "split"
