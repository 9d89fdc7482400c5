"""Pattern text to tokens: the longest token wins, as in Tregex."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from whorl.errors import PatternError
from whorl.search.relations import RELATIONS, THROUGH

__all__ = ["END", "Token", "tokens"]

END = "end"

_WHITE = re.compile(r"[ \t\r\n\f\v]*")
_SYMBOLS = sorted([*RELATIONS, *THROUGH, "<..."], key=len, reverse=True)
_RELATION = re.compile("|".join(map(re.escape, _SYMBOLS)))
_NUMBER = re.compile(r"-?[0-9]+")
_LABEL = re.compile(
    r"[^ \t\r\n\f\v0-9(/|@!#%&)=?\[\]><~_.,$:{};]"
    r"[^ \t\r\n\f\v(/@!#%&)=?\[\]><~.,$:]*"
)
_PUNCTUATION = frozenset("()[]{}|&!?@#%=~;")


class Token(NamedTuple):
    """A piece of a pattern; `kind` is the token itself for punctuation."""

    kind: str
    text: str
    start: int


def tokens(pattern: str) -> Iterator[Token]:
    """Yield the tokens of a pattern, then an END."""
    position = 0
    while True:
        white = _WHITE.match(pattern, position)
        position = white.end() if white else position
        if position == len(pattern):
            yield Token(END, "", position)
            return
        token = _token(pattern, position)
        yield token
        position += len(token.text)


def _token(pattern: str, start: int) -> Token:
    relation = _RELATION.match(pattern, start)
    if relation:
        symbol = relation.group()
        kind = "multiple" if symbol == "<..." else "through" if symbol in THROUGH else "relation"
        return Token(kind, symbol, start)
    number, label = _NUMBER.match(pattern, start), _LABEL.match(pattern, start)
    if number and (not label or label.end() <= number.end()):
        return Token("number", number.group(), start)
    if label:
        return Token("label", label.group(), start)
    character = pattern[start]
    if character in _PUNCTUATION:
        return Token(character, character, start)
    if character == "/":
        return Token("regex", _regex(pattern, start), start)
    for special in ("__", "_ROOT_"):
        if pattern.startswith(special, start):
            return Token(special, special, start)
    raise PatternError(
        f"{character!r} cannot begin a label; expected __, _ROOT_, or a regular expression "
        "such as /^_/",
        pattern=pattern,
        position=start,
    )


def _regex(pattern: str, start: int) -> str:
    position = start + 1
    while position < len(pattern) and pattern[position] not in "\r\n":
        if pattern[position] == "/":
            return pattern[start : position + 1]
        position += 2 if pattern.startswith("\\/", position) else 1
    raise PatternError(
        "the regular expression has no end; expected a second /", pattern=pattern, position=start
    )
