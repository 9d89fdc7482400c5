"""The new label in a `relabel` operation, from its text."""

from __future__ import annotations

import re

from whorl.search.editing.labels import (
    FixedLabel,
    NewLabel,
    Piece,
    RewrittenLabel,
    fits_in_brackets,
)
from whorl.search.editing.scanner import Scanner, Word
from whorl.search.editing.scope import Scope
from whorl.search.regexes import Regex

__all__ = ["parse_label"]

_EXPECTED = "a label such as NP, a label in slashes, or /regular expression/replacement/"
_REFERENCE = re.compile(r"([=%])\{([a-zA-Z0-9_]+)\}")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def parse_label(scanner: Scanner, scope: Scope) -> NewLabel:
    """Parse `NP`, `/PRP$/`, `|PRP$|` or `/^(.*)-SBJ$/$1/`."""
    if scanner.take("/"):
        return _label_in_slashes(scanner, scope)
    if scanner.take("|"):
        return _fixed_label(scanner, scanner.delimited("|", "the label"))
    word = scanner.word(_EXPECTED)
    if not word.is_plain:
        quoted = re.sub(r"([\\/])", r"\\\1", word.text)
        scanner.reject(f"the label {word.text!r} needs slashes: /{quoted}/", word.position)
    return FixedLabel(word.text)


def _label_in_slashes(scanner: Scanner, scope: Scope) -> NewLabel:
    first = scanner.delimited("/", "the label or regular expression")
    if scanner.at_end_of_word():
        return _fixed_label(scanner, first)
    start = scanner.position
    scanner.delimited("/", "the replacement")
    while not scanner.at_end_of_word():
        scanner.delimited("/", "the replacement")
    replacement = Word(scanner.text[start : scanner.position - 1], start)
    regex = _regex(scanner, first)
    return RewrittenLabel(regex, _pieces(scanner, replacement, regex, scope))


def _fixed_label(scanner: Scanner, word: Word) -> NewLabel:
    label = _ESCAPED.sub(r"\1", word.text)
    _check(scanner, label, word.position)
    return FixedLabel(label)


def _check(scanner: Scanner, label: str, position: int) -> None:
    if not fits_in_brackets(label):
        scanner.reject(f"the label {label!r} has white space or a bracket; expected none", position)


def _regex(scanner: Scanner, word: Word) -> Regex:
    try:
        return Regex(word.text)
    except re.error as error:
        position = word.position + (error.pos or 0)
        scanner.reject(f"not a regular expression: {error.msg}", position)
    except (OverflowError, RecursionError) as error:
        scanner.reject(f"not a regular expression: {error}", word.position)


def _pieces(scanner: Scanner, replacement: Word, regex: Regex, scope: Scope) -> list[Piece]:
    """Cut a replacement into text, `$1`, `={name}` and `%{variable}`."""
    pieces: list[Piece] = []
    text, at = replacement.text, 0
    while at < len(text):
        position = replacement.position + at
        reference = _REFERENCE.match(text, at)
        if reference:
            name = Word(reference[2], position + 2)
            find = scope.node if reference[1] == "=" else scope.variable
            pieces.append(find(scanner, name))
            at = reference.end()
        elif text[at] == "$":
            digits = _group_digits(text[at + 1 :], regex.groups)
            if not digits:
                _reject_group(scanner, text[at + 1 : at + 2], position, regex)
            pieces.append(int(digits))
            at += 1 + len(digits)
        else:
            at += text[at] == "\\" and at + 1 < len(text)
            _check(scanner, text[at], position)
            pieces.append(text[at])
            at += 1
    return pieces


def _group_digits(text: str, groups: int) -> str:
    """Return the number of a group at the beginning: as many digits as there are groups for."""
    end = 0
    while text[end : end + 1] in tuple("0123456789") and int(text[: end + 1]) <= groups:
        end += 1
    return text[:end]


def _reject_group(scanner: Scanner, digit: str, position: int, regex: Regex) -> None:
    if digit.isdigit():
        count = f"{regex.groups} group{'' if regex.groups == 1 else 's'}"
        scanner.reject(f"no such group; the regular expression has {count}", position)
    scanner.reject(
        r"expected the number of a group after $, as in $1; a dollar sign is written \$",
        position,
    )
