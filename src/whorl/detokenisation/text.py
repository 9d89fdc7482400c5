"""Raw text rebuilt from trees, with the place of each token in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from whorl.detokenisation.rules import JoiningRules
from whorl.detokenisation.scripts import closes, is_mark, opens, spaceless
from whorl.text import TokenSpan
from whorl.trees import Leaf

__all__ = ["RebuiltText", "SurfaceToken", "join_tokens", "rebuild"]

_UNDIRECTED = frozenset("\"'＂")
_OPENING_FORMS = frozenset(["``", "`", "“", "‘", "„", "‚", "«", "‹"])
_CLOSING_FORMS = frozenset(["''", "”", "’", "»", "›"])
_ENTITY = re.compile(r"&#?\w+;")
_TIGHT_MARKS = frozenset("/-–‐‑·")


class SurfaceToken(NamedTuple):
    """A token as it is written, and whether a space comes before it.

    `shared` is how many of its first characters the token before it has as well: Portuguese `a a`
    is written `à`.
    """

    form: str
    surface: str
    space: bool
    shared: int = 0


@dataclass(frozen=True, slots=True)
class RebuiltText:
    """A text and its tokens, sentence by sentence: forms as in the trees, places in the text."""

    text: str
    sentences: tuple[tuple[TokenSpan, ...], ...]
    unknown: tuple[tuple[int, str], ...]
    """The tokens whose surface is not known: the number of the sentence from 1, and the form."""


def rebuild(sentences: Iterable[Sequence[Leaf]], rules: JoiningRules) -> RebuiltText:
    """Write sentences as running text, joined by spaces if the language has them."""
    parts: list[str] = []
    spans: list[tuple[TokenSpan, ...]] = []
    unknown: list[tuple[int, str]] = []
    size = 0
    for number, leaves in enumerate(sentences, start=1):
        row = []
        for place, token in enumerate(join_tokens(leaves, rules)):
            if (place == 0 and size and rules.spaces) or (place and token.space):
                parts.append(" ")
                size += 1
            start = size - token.shared
            parts.append(token.surface[token.shared :])
            size = start + len(token.surface)
            row.append(TokenSpan(token.form, start, size))
            if _is_unknown(token, rules):
                unknown.append((number, token.form))
        spans.append(tuple(row))
    return RebuiltText("".join(parts), tuple(spans), tuple(unknown))


def _is_unknown(token: SurfaceToken, rules: JoiningRules) -> bool:
    if rules.unknown is not None and re.fullmatch(rules.unknown, token.form):
        return True
    private = any(unicodedata.category(char) in ("Co", "Cn") for char in token.surface)
    return private or "\ufffd" in token.surface or _ENTITY.search(token.surface) is not None


def join_tokens(leaves: Sequence[Leaf], rules: JoiningRules) -> Iterator[SurfaceToken]:
    """Yield the tokens of a sentence as they are written."""
    surfaces = [_surface(leaf.word, rules) for leaf in leaves]
    spaces = _spaces(leaves, surfaces, rules)
    shared = [0] * len(leaves)
    for at, (left, right) in enumerate(pairwise(leaves)):
        if rules.contractions and rules.contracted.matches(left, right):
            _contract(surfaces, spaces, shared, at, rules)
    for leaf, surface, space, count in zip(leaves, surfaces, spaces, shared, strict=True):
        yield SurfaceToken(leaf.word, surface, space, count)


def _surface(word: str, rules: JoiningRules) -> str:
    if word in rules.surfaces:
        return rules.surfaces[word]
    if rules.joiner is not None and rules.joiner in word.strip(rules.joiner):
        return re.sub(rf"(?<=.){re.escape(rules.joiner)}(?=.)", " ", word)
    return word


def _spaces(leaves: Sequence[Leaf], surfaces: list[str], rules: JoiningRules) -> list[bool]:
    """Return whether a space precedes each token."""
    glued = _quotes(leaves, surfaces)
    spaces = [False] * len(leaves)
    for at in range(1, len(leaves)):
        left, right = leaves[at - 1], leaves[at]
        if not rules.spaces:
            before, after = surfaces[at - 1][-1], surfaces[at][0]
            spaces[at] = (
                before.isalnum() and after.isalnum() and not spaceless(before)
            ) and not spaceless(after)
        elif any(pattern.matches(left, right) for pattern in rules.apart):
            spaces[at] = True
        elif any(pattern.matches(left, right) for pattern in rules.joined):
            spaces[at] = False
        else:
            tight = (at - 1, 1) in glued or (at, -1) in glued
            spaces[at] = not (
                tight
                or (opens(surfaces[at - 1]) and not _is_quote(left.word))
                or (closes(surfaces[at]) and not _is_quote(right.word))
            )
    if rules.spaces:
        for at in range(1, len(leaves) - 1):
            if _is_tight(surfaces[at - 1 : at + 2], rules):
                spaces[at] = spaces[at + 1] = False
    return spaces


def _is_quote(word: str) -> bool:
    return word in _UNDIRECTED or word in _OPENING_FORMS or word in _CLOSING_FORMS


def _is_tight(three: list[str], rules: JoiningRules) -> bool:
    """Return whether a mark is written without spaces between its neighbours."""
    left, mark, right = three
    written = " ".join(three)
    if any(pattern.fullmatch(written) for pattern in rules.tight_patterns):
        return True
    return (
        mark in _TIGHT_MARKS
        and not is_mark(left)
        and not is_mark(right)
        and (mark == "/" or (left[-1].isdigit() and right[0].isdigit()))
    )


def _quotes(leaves: Sequence[Leaf], surfaces: list[str]) -> set[tuple[int, int]]:
    """Return the quotation marks with the side, -1 or 1, to which they are closed up."""
    glued = set()
    opened: set[str] = set()
    last = len(leaves) - 1
    for at, leaf in enumerate(leaves):
        word = leaf.word
        if not _is_quote(word):
            continue
        if word in _UNDIRECTED:
            ends = all(is_mark(surface) for surface in surfaces[at + 1 :])
            before_stop = at < last and closes(surfaces[at + 1]) and at > 0
            opening = word not in opened and not (at > 0 and (ends or before_stop))
            opened ^= {word}
            if not opening:
                opened.discard(word)
        elif word == "’" and at < last and word not in opened:
            opening = False
        else:
            opening = word in _OPENING_FORMS
            if word == "“" and "„" in opened:
                opening = False
            (opened.add if opening else opened.clear)(*[word] if opening else [])
        glued.add((at, 1 if opening else -1))
    return glued


def _contract(
    surfaces: list[str], spaces: list[bool], shared: list[int], at: int, rules: JoiningRules
) -> None:
    """Write two neighbouring tokens as one word if a contraction says so.

    The word is divided where its end is the second token, or its beginning the first. Where
    neither is so, both tokens have the whole word.
    """
    head, left = _rpartition(surfaces[at])
    right, rest = _partition(surfaces[at + 1])
    pair = f"{left} {right}".lower()
    for pattern, written in rules.contraction_patterns:
        match = pattern.fullmatch(pair)
        if match is None:
            continue
        word = _with_case(match.expand(written), left, right)
        if len(word) > len(right) and word.lower().endswith(right.lower()):
            cut = len(word) - len(right)
            first, second = word[:cut], word[cut:]
        elif len(word) > len(left) and word.lower().startswith(left.lower()):
            first, second = word[: len(left)], word[len(left) :]
        else:
            first = second = word
            shared[at + 1] = len(word)
        surfaces[at], surfaces[at + 1] = head + first, second + rest
        spaces[at + 1] = False
        return


def _partition(surface: str) -> tuple[str, str]:
    first, space, rest = surface.partition(" ")
    return first, space + rest


def _rpartition(surface: str) -> tuple[str, str]:
    rest, space, last = surface.rpartition(" ")
    return rest + space, last


def _with_case(word: str, left: str, right: str) -> str:
    if left.isupper() and right.isupper() and len(left + right) > 2:
        return word.upper()
    return word[0].upper() + word[1:] if left[0].isupper() else word
