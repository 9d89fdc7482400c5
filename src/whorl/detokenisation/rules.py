"""Joining rules: which tokens of a treebank are written together, and with which characters.

A treebank's rules are a small JSON file. Those in `treebanks/` are recognised by the treebank's
tags; any other treebank gets rules that are read off its words.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from whorl.detokenisation.scripts import is_mark, writes_spaces
from whorl.errors import TextError
from whorl.trees import Leaf

__all__ = [
    "JoiningRules",
    "TokenPattern",
    "default_rules",
    "find_rules",
    "read_rules",
    "rule_names",
]

_FOLDER = Path(__file__).parent / "treebanks"
_LARGEST = 1 << 20  # bytes
_APOSTROPHES = "'’ʼ"
_HYPHENS = frozenset("-‐‑–")
# How much evidence a treebank must give before a rule is read off it.
_LEAST_JOINED = 0.001  # of its words contain the character that stands for a space
_LEAST_CLITICS = 3


@dataclass(frozen=True, slots=True)
class TokenPattern:
    """A pair of neighbouring tokens: regular expressions of words, lists of tags; None is any."""

    left: str | None = None
    left_tags: tuple[str, ...] | None = None
    right: str | None = None
    right_tags: tuple[str, ...] | None = None

    def matches(self, left: Leaf, right: Leaf) -> bool:
        """Return whether the pattern describes these two tokens."""
        return (
            (self.left_tags is None or left.tag in self.left_tags)
            and (self.right_tags is None or right.tag in self.right_tags)
            and (self.left is None or re.fullmatch(self.left, left.word, re.I) is not None)
            and (self.right is None or re.fullmatch(self.right, right.word, re.I) is not None)
        )


@dataclass(frozen=True)
class JoiningRules:
    """How the tokens of one treebank are written in running text.

    What no rule decides follows from the characters: no space before a comma or a closing
    bracket, none after an opening one, quotation marks in pairs.
    """

    name: str = "default"
    spaces: bool = True
    """Whether the language separates words by spaces."""
    joiner: str | None = None
    """The character inside a word that stands for a space, as in `Sky_Sports`."""
    surfaces: Mapping[str, str] = field(default_factory=dict)
    """Forms that were written in another way, such as ` `` `."""
    joined: tuple[TokenPattern, ...] = ()
    """Pairs without a space between them."""
    apart: tuple[TokenPattern, ...] = ()
    """Pairs with a space, although their characters speak against it."""
    tight: tuple[str, ...] = ()
    """Expressions of three tokens separated by spaces, such as `2 - 4`, that are written as one."""
    contractions: tuple[tuple[str, str], ...] = ()
    """Expressions of two words separated by a space, and what is written: `de (os?)`, `d\\1`."""
    contracted: TokenPattern = TokenPattern()
    """The pairs of tokens to which the contractions apply."""
    unknown: str | None = None
    """An expression of forms whose surface is not known."""
    tags: frozenset[str] = frozenset()
    """Tags that tell the treebank from others."""

    @cached_property
    def contraction_patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """The contractions, compiled."""
        return tuple((re.compile(pattern), written) for pattern, written in self.contractions)

    @cached_property
    def tight_patterns(self) -> tuple[re.Pattern[str], ...]:
        """The expressions of three tokens, compiled."""
        return tuple(re.compile(expression, re.I) for expression in self.tight)


def rule_names() -> list[str]:
    """Return the names of the treebanks whose rules are in the package."""
    return sorted(path.stem for path in _FOLDER.glob("*.json"))


def read_rules(name_or_path: str | Path) -> JoiningRules:
    """Read rules of the package by name, or from a file."""
    path = _FOLDER / f"{name_or_path}.json"
    if str(name_or_path) not in rule_names():
        path = Path(name_or_path)
        if not path.is_file():
            known = ", ".join(rule_names())
            raise TextError(f"no joining rules {str(name_or_path)!r}: expected a file or {known}")
    try:
        if path.stat().st_size > _LARGEST:
            raise TextError(f"{path} is too large for joining rules: {path.stat().st_size} bytes")
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise TextError(f"{path} cannot be read as joining rules: {error}") from error
    try:
        return _from_json(path.stem, content)
    except (TypeError, ValueError, AttributeError, re.error) as error:
        raise TextError(f"{path} is not a file of joining rules: {error}") from error


def _from_json(name: str, content: Mapping[str, Any]) -> JoiningRules:
    known = {"about", *JoiningRules.__dataclass_fields__} - {"name"}
    if unknown := sorted(content.keys() - known):
        raise ValueError(f"unknown key {unknown[0]!r}: expected {', '.join(sorted(known))}")
    rules = JoiningRules(
        name=name,
        spaces=_typed(content, "spaces", bool, True),
        joiner=_typed(content, "joiner", str, None),
        surfaces=_typed(content, "surfaces", dict, {}),
        joined=tuple(map(_pattern, content.get("joined", ()))),
        apart=tuple(map(_pattern, content.get("apart", ()))),
        tight=tuple(content.get("tight", ())),
        contractions=tuple((pattern, out) for pattern, out in content.get("contractions", ())),
        contracted=_pattern(content.get("contracted", {})),
        unknown=_typed(content, "unknown", str, None),
        tags=frozenset(content.get("tags", ())),
    )
    for expression in (*rules.tight, *([rules.unknown] if rules.unknown else [])):
        re.compile(expression)
    for pattern in (*rules.joined, *rules.apart, rules.contracted):
        for side in (pattern.left, pattern.right):
            re.compile(side or "")
    for compiled, written in rules.contraction_patterns:
        if compiled.groups < max((int(ref) for ref in re.findall(r"\\(\d)", written)), default=0):
            raise ValueError(f"{written!r} refers to a group that {compiled.pattern!r} lacks")
    return rules


def _typed(content: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = content.get(key, default)
    if value is not default and not isinstance(value, kind):
        raise ValueError(f"{key} is {value!r:.60}, expected {kind.__name__}")
    return value


def _pattern(value: Mapping[str, Any]) -> TokenPattern:
    fields: dict[str, Any] = dict(value)
    for key, item in value.items():
        if isinstance(item, list):
            fields[key] = tuple(item)
    return TokenPattern(**fields)


def find_rules(sentences: Sequence[Sequence[Leaf]]) -> JoiningRules:
    """Return the rules of the package for the treebank with these tags, or default ones."""
    tags = {leaf.tag for leaves in sentences for leaf in leaves}
    for name in rule_names():
        rules = read_rules(name)
        if rules.tags and rules.tags <= tags:
            return rules
    return default_rules(sentences)


def default_rules(sentences: Sequence[Sequence[Leaf]]) -> JoiningRules:
    """Return rules for a treebank of which nothing is known but its words."""
    words = Counter(leaf.word for leaves in sentences for leaf in leaves)
    return JoiningRules(
        spaces=writes_spaces(words),
        joiner=_find_joiner(words),
        surfaces={"``": '"', "''": '"', "`": "'", r"\/": "/", r"\*": "*"},
        joined=(*_hyphens(sentences), *_clitics(sentences)),
    )


def _find_joiner(words: Counter[str]) -> str | None:
    """Return the character that stands for a space inside words: white space, or `_` if common."""
    total = words.total()
    spaces = Counter(char for word, count in words.items() for char in word[1:-1] if char.isspace())
    if spaces:
        return spaces.most_common(1)[0][0]
    inner = re.compile(r"(?<=[^\W_])_(?=[^\W_])")
    joined = sum(count for word, count in words.items() if inner.search(word))
    return "_" if joined > total * _LEAST_JOINED else None


def _hyphens(sentences: Iterable[Sequence[Leaf]]) -> Iterable[TokenPattern]:
    """Yield patterns of hyphens inside words, if they have a tag of their own, such as `HYPH`."""
    words: dict[str, set[str]] = {}
    for leaves in sentences:
        for leaf in leaves:
            words.setdefault(leaf.tag, set()).add(leaf.word)
    tags = tuple(sorted(tag for tag, forms in words.items() if forms <= _HYPHENS and "-" in forms))
    if tags:
        yield TokenPattern(right_tags=tags)
        yield TokenPattern(left_tags=tags)


def _clitics(sentences: Iterable[Sequence[Leaf]]) -> Iterable[TokenPattern]:
    """Yield patterns of words that lean on a neighbour, as an apostrophe or hyphen shows.

    `'s` leans to the left unless it begins a sentence or follows a mark somewhere, as Dutch `'t`
    does. `l'` and `difundiram-` lean to the right.
    """
    left: Counter[str] = Counter()
    free = set()
    right: Counter[str] = Counter()
    for leaves in sentences:
        for at, leaf in enumerate(leaves):
            word = leaf.word.lower()
            if len(word) < 2:
                continue
            inner = word[1:].strip(_APOSTROPHES)
            if (word[0] in _APOSTROPHES or word == "n't" or word[0] == "-") and inner.isalpha():
                left[word] += 1
                if at == 0 or is_mark(leaves[at - 1].word):
                    free.add(word)
            elif word[-1] in f"{_APOSTROPHES}-" and word[:-1].replace("-", "").isalpha():
                right[word] += 1
    suffixes = [
        word for word, count in left.items() if count >= _LEAST_CLITICS and word not in free
    ]
    if suffixes:
        yield TokenPattern(right="|".join(map(re.escape, sorted(suffixes))))
    prefixes = [word for word, count in right.items() if count >= _LEAST_CLITICS]
    if prefixes:
        yield TokenPattern(left="|".join(map(re.escape, sorted(prefixes))))
